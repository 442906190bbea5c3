// RUN: %check_torch_tidy %s torch-grad-access %t -check-suffix=POSSIBLE -config="{CheckOptions: [{key: torch-grad-access.MinEvidence, value: possible}]}"
// RUN: %check_torch_tidy %s torch-grad-access %t -check-suffix=PROVEN -config="{CheckOptions: [{key: torch-grad-access.MinEvidence, value: proven}]}"
// MinEvidence (the default is likely).
#include <torch/torch.h>

float possible(const torch::Tensor &t) {
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES-POSSIBLE: :[[@LINE-1]]:12: warning: 't' may require grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES-POSSIBLE: return t.detach().data_ptr<float>()[0];
}

float likely(torch::nn::Linear &layer, const torch::Tensor &x) {
  torch::Tensor y = layer->forward(x);
  return y.data_ptr<float>()[0];
  // CHECK-MESSAGES-POSSIBLE: :[[@LINE-1]]:12: warning: 'y' may require grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES-POSSIBLE: return y.detach().data_ptr<float>()[0];
}

float proven() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  return w.data_ptr<float>()[0];
  // CHECK-MESSAGES-POSSIBLE: :[[@LINE-1]]:12: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES-POSSIBLE: return w.detach().data_ptr<float>()[0];
  // CHECK-MESSAGES-PROVEN: :[[@LINE-3]]:12: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-FIXES-PROVEN: return w.detach().data_ptr<float>()[0];
}
