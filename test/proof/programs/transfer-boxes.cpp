// checks: transfer-in-loop
// device: right
// expect: 0 to 2
// expect: 2 to 6
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor boxes = torch::arange(4, torch::kFloat).view({2, 2}).to(device);
  for (int64_t i = 0; i < boxes.size(0); ++i) {
    float left = boxes[i][0].item<float>();
    float right = boxes[i][1].item<float>() * 2;
    std::printf("%g to %g\n", left, right);
  }
  return 0;
}
