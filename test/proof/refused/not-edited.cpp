// checks: host-access
// device: exception
// cpu: exception
// expect: 2
#include <cstdio>
#include <torch/torch.h>

// Refused: no check has an edit for it.
int main() {
  torch::Tensor t = torch::full({2}, 2.0, torch::kDouble);
  std::printf("%g\n", t.data_ptr<float>()[0]);
  return 0;
}
