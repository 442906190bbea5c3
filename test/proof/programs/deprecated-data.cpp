// checks: deprecated-access
// device: right
// expect: 1 2
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::ones({2});
  t.data<float>()[1] = 2;
  const float *p = t.data<float>();
  std::printf("%g %g\n", p[0], p[1]);
  return 0;
}
