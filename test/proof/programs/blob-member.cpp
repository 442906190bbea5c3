// checks: from-blob-lifetime
// device: value
// cpu: value
// expect: 6
#include <cstdio>
#include <torch/torch.h>
#include <vector>

class Recorder {
public:
  void add(const std::vector<float> &sample) {
    std::vector<float> row(sample.begin(), sample.end());
    rows_.push_back(torch::from_blob(row.data(), {int64_t(row.size())}));
  }
  float total() const {
    float sum = 0;
    for (const torch::Tensor &row : rows_)
      sum += row.sum().item<float>();
    return sum;
  }

private:
  std::vector<torch::Tensor> rows_;
};

int main() {
  Recorder recorder;
  recorder.add({1, 2});
  recorder.add({3});
  std::printf("%g\n", recorder.total());
  return 0;
}
