// checks: host-access
// styles: inline shim
// device: signal
// expect: 0.5 1.5
#include <cstdio>
#include <torch/torch.h>

struct View {
  const float *data;
  int64_t size;
};

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor weights = torch::tensor({0.5f, 1.5f}).to(device);
  View v{weights.data_ptr<float>(), weights.numel()};
  for (int64_t i = 0; i < v.size; ++i)
    std::printf("%g ", v.data[i]);
  return 0;
}
