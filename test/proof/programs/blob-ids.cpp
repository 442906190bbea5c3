// checks: from-blob-options
// device: value
// cpu: value
// expect: 5 6
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  std::vector<int64_t> ids{5, 6};
  torch::Tensor t = torch::from_blob(ids.data(), {2}, torch::kInt);
  std::printf("%d %d\n", t[0].item<int>(), t[1].item<int>());
  return 0;
}
