// checks: discarded-result
// device: exception
// cpu: exception
// expect: 2.5
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::full({2}, 2.5, torch::kDouble);
  t.to(torch::kFloat);
  std::printf("%g\n", t.data_ptr<float>()[0]);
  return 0;
}
