// RUN: %check_torch_tidy %s torch-deprecated-access %t
#include <torch/torch.h>

#include <algorithm>
#include <vector>

float first(const torch::Tensor &t, torch::Tensor *p) {
  const float *data = t.data<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'data<float>()' of 't' is deprecated, since 'data()' without a type is another tensor; use 'data_ptr<float>()' [torch-deprecated-access]
  // CHECK-FIXES: const float *data = t.data_ptr<float>();
  return data[0] + *p->data<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'data<{{.*}}>()' of 'p' is deprecated, {{.*}} [torch-deprecated-access]
  // CHECK-FIXES: return data[0] + *p->data_ptr<float>();
}

// Several calls on one tensor in one expression are one report.
void copy(const torch::Tensor &t, std::vector<double> &out) {
  std::copy(t.data<double>(), t.data<double>() + t.numel(), out.begin());
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'data<{{.*}}>()' of 't' is deprecated, {{.*}} [torch-deprecated-access]
  // CHECK-FIXES: std::copy(t.data_ptr<double>(), t.data_ptr<double>() + t.numel(), out.begin());
}

float packed(const torch::Tensor &t) {
  auto a = t.packed_accessor<float, 2>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'packed_accessor' of 't' is deprecated, since it hides how wide the index is; use 'packed_accessor64' [torch-deprecated-access]
  // CHECK-FIXES: auto a = t.packed_accessor64<float, 2>();
  auto b = t.packed_accessor<float, 2, torch::DefaultPtrTraits, int32_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'packed_accessor' of 't' is deprecated, since it hides how wide the index is; use 'packed_accessor32' [torch-deprecated-access]
  // CHECK-FIXES: auto b = t.packed_accessor32<float, 2, torch::DefaultPtrTraits>();
  auto c = t.packed_accessor<float, 2, torch::DefaultPtrTraits, int64_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: {{.*}} use 'packed_accessor64' [torch-deprecated-access]
  // CHECK-FIXES: auto c = t.packed_accessor64<float, 2, torch::DefaultPtrTraits>();
  auto d = t.packed_accessor<float, 2, torch::DefaultPtrTraits, size_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: {{.*}} use 'packed_accessor64' [torch-deprecated-access]
  // CHECK-FIXES: auto d = t.packed_accessor64<float, 2, torch::DefaultPtrTraits>();
  return a[0][0] + b[0][0] + c[0][0] + d[0][0];
}

bool types(const torch::Tensor &x, const torch::Tensor &y) {
  TORCH_CHECK(!y.type().is_cuda(), "y must be on the host");
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'type().is_cuda()' of 'y' is deprecated: it looks up a type object of the old dispatcher; use 'is_cuda()' [torch-deprecated-access]
  // CHECK-FIXES: TORCH_CHECK(!y.is_cuda(), "y must be on the host");
  return x.type().is_cuda() && x.type().scalarType() == torch::kFloat;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'type().is_cuda()' of 'x' is deprecated{{.*}} [torch-deprecated-access]
  // CHECK-FIXES: return x.is_cuda() && x.scalar_type() == torch::kFloat;
}

// Reported once, although there are as many instantiations as types.
void kernel(const torch::Tensor &t, float *out) {
  AT_DISPATCH_FLOATING_TYPES(t.scalar_type(), "kernel", [&] {
    out[0] = static_cast<float>(t.data<scalar_t>()[0]);
    // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: 'data<{{.*}}>()' of 't' is deprecated, {{.*}} [torch-deprecated-access]
    // CHECK-FIXES: out[0] = static_cast<float>(t.data_ptr<scalar_t>()[0]);
  });
}

// Found where the template is written, whether it is instantiated or not.
template <typename scalar_t> const scalar_t *begin(const torch::Tensor &t) {
  return t.data<scalar_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'data<{{.*}}>()' of 't' is deprecated, {{.*}} [torch-deprecated-access]
  // CHECK-FIXES: return t.data_ptr<scalar_t>();
}
template const float *begin<float>(const torch::Tensor &);
template const double *begin<double>(const torch::Tensor &);

template <typename T> class Buffer {
public:
  T *begin();

private:
  torch::Tensor t_;
};
template <typename T> T *Buffer<T>::begin() {
  return t_.data<T>();
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'data<{{.*}}>()' of 't_' is deprecated, {{.*}} [torch-deprecated-access]
  // CHECK-FIXES: return t_.data_ptr<T>();
}
template class Buffer<float>;
