// checks: transfer-in-loop
// device: right
// expect: 36
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor scores = torch::arange(9, torch::kFloat).to(device);
  float total = 0;
  for (int64_t i = 0; i < scores.size(0); ++i)
    total += scores[i].item<float>();
  std::printf("%g\n", total);
  return 0;
}
