// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 1 2 3
#include <cstdio>
#include <torch/torch.h>
#include <vector>

torch::Tensor load() {
  std::vector<float> values{1, 2, 3};
  return torch::from_blob(values.data(), {3});
}

int main() {
  torch::Tensor t = load();
  for (int i = 0; i < 3; ++i)
    std::printf("%g ", t[i].item<float>());
  return 0;
}
