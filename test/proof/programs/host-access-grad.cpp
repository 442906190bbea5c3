// checks: host-access
// styles: inline shim
// device: signal
// expect: 1.5 1.5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::nn::Linear layer(1, 2);
  {
    torch::NoGradGuard no_grad;
    layer->weight.fill_(0.5);
    layer->bias.fill_(1);
  }
  layer->to(device);
  torch::Tensor y = layer->forward(torch::ones({1, 1}).to(device));
  float *p = y.data_ptr<float>();
  std::printf("%g %g\n", p[0], p[1]);
  return 0;
}
