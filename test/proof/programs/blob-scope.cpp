// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 8
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Tensor t;
  {
    std::vector<float> values(4, 2.f);
    t = torch::from_blob(values.data(), {4});
  }
  std::printf("%g\n", t.sum().item<float>());
  return 0;
}
