// RUN: %check_torch_tidy %s torch-element-type %t
// Casts of an untyped pointer.
#include <torch/torch.h>

#include <cstdint>
#include <cstring>

float half_as_float(int64_t n) {
  torch::Tensor h = torch::rand({n}).to(torch::kHalf);
  const float *p = static_cast<const float *>(h.data_ptr());
  // CHECK-MESSAGES: :[[@LINE-1]]:49: warning: the elements of 'h' are 'at::Half', not 'float'; the memory is read as garbage: a half takes 2 bytes; convert it with '.to(torch::kFloat)' or use the right type [torch-element-type]
  // CHECK-FIXES: const auto h_float = h.to(torch::kFloat);
  // CHECK-FIXES-NEXT: const float *p = static_cast<const float *>(h_float.data_ptr());
  return p[1];
}

int int64_as_int(int64_t n) {
  torch::Tensor ids = torch::arange(n);
  return ((int *)ids.data_ptr())[1];
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the elements of 'ids' are 'int64_t', not 'int32_t'; the memory is read as garbage; convert it with '.to(torch::kInt)' or use the right type [torch-element-type]
  // CHECK-FIXES: return ((int *)ids.to(torch::kInt).data_ptr())[1];
}

// Bytes, bits and parts.
float right(char *out) {
  torch::Tensor f = torch::rand({8});
  torch::Tensor h = f.to(torch::kHalf);
  torch::Tensor m = f > 0;
  torch::Tensor c = torch::zeros({8}, torch::kComplexFloat);
  std::memcpy(out, reinterpret_cast<char *>(f.data_ptr()), 32);
  const auto *bits = static_cast<const uint16_t *>(h.data_ptr());
  const auto *bytes = static_cast<const uint8_t *>(m.data_ptr());
  const auto *parts = static_cast<const float *>(c.data_ptr());
  const auto *raw = reinterpret_cast<const uint32_t *>(f.data_ptr<float>());
  return float(bits[1]) + float(bytes[1]) + parts[1] + float(raw[1]);
}
