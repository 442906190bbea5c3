// RUN: %check_torch_tidy %s torch-from-blob-options %t
// The options describe the memory, or its type says nothing: nothing is reported.
#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <vector>

struct Point {
  float x, y;
};

std::vector<torch::Tensor> described(std::vector<double> &d, std::vector<uint16_t> &bits, std::vector<uint32_t> &u,
                                     std::vector<Point> &points, void *raw, unsigned char *bytes, bool *flags,
                                     const torch::TensorOptions &unknown, torch::ScalarType type) {
  return {torch::from_blob(d.data(), {4}, torch::kDouble),
          torch::from_blob(d.data(), {4}, torch::dtype<double>()),
          torch::from_blob(d.data(), {4}, unknown),
          torch::from_blob(d.data(), {4}, type),
          torch::from_blob(bits.data(), {4}, torch::kHalf),
          torch::from_blob(bits.data(), {4}, torch::kBFloat16),
          torch::from_blob(u.data(), {4}, torch::kInt),
          torch::from_blob(points.data(), {2, 2}),
          torch::from_blob(raw, {4}),
          torch::from_blob(bytes, {4}),
          torch::from_blob(flags, {4}, torch::kBool),
          torch::from_blob(flags, {4}, torch::kByte),
          torch::from_blob((std::byte *)bytes, {4}, torch::kLong)};
}

// Somebody says what the pointer points to; the device may be right.
torch::Tensor pointer_of_unknown(float *p) { return torch::from_blob(p, {4}, torch::kCUDA); }

torch::Tensor device_memory(const torch::Tensor &t) {
  torch::Tensor gpu = t.cuda();
  return torch::from_blob(gpu.data_ptr(), {4}, gpu.options()) +
         torch::from_blob(gpu.data_ptr<float>(), {4}, torch::device(torch::kCUDA));
}

float only_read(const std::vector<float> &values) {
  torch::Tensor t = torch::from_blob(const_cast<float *>(values.data()), {4});
  torch::Tensor copy = t.clone();
  copy.add_(1);
  return (t + 1).sum().item<float>();
}
