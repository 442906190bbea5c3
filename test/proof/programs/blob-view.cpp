// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 3 4
#include <cstdio>
#include <torch/torch.h>
#include <vector>

torch::Tensor last_row() {
  std::vector<float> m{1, 2, 3, 4};
  return torch::from_blob(m.data(), {2, 2})[1];
}

int main() {
  torch::Tensor row = last_row();
  std::printf("%g %g\n", row[0].item<float>(), row[1].item<float>());
  return 0;
}
