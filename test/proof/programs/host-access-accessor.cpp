// checks: host-access
// styles: inline shim
// device: signal
// expect: 5
#include <cstdio>
#include <torch/torch.h>

float diagonal_sum(const torch::Tensor &m) {
  auto a = m.accessor<float, 2>();
  float sum = 0;
  for (int64_t i = 0; i < m.size(0); ++i)
    sum += a[i][i];
  return sum;
}

int main() {
  auto device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor m = torch::tensor({{1.f, 2.f}, {3.f, 4.f}}).to(device);
  std::printf("%g\n", diagonal_sum(m));
  return 0;
}
