// checks: host-access
// styles: inline shim
// device: signal
// expect: 1 2 3 4
#include <cstdio>
#include <torch/torch.h>
#include <vector>

std::vector<float> to_vector(const torch::Tensor &t) {
  return std::vector<float>(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
}

int main() {
  const torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::arange(1, 5, torch::kFloat).to(device);
  for (float v : to_vector(t))
    std::printf("%g ", v);
  return 0;
}
