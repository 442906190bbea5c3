// checks: element-type
// device: value
// cpu: value
// expect: 3 5
#include <cstdio>
#include <cstring>
#include <torch/torch.h>

int main() {
  torch::Tensor t = torch::tensor({3, 5});
  int out[2] = {0, 0};
  const int *p = static_cast<int *>(t.data_ptr());
  out[0] = p[0];
  out[1] = p[1];
  std::printf("%d %d\n", out[0], out[1]);
  return 0;
}
