// RUN: %check_torch_tidy %s torch-host-access %t
// Pointers that host code does not follow. Nothing is reported.
#include <torch/torch.h>

#include <cstdio>
#include <functional>
#include <iostream>
#include <utility>

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
extern "C" int cudaMemcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind);
extern "C" int cudaMemsetAsync(void *dst, int value, size_t count, void *stream);
extern "C" int cublasSgemv(void *handle, const float *a, const float *x, float *y);
namespace nvinfer1 {
struct IExecutionContext {
  virtual bool setTensorAddress(const char *name, void *data) = 0;
};
} // namespace nvinfer1

void print(const torch::Tensor &t) {
  std::printf("%p\n", t.data_ptr());
  std::cout << static_cast<const void *>(t.data_ptr()) << '\n';
}

bool compare(const torch::Tensor &a, const torch::Tensor &b) {
  return a.data_ptr() == b.data_ptr() || a.data_ptr<float>() == nullptr;
}

int64_t subtract(const torch::Tensor &a, const torch::Tensor &b) {
  return b.data_ptr<float>() - a.data_ptr<float>();
}

size_t hash(const torch::Tensor &t) {
  return std::hash<void *>()(t.data_ptr());
}

float ask_libtorch(const torch::Tensor &t) {
  return t.item<float>() + t.numel() + t.size(0) + t.equal(t) + t.sum().item().toFloat();
}

void copy_from_device(const torch::Tensor &t, float *host) {
  cudaMemcpy(host, t.data_ptr<float>(), t.nbytes(), cudaMemcpyDeviceToHost);
}

void copy_to_device(torch::Tensor t, const float *host) {
  float *p = t.data_ptr<float>();
  cudaMemcpy(p, host, t.nbytes(), cudaMemcpyHostToDevice);
}

void set_on_device(torch::Tensor t) {
  cudaMemsetAsync(t.data_ptr(), 0, t.nbytes(), nullptr);
}

void device_library(void *handle, torch::Tensor a, torch::Tensor x, torch::Tensor y) {
  cublasSgemv(handle, a.data_ptr<float>(), x.data_ptr<float>(), y.data_ptr<float>());
}

void engine(nvinfer1::IExecutionContext &context, const torch::Tensor &t) {
  context.setTensorAddress("input", t.data_ptr());
}

void bindings(const torch::Tensor &in, torch::Tensor out, bool (*enqueue)(void **)) {
  void *list[] = {in.data_ptr(), out.data_ptr()};
  enqueue(list);
}

torch::Tensor wrap_for_device(const torch::Tensor &t) {
  return torch::from_blob(t.data_ptr(), t.sizes(), t.options().device(torch::kCUDA)).clone();
}

// Where the pointer goes is not visible.
void consume(const float *values);
void hand_out(const torch::Tensor &t) { consume(t.data_ptr<float>()); }
float *give_back(const torch::Tensor &t) { return t.data_ptr<float>(); }

struct Description {
  void *data;
};
void describe(const torch::Tensor &t, Description &out) { out.data = t.data_ptr(); }

// Not LibTorch's tensors.
namespace container {
struct Tensor {
  template <class T> T *data_ptr() const;
  template <class T> T *data() const;
};
} // namespace container
float of_another_library(const container::Tensor &t) {
  return t.data_ptr<float>()[0] + t.data<float>()[1];
}
