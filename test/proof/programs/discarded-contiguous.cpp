// checks: discarded-result
// device: value
// cpu: value
// expect: 0 2 1 3
#include <cstdio>
#include <cstring>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::arange(4, torch::kFloat).view({2, 2}).t();
  t.contiguous();
  float out[4];
  std::memcpy(out, t.data_ptr<float>(), sizeof out);
  for (float v : out)
    std::printf("%g ", v);
  return 0;
}
