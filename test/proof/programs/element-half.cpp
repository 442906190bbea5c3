// checks: element-type
// device: asan
// cpu: asan
// expect: 1.5 2.5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor half = torch::tensor({0.5f, 1.5f, 1.5f, 2.5f}).to(torch::kHalf);
  const float *p = static_cast<float *>(half.data_ptr());
  std::printf("%g %g\n", p[2], p[3]);
  return 0;
}
