// checks: from-blob-options
// device: exception
// expect: 6
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  std::vector<float> values{1, 2, 3};
  torch::Tensor t = torch::from_blob(values.data(), {3},
                                     torch::TensorOptions().dtype(torch::kFloat).device(device));
  std::printf("%g\n", t.sum().item<float>());
  return 0;
}
