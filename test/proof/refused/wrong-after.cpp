// checks: host-access
// device: signal
// expect: 5
#include <cstdio>
#include <torch/torch.h>

// Refused: the edited program does not print 5.
int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::ones({2}).to(device);
  const float *p = t.data_ptr<float>();
  std::printf("%g\n", p[0]);
  return 0;
}
