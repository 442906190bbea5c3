// RUN: %check_torch_tidy %s torch-host-access %t
// What a flag that chose the device says of it where it is tested again.
#include <torch/torch.h>

bool ask();
void change(bool &flag);

float chosen_by_a_parameter(bool gpu) {
  torch::Device device = gpu ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::zeros({4}, torch::TensorOptions().device(device));
  if (!gpu)
    return t.data_ptr<float>()[0];
  return 0;
}

float options_moved(bool gpu) {
  auto options = torch::TensorOptions().dtype(torch::kFloat);
  if (gpu)
    options = options.device(torch::kCUDA);
  torch::Tensor t = torch::ones({2, 2}, options);
  if (gpu)
    t = t.cpu();
  return t.accessor<float, 2>()[0][0];
}

float device_assigned() {
  const bool gpu = torch::cuda::is_available();
  torch::Device device = torch::kCPU;
  if (gpu)
    device = torch::kCUDA;
  torch::Tensor t = torch::zeros({4}).to(device);
  return gpu ? 0 : t.data_ptr<float>()[0];
}

float there_and_back() {
  bool gpu = torch::cuda::is_available();
  torch::Tensor t = torch::zeros({4});
  if (gpu)
    t = t.cuda();
  t = t * 2;
  if (gpu)
    t = t.cpu();
  return t.data_ptr<float>()[0];
}

float several_flags(bool f, bool g) {
  torch::Tensor t = torch::zeros({4}, f ? torch::kCUDA : torch::kCPU);
  const bool either = f || g;
  if (either)
    t = t.cpu();
  if (either)
    return t.data_ptr<float>()[0];
  return 0;
}

float on_the_wrong_side(bool gpu) {
  torch::Tensor t = torch::zeros({4}, gpu ? torch::kCUDA : torch::kCPU);
  if (gpu)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
  return 0;
}

float other_flag(bool f, bool g) {
  torch::Tensor t = torch::zeros({4}, f ? torch::kCUDA : torch::kCPU);
  if (!g)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
  return 0;
}

float asked_again(bool gpu) {
  torch::Tensor t = torch::zeros({4}, gpu ? torch::kCUDA : torch::kCPU);
  gpu = ask();
  if (!gpu)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
  return 0;
}

float changed_by_a_callee(bool gpu) {
  torch::Tensor t = torch::zeros({4}, gpu ? torch::kCUDA : torch::kCPU);
  change(gpu);
  if (!gpu)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
  return 0;
}

float of_the_turn_before() {
  float sum = 0;
  torch::Tensor t = torch::zeros({4});
  for (int i = 0; i < 9; ++i) {
    bool gpu = ask();
    torch::Device device = gpu ? torch::kCUDA : torch::kCPU;
    if (!gpu)
      sum += t.data_ptr<float>()[0];
      // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
      // CHECK-FIXES: sum += t.cpu().data_ptr<float>()[0];
    t = torch::zeros({4}, device);
    if (!gpu)
      sum += t.data_ptr<float>()[0];
  }
  return sum;
}

float of_the_turn_before_in_place(bool gpu, int n) {
  float sum = 0;
  torch::Tensor t = torch::zeros({4});
  for (int i = 0; i < n; ++i) {
    if (!gpu)
      sum += t.data_ptr<float>()[0];
      // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
      // CHECK-FIXES: sum += t.cpu().data_ptr<float>()[0];
    gpu = ask();
    t = torch::zeros({4}, gpu ? torch::kCUDA : torch::kCPU);
  }
  return sum;
}

static float read_without(torch::Tensor t, bool gpu) { return gpu ? 0 : t.data_ptr<float>()[0]; }
// CHECK-MESSAGES: :[[@LINE-1]]:75: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
// CHECK-FIXES: static float read_without(torch::Tensor t, bool gpu) { return gpu ? 0 : t.cpu().data_ptr<float>()[0]; }

float called_with_another(bool f, bool g) {
  torch::Tensor t = torch::zeros({4}, f ? torch::kCUDA : torch::kCPU);
  return read_without(t, f) + read_without(t, g);
}
