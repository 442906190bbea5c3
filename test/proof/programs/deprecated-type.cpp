// checks: deprecated-access
// device: right
// expect: here, there, float
#include <cstdio>
#include <torch/torch.h>

static const char *where(const torch::Tensor &t) { return t.type().is_cuda() ? "there" : "here"; }

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor host = torch::ones({2}), moved = host.to(device);
  const bool away = moved.device() != host.device();
  std::printf("%s, %s, %s\n", where(host), away ? where(moved) : "there",
              host.type().scalarType() == torch::kFloat ? "float" : "other");
  return 0;
}
