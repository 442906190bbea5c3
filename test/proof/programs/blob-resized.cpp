// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 6
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  std::vector<int64_t> ids{1, 2, 3};
  torch::Tensor t = torch::from_blob(ids.data(), {3}, torch::kLong);
  ids.resize(1000, 9);
  std::printf("%d\n", int(t.sum().item<int64_t>()));
  return 0;
}
