// checks: discarded-result
// device: signal
// expect: 1
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::ones({3}).to(device);
  t.cpu();
  const float *p = t.data_ptr<float>();
  std::printf("%g\n", p[2]);
  return 0;
}
