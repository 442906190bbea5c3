// checks: dangling-data
// device: asan
// expect: 5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::full({8}, 5.f).to(device);
  const float *p = t.cpu().data_ptr<float>();
  std::printf("%g\n", p[7]);
  return 0;
}
