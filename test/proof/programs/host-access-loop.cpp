// checks: host-access
// styles: inline shim
// device: signal
// expect: 15
#include <cstdio>
#include <torch/torch.h>

double total(const torch::Tensor &t) {
  const double *p = t.data_ptr<double>();
  double sum = 0;
  for (int64_t i = 0; i < t.numel(); ++i)
    sum += p[i];
  return sum;
}

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  std::printf("%g\n", total(torch::arange(6, torch::kDouble).to(device)));
  return 0;
}
