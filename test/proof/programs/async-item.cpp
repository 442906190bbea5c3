// checks: async-copy
// device: value
// expect: 6
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({1.f, 2.f, 3.f}).to(device);
  torch::Tensor host = t.to(torch::kCPU, /*non_blocking=*/true);
  std::printf("%g\n", host.sum().item<float>());
  torch::cuda::synchronize();
  return 0;
}
