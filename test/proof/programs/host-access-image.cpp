// checks: host-access
// styles: inline shim
// device: signal
// expect: 0 51 102 153 204 255
#include <cstdint>
#include <cstdio>
#include <torch/torch.h>
#include <vector>

std::vector<uint8_t> to_image(torch::Tensor image) {
  image = image.mul(255).clamp(0, 255).to(torch::kByte).permute({1, 2, 0}).contiguous();
  std::vector<uint8_t> pixels(image.numel());
  std::memcpy(pixels.data(), image.data_ptr<uint8_t>(), pixels.size());
  return pixels;
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor image = torch::linspace(0, 1, 6).view({2, 3, 1}).permute({2, 0, 1}).to(device);
  for (uint8_t p : to_image(image))
    std::printf("%d ", p);
  return 0;
}
