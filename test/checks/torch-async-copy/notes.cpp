// RUN: %check_torch_tidy %s torch-async-copy %t
#include <torch/torch.h>

#include <cstring>

void read(const torch::Tensor &x, float *out) {
  torch::Tensor host = x.to(torch::kCPU, /*non_blocking=*/true);
  // CHECK-FIXES: torch::Tensor host = x.to(torch::kCPU);
  const float *p = host.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:25: warning: the memory of 'host' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  // CHECK-NOTES: :[[@LINE+3]]:12: note: the memory is used here
  // CHECK-NOTES: :[[@LINE-5]]:26: note: the copy is started here
  // CHECK-NOTES: :[[@LINE-7]]:32: note: nothing is known about the device of parameter 'x'
  out[0] = p[0];
  out[1] = host[1].item<float>();
  // CHECK-NOTES: :[[@LINE-1]]:20: warning: the memory of 'host' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  // CHECK-NOTES: :[[@LINE-10]]:26: note: the copy is started here
  // CHECK-NOTES: :[[@LINE-12]]:32: note: nothing is known about the device of parameter 'x'
  // CHECK-NOTES: :[[@LINE-4]]:20: note: the edit of the first report on this copy is for this one, too
}

torch::Tensor write(torch::Tensor device) {
  torch::Tensor staging = torch::empty({64}, torch::TensorOptions().pinned_memory(true));
  device = device.cuda();
  device.copy_(staging, true);
  // CHECK-FIXES: device.copy_(staging);
  staging.zero_();
  // CHECK-NOTES: :[[@LINE-1]]:11: warning: the memory of 'staging' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  // CHECK-NOTES: :[[@LINE-4]]:10: note: the copy is started here
  // CHECK-NOTES: :[[@LINE-6]]:19: note: moved to an accelerator here
  return device;
}
