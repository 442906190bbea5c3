// checks: strided-access
// device: value
// cpu: value
// expect: 0 2 4
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::Tensor even = torch::arange(6, torch::kInt).slice(0, 0, 6, 2);
  std::vector<int> out(even.data_ptr<int>(), even.data_ptr<int>() + even.numel());
  for (int v : out)
    std::printf("%d ", v);
  return 0;
}
