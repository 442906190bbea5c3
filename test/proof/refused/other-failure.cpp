// checks: host-access
// device: asan
// expect: 1
#include <cstdio>
#include <torch/torch.h>

// Refused: it fails by a signal.
int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::ones({2}).to(device);
  const float *p = t.data_ptr<float>();
  std::printf("%g\n", p[0]);
  return 0;
}
