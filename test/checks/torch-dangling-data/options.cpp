// RUN: %check_torch_tidy %s torch-dangling-data %t -check-suffix=LIKELY -config="{CheckOptions: [{key: torch-dangling-data.MinEvidence, value: likely}]}"
// RUN: %check_torch_tidy %s torch-dangling-data %t -check-suffix=PROVEN -config="{CheckOptions: [{key: torch-dangling-data.MinEvidence, value: proven}]}"
// MinEvidence (the default is possible).
#include <torch/torch.h>

float possible(const torch::Tensor &t) {
  const float *p = t.contiguous().data_ptr<float>();
  return p[0];
}

float likely(const torch::Tensor &t, torch::Device device) {
  torch::Tensor y = t.to(device);
  const float *p = y.cpu().data_ptr<float>();
  // CHECK-MESSAGES-LIKELY: :[[@LINE-1]]:28: warning: the memory of 'y.cpu()' may be gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression if the call makes a copy; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES-LIKELY: const auto y_host = y.cpu();
  // CHECK-FIXES-LIKELY-NEXT: const float *p = y_host.data_ptr<float>();
  return p[0];
}

float proven(const torch::Tensor &t) {
  const float *p = (t + 1).data_ptr<float>();
  // CHECK-MESSAGES-LIKELY: :[[@LINE-1]]:28: warning: the memory of '(t + 1)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES-LIKELY: const auto t_tensor = (t + 1);
  // CHECK-FIXES-LIKELY-NEXT: const float *p = t_tensor.data_ptr<float>();
  // CHECK-MESSAGES-PROVEN: :[[@LINE-4]]:28: warning: the memory of '(t + 1)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES-PROVEN: const auto t_tensor = (t + 1);
  // CHECK-FIXES-PROVEN-NEXT: const float *p = t_tensor.data_ptr<float>();
  return p[0];
}
