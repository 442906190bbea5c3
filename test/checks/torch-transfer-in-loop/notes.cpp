// RUN: %check_torch_tidy %s torch-transfer-in-loop %t
// The notes; one edit for all numbers of a tensor in a loop.
#include <torch/torch.h>

#include <cstdint>

float corners(torch::nn::Linear &net, const torch::Tensor &x, int64_t n) {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor boxes = x.to(device);
  float s = 0;
  for (int64_t i = 0; i < n; ++i) {
  // CHECK-FIXES: const auto boxes_host = boxes.detach().cpu();
    s += boxes[i][0].item<float>();
    // CHECK-NOTES: :[[@LINE-1]]:22: warning: a number of 'boxes' is fetched from the accelerator in every turn of the loop, in which 'boxes' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-NOTES: :[[@LINE-4]]:3: note: this loop repeats it
    // CHECK-NOTES: :[[@LINE-8]]:56: note: the accelerator is chosen here
    s += boxes[i][1].item<float>();
    // CHECK-NOTES: :[[@LINE-1]]:22: warning: a number of 'boxes' is fetched from the accelerator in every turn of the loop, in which 'boxes' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-NOTES: :[[@LINE-8]]:3: note: this loop repeats it
    // CHECK-NOTES: :[[@LINE-12]]:56: note: the accelerator is chosen here
    // CHECK-NOTES: :[[@LINE-4]]:22: note: the edit of the first report on it in this loop is for this one, too
    // CHECK-FIXES: s += boxes_host[i][0].item<float>();
    // CHECK-FIXES: s += boxes_host[i][1].item<float>();
  }
  return s;
}

float name_is_taken(int64_t n) {
  torch::Tensor t = torch::rand({n}, torch::kCUDA);
  float t_host = 0;
  for (int64_t i = 0; i < n; ++i)
  // CHECK-FIXES: const auto t_host2 = t.detach().cpu();
    t_host += t[i].item<float>();
    // CHECK-NOTES: :[[@LINE-1]]:20: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-NOTES: :[[@LINE-4]]:3: note: this loop repeats it
    // CHECK-NOTES: :[[@LINE-7]]:38: note: the accelerator is chosen here
    // CHECK-FIXES: t_host += t_host2[i].item<float>();
  return t_host;
}
