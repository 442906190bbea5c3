// checks: discarded-result
// device: value
// cpu: value
// expect: 3 3
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::ones({2});
  t.add(2);
  std::printf("%g %g\n", t[0].item<float>(), t[1].item<float>());
  return 0;
}
