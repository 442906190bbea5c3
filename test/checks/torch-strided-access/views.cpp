// RUN: %check_torch_tidy %s torch-strided-access %t
// Views whose elements do not lie one after the other.
#include <torch/torch.h>

#include <cstring>
#include <fstream>
#include <vector>

std::vector<float> channels_last_image(int64_t h, int64_t w) {
  torch::Tensor t = torch::rand({1, 3, h, w}).contiguous(torch::MemoryFormat::ChannelsLast);
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  return std::vector<float>(p, p + t.numel());
}

void write_transposed(std::ofstream &out, int64_t n) {
  torch::Tensor m = torch::zeros({n, 7}).transpose(0, 1).mul(2);
  out.write(reinterpret_cast<const char *>(m.data_ptr<float>()), m.nbytes());
  // CHECK-MESSAGES: :[[@LINE-1]]:46: warning: 'm' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: out.write(reinterpret_cast<const char *>(m.contiguous().data_ptr<float>()), m.nbytes());
}

float column(int64_t n) {
  torch::Tensor m = torch::rand({n, 3});
  torch::Tensor c = m.select(1, 2);
  float s = 0;
  const float *p = c.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'c' is not contiguous, but its memory is read as if it were: elements are taken that do not belong to it; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto c_contiguous = c.contiguous();
  // CHECK-FIXES-NEXT: const float *p = c_contiguous.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    s += p[i];
  return s;
}

float steps() {
  torch::Tensor t = torch::rand({64}).slice(0, 0, 64, 2);
  std::vector<float> v(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 't' is not contiguous, but its memory is read as if it were: elements are taken that do not belong to it; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: std::vector<float> v(t_contiguous.data_ptr<float>(), t_contiguous.data_ptr<float>() + t.numel());
  return v.back();
}

void left_half(float *out) {
  torch::Tensor m = torch::rand({8, 8}).narrow(1, 0, 4);
  std::memcpy(out, m.data_ptr<float>(), 32 * sizeof(float));
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'm' is not contiguous, but its memory is read as if it were: elements are taken that do not belong to it; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: std::memcpy(out, m.contiguous().data_ptr<float>(), 32 * sizeof(float));
}

std::vector<c10::complex<float>> conjugated(int64_t n) {
  torch::Tensor z = torch::zeros({n}, torch::kComplexFloat).conj();
  auto *p = z.data_ptr<c10::complex<float>>();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'z' is conjugated only when it is read through operators: its memory holds the values before that; use '.resolve_conj()' [torch-strided-access]
  // CHECK-FIXES: const auto z_resolved = z.resolve_conj();
  // CHECK-FIXES-NEXT: auto *p = z_resolved.data_ptr<c10::complex<float>>();
  return std::vector<c10::complex<float>>(p, p + n);
}

std::vector<float> sometimes(bool hwc, int64_t h, int64_t w) {
  torch::Tensor t = torch::rand({3, h, w});
  if (hwc)
    t = t.permute({1, 2, 0});
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' may not be contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  return std::vector<float>(p, p + t.numel());
}

void known_by_check(const torch::Tensor &input, float *out) {
  torch::Tensor t = input.cpu().contiguous();
  TORCH_CHECK(t.dim() == 2 && t.size(1) == 4);
  torch::Tensor y = t.select(1, 1);
  std::memcpy(out, y.data_ptr<float>(), y.numel() * sizeof(float));
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'y' is not contiguous, but its memory is read as if it were: elements are taken that do not belong to it; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: std::memcpy(out, y.contiguous().data_ptr<float>(), y.numel() * sizeof(float));
}
