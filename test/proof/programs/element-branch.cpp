// checks: element-type
// device: exception
// expect: 2
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::full({3}, 2.f);
  if (torch::cuda::is_available())
    t = t.to(torch::kDouble);
  const float *p = t.data_ptr<float>();
  std::printf("%g\n", p[1]);
  return 0;
}
