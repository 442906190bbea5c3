// checks: host-access
// styles: shim
// device: signal
// expect: 0 10 20 30
#include <cstdio>
#include <cstring>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  const int source[4] = {0, 10, 20, 30};
  torch::Tensor t = torch::zeros({4}, torch::dtype(torch::kInt).device(device));
  std::memcpy(t.data_ptr<int>(), source, sizeof source);
  for (int i = 0; i < 4; ++i)
    std::printf("%d ", t[i].item<int>());
  return 0;
}
