// RUN: %check_torch_tidy %s torch-host-access %t
// Methods and conversions of an element read it: complex numbers, halves; and positions that the library moves.
#include <torch/torch.h>
#include <iterator>
#include <valarray>
#include <vector>

float real(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  const auto *p = y.data_ptr<c10::complex<float>>();
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: const auto *p = y_host.data_ptr<c10::complex<float>>();
  return p[0].real();
}

float converted(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  const at::Half *p = y.data_ptr<at::Half>();
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: const at::Half *p = y_host.data_ptr<at::Half>();
  float first = p[1];
  return first;
}

float arrow(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  auto *p = y.data_ptr<at::BFloat16>();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: auto *p = y_host.data_ptr<at::BFloat16>();
  return p->operator float();
}

// The sizes of an accessor are no elements.
int64_t sizes(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  auto a = y.packed_accessor64<c10::complex<float>, 2>();
  return a[0].size(0) + a.size(1);
}

float safe(torch::Tensor x) {
  torch::Tensor y = x.cpu();
  const at::Half *p = y.data_ptr<at::Half>();
  torch::Tensor z = y.to(torch::kComplexFloat);
  auto a = z.accessor<c10::complex<float>, 1>();
  return static_cast<float>(p[1]) + a[0].imag();
}

void valarray(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  std::valarray<float> v(y.data_ptr<float>(), 3);
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: std::valarray<float> v(y.detach().cpu().data_ptr<float>(), 3);
}

float next(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = y_host.data_ptr<float>();
  return *std::next(p, 2);
}

std::vector<float> moved(torch::Tensor x) {
  torch::Tensor y = x.cuda();
  float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: float *p = y_host.data_ptr<float>();
  return {std::make_move_iterator(p), std::make_move_iterator(p + 3)};
}
