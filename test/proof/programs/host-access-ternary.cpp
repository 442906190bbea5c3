// checks: host-access
// styles: inline shim
// device: signal
// expect: 2
#include <cstdio>
#include <torch/torch.h>

int main() {
  const bool gpu = torch::cuda::is_available();
  torch::Tensor t = torch::ones({2});
  torch::Tensor moved = gpu ? (t + 1).cuda() : t + 1;
  const float *p = moved.data_ptr<float>();
  std::printf("%g\n", p[0]);
  return 0;
}
