// checks: host-access
// styles: inline shim
// device: signal
// expect: 40
#include <cstdio>
#include <torch/torch.h>

class Histogram {
public:
  explicit Histogram(torch::Device device)
      : bins_(torch::zeros({4}, torch::TensorOptions().dtype(torch::kFloat).device(device))) {}
  void add(int64_t bin, float weight) { bins_[bin] += weight; }
  float most() const {
    const float *b = bins_.data_ptr<float>();
    float best = b[0];
    for (int i = 1; i < 4; ++i)
      best = b[i] > best ? b[i] : best;
    return best;
  }

private:
  torch::Tensor bins_;
};

int main() {
  Histogram h(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  h.add(2, 15);
  h.add(2, 25);
  h.add(1, 3);
  std::printf("%g\n", h.most());
  return 0;
}
