// checks: deprecated-access
// device: right
// expect: 3
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::arange(4, torch::kFloat).view({2, 2});
  auto a = t.packed_accessor<float, 2, torch::DefaultPtrTraits, int32_t>();
  std::printf("%g\n", a[1][1]);
  return 0;
}
