// checks: *
// styles: inline shim
// device: signal
// expect: 4 4
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::nn::Linear layer(2, 2);
  {
    torch::NoGradGuard no_grad;
    layer->weight.fill_(1);
    layer->bias.fill_(2);
  }
  layer->to(device);
  torch::Tensor y = layer->forward(torch::ones({1, 2}).to(device));
  std::vector<float> out(2);
  std::memcpy(out.data(), y.data_ptr<float>(), sizeof(float) * 2);
  std::printf("%g %g\n", out[0], out[1]);
  return 0;
}
