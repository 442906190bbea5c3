// checks: host-access
// styles: shim
// device: signal
// expect: 1 4 9
#include <cstdio>
#include <torch/torch.h>

void square(torch::Tensor &t) {
  float *p = t.data_ptr<float>();
  for (int64_t i = 0; i < t.numel(); ++i)
    p[i] *= p[i];
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({1.f, 2.f, 3.f}).to(device);
  square(t);
  for (int i = 0; i < 3; ++i)
    std::printf("%g ", t[i].item<float>());
  return 0;
}
