// RUN: %check_torch_tidy %s torch-host-access %t -expect-remaining
// Templates, AT_DISPATCH_* and macros: one report for each call in the source, whatever it is instantiated with.
#include <ATen/Dispatch.h>
#include <torch/torch.h>

template <class T> T first(const torch::Tensor &t) {
  return t.data_ptr<T>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<T>()[0];
}
template float first<float>(const torch::Tensor &);
template int64_t first<int64_t>(const torch::Tensor &);
double use_first(const torch::Tensor &t) { return first<double>(t); }

template <class T> class Reader {
public:
  explicit Reader(const torch::Tensor &t) : tensor(t) {}
  T at(int64_t i) const {
    return tensor.template data_ptr<T>()[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: host code reads the memory of 'tensor', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return tensor.detach().cpu().template data_ptr<T>()[i];
  }

  torch::Tensor tensor;
};
float use_reader(const torch::Tensor &t) { return Reader<float>(t).at(0) + Reader<int>(t).at(0); }

double dispatched(const torch::Tensor &t) {
  double sum = 0;
  AT_DISPATCH_FLOATING_TYPES(t.scalar_type(), "dispatched", [&] {
    const scalar_t *p = t.data_ptr<scalar_t>();
    // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: const auto t_host = t.detach().cpu();
    // CHECK-FIXES-NEXT: const scalar_t *p = t_host.data_ptr<scalar_t>();
    for (int64_t i = 0; i < t.numel(); ++i)
      sum += p[i];
  });
  return sum;
}

double dispatched_with_guard(const torch::Tensor &t) {
  TORCH_CHECK(t.is_cpu());
  double sum = 0;
  AT_DISPATCH_ALL_TYPES(t.scalar_type(), "dispatched_with_guard", [&] {
    auto a = t.accessor<scalar_t, 1>();
    for (int64_t i = 0; i < t.numel(); ++i)
      sum += a[i];
  });
  return sum;
}

void dispatched_in_parallel(const torch::Tensor &t, std::vector<double> &out) {
  AT_DISPATCH_FLOATING_TYPES(t.scalar_type(), "dispatched_in_parallel", [&] {
    const auto *p = t.data_ptr<scalar_t>();
    // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: const auto t_host = t.detach().cpu();
    // CHECK-FIXES-NEXT: const auto *p = t_host.data_ptr<scalar_t>();
    at::parallel_for(0, t.numel(), 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        out[i] = p[i];
    });
  });
}

// The body of a macro is not edited.
#define FIRST(x) (x).data_ptr<float>()[0]
float in_a_macro_body(const torch::Tensor &t) {
  if (t.is_cpu())
    return FIRST(t);
  return FIRST(t.cuda());
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: host code reads the memory of the tensor, which is on an accelerator; copy it to the host first [torch-host-access]
}

#define IDENTITY(...) __VA_ARGS__
float in_a_macro_argument(const torch::Tensor &t) {
  return IDENTITY(t.data_ptr<float>()[0]);
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return IDENTITY(t.detach().cpu().data_ptr<float>()[0]);
}
