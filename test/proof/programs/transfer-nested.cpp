// checks: transfer-in-loop
// device: right
// expect: 1 2
// expect: 3 4
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor m =
      (torch::arange(4, torch::kFloat).view({2, 2}).set_requires_grad(true) + 1).to(device);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 2; ++j)
      std::printf(j ? " %g" : "%g", m[i][j].item<float>());
    std::printf("\n");
  }
  return 0;
}
