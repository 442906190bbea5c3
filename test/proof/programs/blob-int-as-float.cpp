// checks: from-blob-options
// device: value
// cpu: value
// expect: 3 4
#include <cstdio>
#include <torch/torch.h>

int main() {
  int counts[2] = {3, 4};
  torch::Tensor t = torch::from_blob(counts, {2}, torch::TensorOptions().requires_grad(false));
  std::printf("%g %g\n", t[0].item<float>(), t[1].item<float>());
  return 0;
}
