// checks: strided-access
// device: asan
// cpu: asan
// expect: 7 7 7 7
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::full({1}, 7.f).expand({4});
  const float *p = t.data_ptr<float>();
  for (int i = 0; i < 4; ++i)
    std::printf("%g ", p[i]);
  return 0;
}
