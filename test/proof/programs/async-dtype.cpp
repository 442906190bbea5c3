// checks: async-copy
// device: value
// expect: 1 2
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({1.f, 2.f}).to(device);
  torch::Tensor host = t.to(torch::TensorOptions().device(torch::kCPU), true);
  auto a = host.accessor<float, 1>();
  std::printf("%g %g\n", a[0], a[1]);
  torch::cuda::synchronize();
  return 0;
}
