// RUN: %check_torch_tidy %s torch-element-type %t
// The size of an element type's enumerator is one byte.
#include <torch/torch.h>

#include <cstring>

void copy(float *out, const torch::Tensor &t) {
  torch::Tensor host = t.detach().cpu().to(torch::kFloat).contiguous();
  std::memcpy(out, host.data_ptr<float>(), host.numel() * sizeof(torch::kFloat));
  // CHECK-MESSAGES: :[[@LINE-1]]:59: warning: 'sizeof' of an element type is the size of the enumerator, one byte, not that of an element; use 'sizeof(float)' [torch-element-type]
  // CHECK-FIXES: std::memcpy(out, host.data_ptr<float>(), host.numel() * sizeof(float));
}

std::size_t bytes(const torch::Tensor &t) {
  std::size_t n = sizeof(at::kLong);
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'sizeof' of an element type is the size of the enumerator, one byte, not that of an element; use 'sizeof(int64_t)' [torch-element-type]
  n += sizeof(t.scalar_type());
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'sizeof' of an element type is the size of the enumerator, one byte, not that of an element; use 'c10::elementSize()' [torch-element-type]
  // CHECK-FIXES: std::size_t n = sizeof(int64_t);
  // CHECK-FIXES: n += c10::elementSize(t.scalar_type());
  n += sizeof(float) + sizeof(at::ScalarType);
  return n + t.element_size();
}
