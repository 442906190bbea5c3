// checks: element-type
// device: exception
// cpu: exception
// expect: 6
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  std::vector<double> values{1, 2, 3};
  torch::Tensor t = torch::tensor(values, torch::kDouble) * 2;
  std::vector<float> out(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  std::printf("%g\n", out[2]);
  return 0;
}
