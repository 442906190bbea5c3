// checks: host-access
// styles: inline shim
// device: signal
// expect: 1 1 1 2 2 2
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  std::vector<torch::Tensor> batches;
  batches.push_back(torch::ones({3}).to(device));
  batches.push_back(torch::full({3}, 2.f).to(device));
  for (const torch::Tensor &batch : batches) {
    const float *p = batch.data_ptr<float>();
    for (int i = 0; i < 3; ++i)
      std::printf("%g ", p[i]);
  }
  return 0;
}
