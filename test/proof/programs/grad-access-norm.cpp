// checks: grad-access
// device: right
// expect: 5
#include <cmath>
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor w = torch::tensor({3.0f, 4.0f}, torch::requires_grad());
  const float *p = w.data_ptr<float>();
  float sum = 0;
  for (int64_t i = 0; i < w.numel(); ++i)
    sum += p[i] * p[i];
  std::printf("%g\n", std::sqrt(sum));
  return 0;
}
