// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 4 5
#include <cstdio>
#include <torch/torch.h>

torch::Tensor point(float x, float y) {
  std::unique_ptr<float[]> xy(new float[2]{x, y});
  torch::Tensor t = torch::from_blob(xy.get(), {2});
  return t;
}

int main() {
  torch::Tensor t = point(4, 5);
  std::printf("%g %g\n", t[0].item<float>(), t[1].item<float>());
  return 0;
}
