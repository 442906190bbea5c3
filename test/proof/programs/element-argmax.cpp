// checks: element-type
// device: exception
// cpu: exception
// expect: 1 0
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor scores = torch::tensor({{0.f, 1.f}, {3.f, 2.f}});
  torch::Tensor best = scores.argmax(1);
  const int *p = best.data_ptr<int>();
  std::printf("%d %d\n", p[0], p[1]);
  return 0;
}
