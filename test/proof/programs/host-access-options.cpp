// checks: host-access
// styles: inline shim
// device: signal
// expect: 11
#include <cstdio>
#include <torch/torch.h>

int main() {
  auto options = torch::TensorOptions().dtype(torch::kInt);
  if (torch::cuda::is_available())
    options = options.device(torch::kCUDA);
  torch::Tensor counts = torch::full({3}, 11, options);
  int largest = *std::max_element(counts.data_ptr<int>(), counts.data_ptr<int>() + counts.numel());
  std::printf("%d\n", largest);
  return 0;
}
