// RUN: %check_torch_tidy %s torch-from-blob-lifetime %t
// The tensor has memory of its own, or ends first: nothing is reported.
#include <torch/torch.h>

#include <memory>
#include <thread>
#include <utility>
#include <vector>

std::vector<float> read();

torch::Tensor copies(int64_t n, const torch::Device &device) {
  std::vector<float> values(n);
  torch::Tensor t = torch::from_blob(values.data(), {n});
  std::vector<torch::Tensor> made = {t.clone(), t + 1, t.to(torch::kCUDA), t.to(torch::kDouble),
                                     t.to(device, torch::kFloat, false, true), torch::stack({t, t})};
  return torch::cat(made);
}

torch::Tensor owning_deleter(std::vector<float> values, int64_t n) {
  auto keep = std::make_shared<std::vector<float>>(std::move(values));
  float *memory = new float[n];
  torch::Tensor t = torch::from_blob(memory, {n}, [](void *p) { delete[] static_cast<float *>(p); });
  return t + torch::from_blob(keep->data(), {n}, [keep](void *) {});
}

std::pair<torch::Tensor, std::vector<float>> together() {
  std::vector<float> values = read();
  torch::Tensor t = torch::from_blob(values.data(), {4});
  return {t, std::move(values)};
}

struct Frame {
  std::vector<float> values;
  torch::Tensor view;
};

Frame frame() {
  Frame f;
  f.values = read();
  f.view = torch::from_blob(f.values.data(), {4});
  return f;
}

torch::Tensor lives_on(std::vector<float> &callers, float *pointer) {
  static std::vector<float> kept(4);
  return torch::from_blob(callers.data(), {4}) + torch::from_blob(kept.data(), {4}) +
         torch::from_blob(pointer, {4});
}

torch::Tensor callers_memory(std::vector<float> &callers) { return torch::from_blob(callers.data(), {4}); }

float ends_first() {
  std::vector<float> values = read();
  values.resize(8);
  torch::Tensor t = torch::from_blob(values.data(), {8});
  values[0] = 1;
  const float sum = t.sum().item<float>();
  values.push_back(sum);
  return values.back();
}

float room_enough() {
  std::vector<float> values;
  values.reserve(100);
  values.push_back(1);
  torch::Tensor t = torch::from_blob(values.data(), {1});
  values.push_back(2);
  return t.item<float>();
}

float joined() {
  std::vector<float> values = read();
  torch::Tensor t = torch::from_blob(values.data(), {4});
  std::thread worker([t] { t.add_(1); });
  worker.join();
  return values[0];
}

float one_expression() { return torch::from_blob(read().data(), {4}).sum().item<float>(); }

// A handle that is copied may share its memory; a header may have none of its own.
namespace image {
struct Mat {
  Mat(int rows, int cols, void *memory);
  Mat(const Mat &);
  ~Mat();
  float *data = nullptr;
};
} // namespace image

torch::Tensor shared(const image::Mat &other) {
  image::Mat copy = other;
  return torch::from_blob(copy.data, {4});
}

torch::Tensor header(float *memory) {
  image::Mat m(1, 4, memory);
  return torch::from_blob(m.data, {4});
}

// Called twice: the memory of the first call says nothing about the second.
static torch::Tensor either(bool wide) {
  std::vector<float> values = read();
  torch::Tensor t;
  if (wide)
    t = torch::from_blob(values.data(), {4});
  else
    t = torch::from_blob(values.data(), {2, 2});
  return t.clone();
}

torch::Tensor twice(int n) {
  torch::Tensor sum = either(true);
  for (int i = 0; i < n; ++i)
    sum = sum + either(i > 1);
  return sum;
}
