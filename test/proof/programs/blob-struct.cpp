// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 7 1
#include <cstdio>
#include <torch/torch.h>
#include <vector>

struct Sample {
  torch::Tensor data;
  int64_t label;
};

Sample sample() {
  std::vector<float> pixels{7, 8};
  Sample s;
  s.data = torch::from_blob(pixels.data(), {2});
  s.label = 1;
  return s;
}

int main() {
  Sample s = sample();
  std::printf("%g %d\n", s.data[0].item<float>(), int(s.label));
  return 0;
}
