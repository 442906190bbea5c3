// checks: dangling-data
// device: asan
// cpu: asan
// expect: 10
#include <cstdio>
#include <torch/torch.h>

static float sum(const float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}

int main() {
  torch::Tensor t = torch::arange(5, torch::kFloat);
  const float *p = t.clone().data_ptr<float>();
  const float total = sum(p, 5);
  std::printf("%g\n", total);
  return 0;
}
