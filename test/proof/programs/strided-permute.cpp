// checks: strided-access
// device: value
// cpu: value
// expect: 0 2 4 1 3 5
#include <cstdio>
#include <cstring>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::arange(6, torch::kFloat).view({3, 2}).permute({1, 0});
  float out[6];
  std::memcpy(out, t.data_ptr<float>(), sizeof out);
  for (float v : out)
    std::printf("%g ", v);
  return 0;
}
