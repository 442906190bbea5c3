// checks: host-access
// device: signal
// expect: 1
#include <cstdio>
#include <torch/torch.h>

// Refused: nothing goes wrong here without the edit.
int main() {
  torch::Tensor t = torch::ones({2});
  std::printf("%g\n", t.data_ptr<float>()[0]);
  return 0;
}
