// RUN: %check_torch_tidy %s torch-strided-access %t
// Pointers that walk through the memory.
#include <torch/torch.h>
#include <iterator>
#include <memory>

float offset() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  return *(p + 3);
}

float incremented() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  ++p;
  return *p;
}

float added() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  p += 2;
  return *p;
}

float walked() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  float sum = 0;
  for (int i = 0; i < 6; ++i)
    sum = sum * 2 + *p++;
  return sum;
}

float to_the_end() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  const float *end = p + 6;
  float sum = 0;
  while (p != end)
    sum = sum * 2 + *p++;
  return sum;
}

float next() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  return *std::next(p, 3);
}

float address() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  return *std::addressof(p[3]);
}

float base() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 't' is not contiguous, but its memory is read as if it were: the elements come in another order; use '.contiguous()' [torch-strided-access]
  // CHECK-FIXES: const auto t_contiguous = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_contiguous.data_ptr<float>();
  const float *q = &p[2];
  return q[0];
}

// The first element is the first in every order.
float first() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).t();
  const float *p = t.data_ptr<float>();
  const float *q = &p[0];
  return *p + p[0] + *(p + 0) + *q + *p++;
}
