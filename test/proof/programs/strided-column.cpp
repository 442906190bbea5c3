// checks: strided-access
// device: value
// cpu: value
// expect: 1 5 9
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor column = torch::arange(12, torch::kFloat).view({3, 4}).select(1, 1);
  const float *p = column.data_ptr<float>();
  for (int i = 0; i < 3; ++i)
    std::printf("%g ", p[i]);
  return 0;
}
