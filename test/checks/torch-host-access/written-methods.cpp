// RUN: %check_torch_tidy %s torch-host-access %t
// A method that changes an element writes it.
#include <torch/torch.h>

void imaginary(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  auto *p = y.data_ptr<c10::complex<float>>();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code writes the memory of 'y', which is on an accelerator; write to a host tensor and copy that back [torch-host-access]
  p[1].imag(2.f);
}
