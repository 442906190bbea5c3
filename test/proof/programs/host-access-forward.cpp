// checks: host-access
// styles: inline shim
// device: signal
// expect: 3 2
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::NoGradGuard no_grad;
  torch::nn::Linear layer(2, 1);
  layer->weight.fill_(1);
  layer->bias.fill_(0);
  layer->to(device);
  torch::Tensor x = torch::tensor({{1.f, 2.f}, {1.f, 1.f}}).to(device);
  torch::Tensor y = layer->forward(x).flatten();
  std::vector<float> scores(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
  std::printf("%g %g\n", scores[0], scores[1]);
  return 0;
}
