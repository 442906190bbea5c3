// checks: scalar-read
// styles: inline shim
// device: signal
// expect: 3
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor t = torch::tensor({1, 3, 2}, torch::kInt).to(device);
  const int largest = *t.max().data_ptr<int>();
  std::printf("%d\n", largest);
  return 0;
}
