// checks: dangling-data
// device: asan
// cpu: asan
// expect: 0 3 1 4 2 5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({2, 3}).t();
  const float *p = t.contiguous().data_ptr<float>();
  for (int i = 0; i < 6; ++i)
    std::printf("%g ", p[i]);
  return 0;
}
