// checks: host-access
// styles: inline shim
// device: signal
// expect: 12 bytes: 1 2 3
#include <cstdio>
#include <sstream>
#include <torch/torch.h>

void save(std::ostream &out, const torch::Tensor &t) {
  torch::Tensor c = t.contiguous();
  out.write(reinterpret_cast<const char *>(c.data_ptr<float>()), c.numel() * sizeof(float));
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  std::ostringstream file;
  save(file, torch::tensor({1.f, 2.f, 3.f}).to(device));
  const std::string bytes = file.str();
  float values[3];
  std::memcpy(values, bytes.data(), sizeof values);
  std::printf("%zu bytes: %g %g %g\n", bytes.size(), values[0], values[1], values[2]);
  return 0;
}
