// checks: host-access
// styles: inline shim
// device: signal
// expect: 0 1 2
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::arange(3, torch::kFloat).to(device);
  const auto print = [&t](int64_t i) {
    const float *p = t.data_ptr<float>();
    std::printf("%g ", p[i]);
  };
  for (int64_t i = 0; i < 3; ++i)
    print(i);
  return 0;
}
