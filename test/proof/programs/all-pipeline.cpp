// checks: *
// styles: inline shim
// device: asan
// expect: 0 1 2
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::arange(3, torch::kFloat).to(device);
  const float *p = t.to(torch::kCPU).data_ptr<float>();
  for (int i = 0; i < 3; ++i)
    std::printf("%g ", p[i]);
  return 0;
}
