// checks: strided-access
// device: value
// cpu: value
// expect: 1 3 2 4
#include <algorithm>
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({{1, 2}, {3, 4}}, torch::kInt).to(device).t().cpu();
  int out[4];
  std::copy_n(t.data_ptr<int>(), 4, out);
  for (int v : out)
    std::printf("%d ", v);
  return 0;
}
