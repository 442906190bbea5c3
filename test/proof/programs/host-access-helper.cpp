// checks: host-access
// styles: inline shim
// device: signal
// expect: 6
#include <cstdio>
#include <torch/torch.h>

static float sum_of(const float *p, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += p[i];
  return sum;
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::ones({6}, torch::dtype(torch::kFloat).device(device));
  std::printf("%g\n", sum_of(t.data_ptr<float>(), t.numel()));
  return 0;
}
