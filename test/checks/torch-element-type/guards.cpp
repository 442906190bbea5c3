// RUN: %check_torch_tidy %s torch-element-type %t
// What proves the element type: nothing here is reported.
#include <torch/torch.h>

#include <cstdint>
#include <vector>

#define CHECK_FLOAT(x) TORCH_CHECK((x).scalar_type() == torch::kFloat, #x " must be float")

float checked(torch::Tensor t, const torch::Tensor &other) {
  torch::Tensor x = t.cpu();
  if (x.scalar_type() != torch::kFloat)
    x = x.to(torch::kFloat);
  CHECK_FLOAT(other);
  torch::Tensor host = other.cpu();
  return x.data_ptr<float>()[1] + host.data_ptr<float>()[1];
}

double by_switch(const torch::Tensor &input) {
  torch::Tensor t = input.cpu().contiguous();
  switch (t.scalar_type()) {
  case torch::kFloat:
    return t.data_ptr<float>()[1];
  case torch::kDouble:
    return t.data_ptr<double>()[1];
  default:
    return 0;
  }
}

double by_if(const torch::Tensor &input) {
  torch::Tensor t = input.to(torch::kCPU);
  if (t.dtype() == torch::kFloat32)
    return t.data_ptr<float>()[1];
  if (t.dtype() == torch::kInt64)
    return double(t.data_ptr<int64_t>()[1]);
  void *raw = t.data_ptr();
  if (t.scalar_type() == at::kDouble)
    return static_cast<double *>(raw)[1];
  return 0;
}

template <typename T> T sum_of(const torch::Tensor &t) {
  const T *p = t.data_ptr<T>();
  return p[0] + p[1];
}

double templates() {
  torch::Tensor f = torch::rand({4}), d = torch::rand({4}, torch::kDouble);
  return sum_of<float>(f) + sum_of<double>(d);
}

double dispatched() {
  torch::Tensor f = torch::rand({4});
  double total = 0;
  AT_DISPATCH_FLOATING_TYPES(f.scalar_type(), "dispatched", [&] {
    const scalar_t *p = f.data_ptr<scalar_t>();
    total += double(p[1]);
  });
  return total;
}

template <typename T> std::vector<T> to_vector(int64_t n) {
  torch::Tensor t = torch::zeros({n}, c10::CppTypeToScalarType<T>::value);
  const T *p = t.data_ptr<T>();
  return std::vector<T>(p, p + n);
}

std::size_t instantiated() { return to_vector<float>(3).size() + to_vector<int64_t>(3).size(); }

// Two tensors of one type.
float same_type(const torch::Tensor &x) {
  torch::Tensor a = torch::rand({4});
  torch::Tensor b = x.cpu();
  TORCH_CHECK(b.dtype() == a.dtype());
  return b.data_ptr<float>()[1];
}

// item() converts.
int items() { return torch::rand({4}).argmax().item<int>() + torch::arange(4)[1].item<int>(); }

// What a dispatch found does not hold behind it.
double dispatched_before(const torch::Tensor &input) {
  torch::Tensor t = input.cpu();
  double total = 0;
  AT_DISPATCH_ALL_TYPES(t.scalar_type(), "sum", [&] { total += double(t.data_ptr<scalar_t>()[1]); });
  return total + t.data_ptr<int>()[1];
}

// The options of an old `type()` have the type of the tensor.
double by_type(const torch::Tensor &input) {
  torch::Tensor out = torch::empty({4}, input.type());
  double total = 0;
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "by_type", [&] {
    const scalar_t *p = out.data_ptr<scalar_t>();
    total += double(p[1]);
  });
  return total;
}

// Numbers that no size has.
float huge() { return torch::rand({4}).narrow(0, 0, 18446744073709551615ull).data_ptr<float>()[0]; }

// A test for a kind of type is no evidence that the tensor has another type of that kind.
float floating(const torch::Tensor &input) {
  torch::Tensor t = input.cpu();
  TORCH_CHECK(at::isFloatingType(t.scalar_type()));
  return t.data_ptr<float>()[1];
}

int integral(const torch::Tensor &input) {
  torch::Tensor t = input.cpu();
  TORCH_CHECK(at::isIntegralType(t.scalar_type(), false), "not integral");
  return t.data_ptr<int>()[1];
}
