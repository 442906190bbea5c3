// checks: scalar-read
// styles: inline shim
// device: signal
// expect: 10
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor sum = torch::arange(5, torch::kFloat).to(device).sum();
  std::printf("%g\n", sum.data_ptr<float>()[0]);
  return 0;
}
