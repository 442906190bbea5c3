// RUN: %check_torch_tidy %s torch-scalar-read %t
// The one element of a tensor.
#include <torch/torch.h>

#include <cstdint>
#include <cstdio>
#include <vector>

float mean_of(const std::vector<float> &v) { return *torch::tensor(v).mean().data_ptr<float>(); }
// CHECK-MESSAGES: :[[@LINE-1]]:78: warning: the only element of 'torch::tensor(v).mean()' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
// CHECK-FIXES: float mean_of(const std::vector<float> &v) { return torch::tensor(v).mean().item<float>(); }

float loss(int64_t n) {
  torch::Tensor a = torch::rand({n}), b = torch::rand({n});
  torch::Tensor l = torch::nll_loss(a, b);
  float x = l.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the only element of 'l' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  x += *(float *)torch::l1_loss(a, b).data_ptr();
  // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: the only element of 'torch::l1_loss(a, b)' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  // CHECK-FIXES: float x = l.item<float>();
  // CHECK-FIXES: x += torch::l1_loss(a, b).item<float>();
  return x;
}

float reduced(int64_t n) {
  torch::Tensor t = torch::rand({n, 4});
  float x = t.sum(at::IntArrayRef{0, 1}).data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:42: warning: the only element of 't.sum(at::IntArrayRef{0, 1})' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  x += t.view({1, -1}).amax(1).data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: the only element of 't.view({1, -1}).amax(1)' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  x += *t.max().reshape({1, 1}).data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: the only element of 't.max().reshape({1, 1})' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  // CHECK-FIXES: float x = t.sum(at::IntArrayRef{0, 1}).item<float>();
  // CHECK-FIXES: x += t.view({1, -1}).amax(1).item<float>();
  // CHECK-FIXES: x += t.max().reshape({1, 1}).item<float>();
  torch::Tensor square = t.sum().reshape({1, 1});
  x += square.accessor<float, 2>()[0][0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the only element of 'square' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  // CHECK-FIXES: x += square.item<float>();
  return x;
}

template <typename T> T scalar(const std::vector<T> &v) {
  torch::Tensor t = torch::tensor(v, c10::CppTypeToScalarType<T>::value).sum();
  return *t.data_ptr<T>();
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the only element of 't' is read through a pointer, which is wrong for other devices and other element types; use 'item()' [torch-scalar-read]
  // CHECK-FIXES: return t.item<T>();
}
double both() { return scalar<float>({1.f}) + scalar<double>({2.0}); }

// Not reported: several elements, writes, a variable index, a pointer that is kept, bytes.
float others(int64_t n, int64_t i, std::FILE *f) {
  torch::Tensor t = torch::rand({n, 4});
  torch::Tensor one = torch::zeros({1});
  *one.data_ptr<float>() = 2;
  *one.data_ptr<float>() += 3;
  const float *p = one.data_ptr<float>();
  std::fwrite(one.data_ptr<float>(), 4, 1, f);
  float per_row = *t.sum(1).data_ptr<float>();
  float losses = *torch::mse_loss(t, t, at::Reduction::None).data_ptr<float>();
  return per_row + losses + p[0] + one.data_ptr<float>()[i];
}
