// checks: async-copy
// device: value
// expect: 4 5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({4.f, 5.f}).to(device);
  torch::Tensor host = t.to(torch::kCPU, true);
  const float *p = host.data_ptr<float>();
  std::printf("%g %g\n", p[0], p[1]);
  torch::cuda::synchronize();
  return 0;
}
