// checks: dangling-data, host-access
// device: signal
// expect: 4
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor m = torch::full({2, 2}, 4, torch::kLong).to(device);
  auto rows = m.accessor<int64_t, 2>();
  std::printf("%d\n", int(rows[1][1]));
  return 0;
}
