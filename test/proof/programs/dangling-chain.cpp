// checks: dangling-data
// device: asan
// expect: 1 0.5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor probabilities = torch::tensor({0.5f, 1.f}).to(device);
  float *best = probabilities.detach().to(torch::kCPU).data_ptr<float>();
  std::printf("%g %g\n", best[1], best[0]);
  return 0;
}
