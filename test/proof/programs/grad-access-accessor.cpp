// checks: grad-access
// device: right
// expect: 2 4 6
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor x = torch::tensor({1.0f, 2.0f, 3.0f}, torch::requires_grad());
  torch::Tensor y = x * 2;
  auto values = y.accessor<float, 1>();
  std::printf("%g %g %g\n", values[0], values[1], values[2]);
  return 0;
}
