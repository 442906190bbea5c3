// RUN: %check_torch_tidy %s torch-host-access %t -check-suffix=LIKELY -config="{CheckOptions: [{key: torch-host-access.MinEvidence, value: likely}]}"
// RUN: %check_torch_tidy %s torch-host-access %t -check-suffix=PROVEN -config="{CheckOptions: [{key: torch-host-access.MinEvidence, value: proven}]}"
// MinEvidence: nothing weaker is reported.
#include <torch/torch.h>

float possible(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }

float likely(const torch::Tensor &t, torch::Device device) {
  return t.to(device).data_ptr<float>()[0];
  // CHECK-MESSAGES-LIKELY: :[[@LINE-1]]:23: warning: host code reads the memory of 't.to(device)', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES-LIKELY: return t.to(device).detach().cpu().data_ptr<float>()[0];
}

float proven(const torch::Tensor &t) {
  return t.cuda().data_ptr<float>()[0];
  // CHECK-MESSAGES-LIKELY: :[[@LINE-1]]:19: warning: host code reads the memory of 't.cuda()', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES-LIKELY: return t.cuda().detach().cpu().data_ptr<float>()[0];
  // CHECK-MESSAGES-PROVEN: :[[@LINE-3]]:19: warning: host code reads the memory of 't.cuda()', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES-PROVEN: return t.cuda().detach().cpu().data_ptr<float>()[0];
}
