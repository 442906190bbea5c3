// checks: host-access
// styles: inline shim
// device: signal
// expect: 2 4 6
#include <cstdio>
#include <cstring>
#include <torch/torch.h>

struct Frame {
  int values[3];
};

Frame frame(torch::Tensor t) {
  t = t.to(torch::kInt).contiguous();
  Frame f;
  std::memcpy(f.values, t.data_ptr<int>(), sizeof f.values);
  return f;
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  Frame f = frame(torch::tensor({1.f, 2.f, 3.f}).to(device) * 2);
  std::printf("%d %d %d\n", f.values[0], f.values[1], f.values[2]);
  return 0;
}
