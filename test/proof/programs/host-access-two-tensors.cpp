// checks: host-access
// styles: inline shim
// device: signal
// expect: 32
#include <cstdio>
#include <numeric>
#include <torch/torch.h>

float product(const torch::Tensor &a, const torch::Tensor &b) {
  return std::inner_product(a.data_ptr<float>(), a.data_ptr<float>() + a.numel(),
                            b.data_ptr<float>(), 0.f);
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  std::printf("%g\n", product(torch::tensor({1.f, 2.f, 3.f}).to(device),
                              torch::tensor({4.f, 5.f, 6.f}).to(device)));
  return 0;
}
