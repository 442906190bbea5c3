// checks: dangling-data
// device: asan
// cpu: asan
// expect: 1 2 3
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::tensor({1.0, 2.0, 3.0}, torch::kDouble);
  float *p = t.to(torch::kFloat).data_ptr<float>();
  for (int i = 0; i < 3; ++i)
    std::printf("%g ", p[i]);
  return 0;
}
