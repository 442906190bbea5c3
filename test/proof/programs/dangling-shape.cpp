// checks: dangling-data
// device: asan
// cpu: asan
// expect: 12
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::zeros({3, 4});
  auto shape = t.view({-1}).sizes();
  std::printf("%d\n", int(shape[0]));
  return 0;
}
