// checks: scalar-read
// styles: inline shim
// device: signal
// expect: 0.25
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor x = torch::full({2, 2}, 0.5f).to(device);
  torch::Tensor loss = torch::mse_loss(x, torch::zeros_like(x));
  float value = loss.data_ptr<float>()[0];
  std::printf("%g\n", value);
  return 0;
}
