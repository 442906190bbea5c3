// checks: host-access
// styles: inline shim
// device: signal
// expect: 9 8 7
#include <algorithm>
#include <array>
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({9, 8, 7}, torch::kLong).to(device);
  std::array<int64_t, 3> a{};
  std::copy(t.data_ptr<int64_t>(), t.data_ptr<int64_t>() + 3, a.begin());
  std::printf("%d %d %d\n", int(a[0]), int(a[1]), int(a[2]));
  return 0;
}
