// checks: dangling-data
// device: asan
// cpu: asan
// expect: 3
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor a = torch::ones({4}), b = torch::full({4}, 2.f);
  const float *p = (a + b).data_ptr<float>();
  std::printf("%g\n", p[3]);
  return 0;
}
