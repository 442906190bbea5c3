// checks: from-blob-options
// device: value
// cpu: value
// expect: 1 2 3
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  std::vector<double> values{1, 2, 3};
  torch::Tensor t = torch::from_blob(values.data(), {3});
  for (int i = 0; i < 3; ++i)
    std::printf("%g ", t[i].item<double>());
  return 0;
}
