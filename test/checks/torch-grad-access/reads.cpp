// RUN: %check_torch_tidy %s torch-grad-access %t
// Reading the memory of a tensor that requires grad while gradients are recorded.
#include <torch/torch.h>

#include <cstring>
#include <vector>

float option() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  return w.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return w.detach().data_ptr<float>()[0];
}

float by_method() {
  torch::Tensor w = torch::ones({4});
  w.requires_grad_();
  return w.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return w.detach().data_ptr<float>()[0];
}

float derived() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  torch::Tensor y = torch::relu(w * 2).sum();
  return y.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'y' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return y.detach().data_ptr<float>()[0];
}

float module_parameter(torch::nn::Linear &layer) {
  const float *p = layer->weight.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:34: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: const float *p = layer->weight.detach().data_ptr<float>();
  return p[0];
}

void module_output(torch::nn::Sequential &net, const torch::Tensor &x, float *out) {
  torch::Tensor y = net->forward(x);
  std::memcpy(out, y.data_ptr<float>(), y.nbytes());
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'y' may require grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: std::memcpy(out, y.detach().data_ptr<float>(), y.nbytes());
}

float on_one_path(bool train) {
  torch::Tensor w = torch::ones({4});
  if (train)
    w.requires_grad_(true);
  return w.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'w' may require grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return w.detach().data_ptr<float>()[0];
}

float accessor() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  auto a = w.accessor<float, 1>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: const auto w_detached = w.detach();
  // CHECK-FIXES-NEXT: auto a = w_detached.accessor<float, 1>();
  return a[0];
}

torch::Tensor wrapped() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  return torch::from_blob(w.data_ptr<float>(), {4}).clone();
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return torch::from_blob(w.detach().data_ptr<float>(), {4}).clone();
}

float set_in_a_chain() {
  torch::Tensor w = torch::ones({4}).set_requires_grad(true);
  const float *p = w.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: const float *p = w.detach().data_ptr<float>();
  return p[1];
}

// The detached tensor shares the storage, so that each pointer gets its own handle.
std::vector<float> range() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  return std::vector<float>(w.data_ptr<float>(), w.data_ptr<float>() + 4);
  // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return std::vector<float>(w.detach().data_ptr<float>(), w.detach().data_ptr<float>() + 4);
}
