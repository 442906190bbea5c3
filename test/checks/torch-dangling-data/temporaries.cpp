// RUN: %check_torch_tidy %s torch-dangling-data %t
// Pointers into a temporary that are used after the full expression; the edit keeps the tensor in a variable.
#include <torch/torch.h>

#include <cstring>

// New memory: proven.
float of_an_operator(const torch::Tensor &t) {
  const float *p = (t + 1).data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: the memory of '(t + 1)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto t_tensor = (t + 1);
  // CHECK-FIXES-NEXT: const float *p = t_tensor.data_ptr<float>();
  return p[0];
}

float of_a_clone(const torch::Tensor &t) {
  const float *p = t.clone().data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: the memory of 't.clone()' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto t_tensor = t.clone();
  // CHECK-FIXES-NEXT: const float *p = t_tensor.data_ptr<float>();
  return p[0];
}

float of_a_factory() {
  float *p = torch::zeros({4}).data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: the memory of 'torch::zeros({4})' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto zeros_tensor = torch::zeros({4});
  // CHECK-FIXES-NEXT: float *p = zeros_tensor.data_ptr<float>();
  p[1] = 2;
  return p[1];
}

// A copy where the device is what the evidence says: likely.
float of_a_host_copy(const torch::Tensor &t, torch::Device device) {
  torch::Tensor y = t.to(device);
  const float *p = y.cpu().data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: the memory of 'y.cpu()' may be gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression if the call makes a copy; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto y_host = y.cpu();
  // CHECK-FIXES-NEXT: const float *p = y_host.data_ptr<float>();
  return p[0];
}

// A copy or not: possible.
float of_an_unknown_copy(const torch::Tensor &t) {
  const float *p = t.cpu().data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: the memory of 't.cpu()' may be gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression if the call makes a copy; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto t_host = t.cpu();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  return p[0];
}

float of_contiguous(const torch::Tensor &t) {
  const float *p = t.contiguous().data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: the memory of 't.contiguous()' may be gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression if the call makes a copy; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto t_tensor = t.contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_tensor.data_ptr<float>();
  return p[0];
}

float of_a_conversion(const torch::Tensor &t) {
  const float *p = t.to(torch::kFloat).data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: the memory of 't.to(torch::kFloat)' may be gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression if the call makes a copy; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto {{t_host|t_tensor}} = t.to(torch::kFloat);
  // CHECK-FIXES-NEXT: const float *p = {{t_host|t_tensor}}.data_ptr<float>();
  return p[0];
}

float of_a_lambda_result(const torch::Tensor &t) {
  auto twice = [](const torch::Tensor &x) { return x * 2; };
  const float *p = twice(t).data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: the memory of 'twice(t)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto twice_tensor = twice(t);
  // CHECK-FIXES-NEXT: const float *p = twice_tensor.data_ptr<float>();
  return p[0];
}

void in_a_block(const torch::Tensor &t, float *out) {
  for (int i = 0; i < 2; ++i) {
    const float *p = t.exp().data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: the memory of 't.exp()' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
    // CHECK-FIXES: const auto t_tensor = t.exp();
    // CHECK-FIXES-NEXT: const float *p = t_tensor.data_ptr<float>();
    std::memcpy(out, p, t.nbytes());
  }
}

// The shape belongs to the handle: it dangles although the storage lives on.
int64_t of_a_shape(const torch::Tensor &t) {
  auto sizes = t.view({-1}).sizes();
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: the shape of 't.view({-1})' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-FIXES: const auto t_tensor = t.view({-1});
  // CHECK-FIXES-NEXT: auto sizes = t_tensor.sizes();
  return sizes[0];
}

// What the temporary was made from is there, whatever it is: only the copy is gone.
void from_a_variable(torch::Tensor t, float *out) {
  t = t.to(torch::kCPU);
  for (int i = 0; i < 2; ++i) {
    const float *p = t[i].contiguous().data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: the memory of 't[i].contiguous()' may be gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression if the call makes a copy; keep the tensor in a variable [torch-dangling-data]
    // CHECK-FIXES: const auto t_tensor = t[i].contiguous();
    // CHECK-FIXES-NEXT: const float *p = t_tensor.data_ptr<float>();
    std::memcpy(out, p, sizeof(float));
  }
}
