// checks: async-copy
// device: value
// expect: 8
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::full({2}, 8.f).to(device);
  torch::Tensor host = torch::zeros({2});
  host.copy_(t, true);
  std::printf("%g\n", host[1].item<float>());
  torch::cuda::synchronize();
  return 0;
}
