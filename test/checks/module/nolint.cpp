// RUN: %check_torch_tidy %s torch-* %t
// NOLINT works as everywhere in clang-tidy.
#include <torch/torch.h>

float all(const torch::Tensor &t) { return t.data_ptr<float>()[0]; } // NOLINT

float by_name(const torch::Tensor &t) {
  // NOLINTNEXTLINE(torch-host-access)
  return t.data_ptr<float>()[0];
}

float by_pattern(const torch::Tensor &t) {
  return t.data_ptr<float>()[0]; // NOLINT(torch-*)
}

// NOLINTBEGIN(torch-host-access)
float in_a_block(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }
// NOLINTEND(torch-host-access)

float another_check(const torch::Tensor &t) {
  return t.data_ptr<float>()[0]; // NOLINT(torch-grad-access)
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0]; // NOLINT(torch-grad-access)
}
