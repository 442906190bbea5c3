// checks: host-access
// styles: inline shim
// device: signal
// expect: 3 8
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::full({2}, 3.f).to(device);
  float *p = t.data_ptr<float>();
  const float first = p[0];
  t = t + 5;
  p = t.data_ptr<float>();
  std::printf("%g %g\n", first, p[1]);
  return 0;
}
