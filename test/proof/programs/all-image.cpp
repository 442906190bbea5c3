// checks: *
// styles: inline shim
// device: signal
// cpu: value
// expect: 10 30 20 40
#include <cstdint>
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor image = torch::tensor({{10, 20}, {30, 40}}, torch::kByte).to(device);
  torch::Tensor turned = image.t();
  std::vector<uint8_t> pixels(turned.data_ptr<uint8_t>(),
                              turned.data_ptr<uint8_t>() + turned.numel());
  for (uint8_t p : pixels)
    std::printf("%d ", p);
  return 0;
}
