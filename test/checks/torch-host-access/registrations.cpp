// RUN: %check_torch_tidy %s torch-host-access %t
// Functions registered for a dispatch key get tensors of its device.
#include <torch/library.h>
#include <torch/torch.h>

static double first_host(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }

torch::Tensor twice(const torch::Tensor &t) {
  torch::Tensor out = torch::empty_like(t);
  const float *from = t.data_ptr<float>();
  float *to = out.data_ptr<float>();
  for (int64_t i = 0; i < t.numel(); ++i)
    to[i] = 2 * from[i];
  return out;
}

torch::Tensor twice_on_device(const torch::Tensor &t) {
  return torch::full({2}, t.data_ptr<float>()[0]);
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return torch::full({2}, t.detach().cpu().data_ptr<float>()[0]);
}

torch::Tensor thrice(const torch::Tensor &t) {
  return t * t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t * t.detach().cpu().data_ptr<float>()[0];
}

TORCH_LIBRARY(ops, m) {
  m.def("twice(Tensor t) -> Tensor");
  m.def("thrice(Tensor t) -> Tensor", &thrice);
}
TORCH_LIBRARY_IMPL(ops, CPU, m) { m.impl("twice", &twice); }
TORCH_LIBRARY_IMPL(ops, CUDA, m) { m.impl("twice", TORCH_FN(twice_on_device)); }
TORCH_LIBRARY_IMPL(other, CPU, m) { m.impl("first", [](const torch::Tensor &t) { return first_host(t.cpu()); }); }
