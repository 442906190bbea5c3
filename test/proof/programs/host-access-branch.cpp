// checks: host-access
// styles: inline shim
// device: signal
// expect: 7
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::full({2, 2}, 7, torch::kInt);
  if (torch::cuda::is_available())
    t = t.cuda();
  const int *p = t.data_ptr<int>();
  std::printf("%d\n", p[3]);
  return 0;
}
