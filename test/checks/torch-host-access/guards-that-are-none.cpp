// RUN: %check_torch_tidy %s torch-host-access %t
// Conditions that look like guards and prove nothing about the tensor that is read.
#include <torch/torch.h>

float of_another_tensor(const torch::Tensor &a, const torch::Tensor &b) {
  TORCH_CHECK(a.is_cpu());
  return b.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'b', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return b.detach().cpu().data_ptr<float>()[0];
}

float before_the_move(torch::Tensor t, torch::Device device) {
  TORCH_CHECK(t.is_cpu());
  t = t.to(device);
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

float the_wrong_way(const torch::Tensor &t) {
  if (t.is_cuda())
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

bool is_small(const torch::Tensor &t) { return t.numel() < 10; }

float of_something_else(const torch::Tensor &t) {
  TORCH_CHECK(is_small(t) && t.is_contiguous() && t.scalar_type() == torch::kFloat);
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

float of_another_element(const std::vector<torch::Tensor> &list, size_t i) {
  TORCH_CHECK(list[i].is_cpu());
  ++i;
  return list[i].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: host code reads the memory of 'list[i]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return list[i].detach().cpu().data_ptr<float>()[0];
}

float cuda_is_there(const torch::Tensor &t) {
  if (!torch::cuda::is_available())
    return 0;
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

// Only one of the two ways copies, and the flag says nothing of a device.
float copiedByFlag(const torch::Tensor &x, bool copy, torch::Device device) {
  auto y = x;
  if (copy)
    y = y.cpu();
  if (device.is_cuda())
    std::cout << x.cpu();
  return y.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return y.detach().cpu().data_ptr<float>()[0];
}
