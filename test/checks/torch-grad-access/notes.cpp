// RUN: %check_torch_tidy %s torch-grad-access %t
// The notes: where it was made to require grad, where its memory is used. Also the example of docs/checks/grad-access.md.
#include <torch/torch.h>

#include <cmath>

float norm(torch::nn::Linear &layer) {
  const float *w = layer->weight.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:34: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-NOTES: :[[@LINE+5]]:12: note: the memory is read here
  // CHECK-NOTES: linear.h:{{.*}} note: 'weight' is a parameter of the module
  // CHECK-FIXES: const float *w = layer->weight.detach().data_ptr<float>();
  float sum = 0;
  for (int64_t i = 0; i < layer->weight.numel(); ++i)
    sum += w[i] * w[i];
  return std::sqrt(sum);
}

float output(torch::nn::Linear &layer, const torch::Tensor &x) {
  torch::Tensor y = layer->forward(x);
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: 'y' may require grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-NOTES: :[[@LINE-4]]:33: note: the output of a module carries gradients of its parameters
  // CHECK-FIXES: return y.detach().data_ptr<float>()[0];
}

float option() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  return w.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-NOTES: :[[@LINE-3]]:38: note: made to require grad here
  // CHECK-FIXES: return w.detach().data_ptr<float>()[0];
}
