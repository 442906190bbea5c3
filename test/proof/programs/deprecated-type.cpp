// checks: deprecated-access
// device: right
// expect: float, long, there
#include <cstdio>
#include <torch/torch.h>

static const char *kind(const torch::Tensor &t) {
  return t.type().scalarType() == torch::kFloat ? "float" : "long";
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor moved = torch::ones({2}).to(device);
  std::printf("%s, %s, %s\n", kind(moved), kind(torch::arange(2)),
              moved.device().type() == device.type() ? "there" : "here");
  return 0;
}
