// checks: element-type
// device: value
// cpu: value
// expect: 1 2 3 4
#include <cstdio>
#include <cstring>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::tensor({1.f, 2.f, 3.f, 4.f});
  float out[4] = {};
  std::memcpy(out, t.data_ptr<float>(), t.numel() * sizeof(torch::kFloat));
  std::printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  return 0;
}
