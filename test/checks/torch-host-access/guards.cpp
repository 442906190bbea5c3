// RUN: %check_torch_tidy %s torch-host-access %t
// Guards: every form of a condition that proves a tensor to be on the host. Nothing is reported.
#include <torch/torch.h>

#include <cassert>
#include <stdexcept>

float if_is_cpu(const torch::Tensor &t) {
  if (t.is_cpu())
    return t.data_ptr<float>()[0];
  return 0;
}

float early_return(const torch::Tensor &t) {
  if (t.is_cuda())
    return 0;
  return t.data_ptr<float>()[0];
}

float early_throw(const torch::Tensor &t) {
  if (!t.device().is_cpu())
    throw std::runtime_error("host tensors only");
  return t.data_ptr<float>()[0];
}

float device_is_cuda(const torch::Tensor &t) {
  if (!t.device().is_cuda())
    return t.data_ptr<float>()[0];
  return 0;
}

float device_type(const torch::Tensor &t) {
  if (t.device().type() != torch::kCPU)
    return 0;
  return t.data_ptr<float>()[0];
}

float device_equals(const torch::Tensor &t) {
  return t.device() == torch::kCPU ? t.data_ptr<float>()[0] : 0;
}

float device_on_the_right(const torch::Tensor &t) {
  return torch::Device(torch::kCPU) == t.device() ? t.data_ptr<float>()[0] : 0;
}

float options_device(const torch::Tensor &t) {
  if (t.options().device().is_cpu())
    return t.data_ptr<float>()[0];
  return 0;
}

float device_index(const torch::Tensor &t) {
  if (t.get_device() < 0)
    return t.data_ptr<float>()[0];
  return 0;
}

float held_in_bool(const torch::Tensor &t) {
  const bool on_gpu = t.is_cuda();
  if (on_gpu)
    return 0;
  return t.data_ptr<float>()[0];
}

float held_in_device(const torch::Tensor &t) {
  auto device = t.device();
  if (device.type() == torch::kCPU)
    return t.data_ptr<float>()[0];
  return 0;
}

float logical_and(const torch::Tensor &t, bool wanted) {
  if (wanted && t.is_cpu() && t.dim() == 1)
    return t.data_ptr<float>()[0];
  return 0;
}

float logical_or(const torch::Tensor &t, bool broken) {
  if (broken || !t.is_cpu())
    return 0;
  return t.data_ptr<float>()[0];
}

float in_one_expression(const torch::Tensor &t) {
  bool positive = t.is_cpu() && t.data_ptr<float>()[0] > 0;
  return positive;
}

float by_while(torch::Tensor t) {
  while (t.is_cuda())
    t = t.cpu();
  return t.data_ptr<float>()[0];
}

float by_switch(const torch::Tensor &t) {
  switch (t.device().type()) {
  case torch::kCPU:
    return t.data_ptr<float>()[0];
  default:
    return 0;
  }
}

float by_assert(const torch::Tensor &t) {
  assert(t.is_cpu());
  return t.data_ptr<float>()[0];
}

float by_torch_check(const torch::Tensor &t) {
  TORCH_CHECK(t.is_cpu(), "expected a host tensor, got ", t.device());
  return t.data_ptr<float>()[0];
}

float by_torch_check_of_two(const torch::Tensor &a, const torch::Tensor &b) {
  TORCH_CHECK(a.device().is_cpu() && b.device().is_cpu());
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0];
}

float by_internal_assert(const torch::Tensor &t) {
  TORCH_INTERNAL_ASSERT(!t.is_cuda());
  return t.data_ptr<float>()[0];
}

#define EXPECT_HOST(x) TORCH_CHECK((x).device().type() == torch::kCPU, #x " must be on the host")

float by_project_macro(const torch::Tensor &t) {
  EXPECT_HOST(t);
  return t.data_ptr<float>()[0];
}

void check_on_host(const torch::Tensor &t) {
  if (t.is_cpu())
    return;
  throw std::invalid_argument("host tensors only");
}

float by_function(const torch::Tensor &t) {
  check_on_host(t);
  return t.data_ptr<float>()[0];
}

bool readable(const torch::Tensor &t) { return t.defined() && t.device().is_cpu(); }

float by_predicate(const torch::Tensor &t) {
  if (!readable(t))
    return 0;
  return t.data_ptr<float>()[0];
}

const torch::Tensor &checked(const torch::Tensor &t) {
  TORCH_CHECK(t.is_cpu());
  return t;
}

float by_checked_argument(const torch::Tensor &t) {
  return checked(t).data_ptr<float>()[0];
}

float by_the_same_device(const torch::Tensor &a, const torch::Tensor &b) {
  TORCH_CHECK(a.is_cpu());
  TORCH_CHECK(b.device() == a.device());
  return b.data_ptr<float>()[0];
}

float by_optional(const c10::optional<torch::Tensor> &bias) {
  TORCH_CHECK(!bias.has_value() || bias->is_cpu());
  if (bias.has_value())
    return bias->data_ptr<float>()[0];
  return 0;
}

float by_element(const std::vector<torch::Tensor> &list) {
  float sum = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    TORCH_CHECK(list[i].is_cpu());
    sum += list[i].data_ptr<float>()[0];
  }
  return sum;
}

float of_a_derived_tensor(const torch::Tensor &t) {
  TORCH_CHECK(t.is_cpu());
  torch::Tensor other = torch::zeros_like(t) + t.contiguous();
  return other.data_ptr<float>()[0];
}

float moved_in_the_other_branch(torch::Tensor t) {
  if (t.is_cuda())
    t = t.cpu();
  return t.data_ptr<float>()[0];
}

// Both are on the host or neither is.
float bothOrNeither(const torch::Tensor &a, const torch::Tensor &b) {
  TORCH_CHECK(a.device().is_cuda() == b.device().is_cuda());
  if (a.is_cuda())
    throw std::runtime_error("not here");
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0];
}

// LibTorch's own guards.
float checkedByLibTorch(const torch::Tensor &a, const torch::Tensor &b, const torch::Tensor &c) {
  at::checkDeviceType("checkedByLibTorch", a, at::DeviceType::CPU);
  at::checkBackend("checkedByLibTorch", {b, c}, at::Backend::CPU);
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0] + c.data_ptr<float>()[0];
}

// The program says that the tensor is where the device is.
torch::Tensor run(const torch::Tensor &x);
float whereTheDeviceIs(const torch::Tensor &x, torch::Device device) {
  auto y = run(x);
  if (!device.is_cpu())
    y = y.detach().cpu();
  auto z = run(y);
  auto host = device.type() == torch::kCUDA ? z.to(torch::kCPU) : z;
  return y.data_ptr<float>()[0] + host.data_ptr<float>()[0];
}
