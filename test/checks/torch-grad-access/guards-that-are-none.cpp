// RUN: %check_torch_tidy %s torch-grad-access %t
// Scopes that look as if they stopped the recording.
#include <torch/torch.h>

float without_a_name(torch::nn::Linear &layer) {
  torch::NoGradGuard{};
  return layer->weight.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return layer->weight.detach().data_ptr<float>()[0];
}

static void stop_recording() { torch::NoGradGuard no_grad; }

float in_a_helper_that_returned(torch::nn::Linear &layer) {
  stop_recording();
  return layer->weight.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return layer->weight.detach().data_ptr<float>()[0];
}

float after_the_block(torch::nn::Linear &layer) {
  {
    torch::NoGradGuard no_grad;
  }
  return layer->weight.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return layer->weight.detach().data_ptr<float>()[0];
}

float eval_mode(torch::nn::Linear &layer, const torch::Tensor &x) {
  layer->eval();
  torch::Tensor y = layer->forward(x);
  return y.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'y' may require grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return y.detach().data_ptr<float>()[0];
}

float switched_on(torch::nn::Linear &layer) {
  torch::NoGradGuard no_grad;
  at::AutoGradMode mode(true);
  return layer->weight.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return layer->weight.detach().data_ptr<float>()[0];
}

float another_tensor(torch::nn::Linear &layer) {
  torch::Tensor w = layer->weight.detach();
  return w.data_ptr<float>()[0] + layer->weight.data_ptr<float>()[1];
  // CHECK-MESSAGES: :[[@LINE-1]]:49: warning: 'layer->weight' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES: return w.data_ptr<float>()[0] + layer->weight.detach().data_ptr<float>()[1];
}
