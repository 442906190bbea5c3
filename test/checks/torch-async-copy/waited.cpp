// RUN: %check_torch_tidy %s torch-async-copy %t
// Waits of all kinds; flags that ask for something else; memory that is not pinned.
#include <torch/torch.h>

#include <cstdint>
#include <cstring>
#include <vector>

enum cudaError_t { cudaSuccess = 0, cudaErrorNotReady = 600 };
struct CUstream_st;
using cudaStream_t = CUstream_st *;
extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t);
extern "C" cudaError_t cudaStreamQuery(cudaStream_t);
extern "C" cudaError_t cudaHostAlloc(void **, size_t, unsigned);
extern "C" cudaError_t cudaFreeHost(void *);
struct Event {
  void record();
  bool query() const;
  void synchronize() const;
};
void wait_for_gpu();
static void drain(int) { torch::cuda::synchronize(); }

float waits(const torch::Tensor &x, Event &event, cudaStream_t stream) {
  float s = 0;
  torch::Tensor a = x.cuda().to(torch::kCPU, true);
  event.record();
  while (!event.query()) {
  }
  s += a[0].item<float>();
  torch::Tensor b = x.cuda().to(torch::kCPU, true);
  if (event.query())
    s += b[0].item<float>();
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  s += b[0].item<float>();
  torch::Tensor c = x.cuda().to(torch::kCPU, true);
  while (cudaStreamQuery(stream) != cudaSuccess) {
  }
  s += c[0].item<float>();
  torch::Tensor d = x.cuda().to(torch::kCPU, true);
  wait_for_gpu();
  s += d[0].item<float>();
  torch::Tensor e = x.cuda().to(torch::kCPU, true);
  drain(0);
  s += e[0].item<float>();
  torch::Tensor f = x.cuda().to(torch::kCPU, true);
  event.synchronize();
  s += f[0].item<float>();
  torch::Tensor g = x.cuda().to(torch::kCPU, true);
  cudaStreamSynchronize(stream);
  s += g[0].item<float>();
  // A blocking transfer waits for what was started before it.
  torch::Tensor h = x.cuda().to(torch::kCPU, true);
  s += x.cuda().sum().item<float>();
  s += h[0].item<float>();
  return s;
}

float other_flags(const torch::Tensor &x) {
  torch::Tensor gpu = x.cuda();
  auto a = gpu.to(torch::kCPU, false, true);
  auto b = gpu.to(torch::kCPU, torch::kFloat, false, true);
  torch::Tensor device = torch::empty_like(gpu);
  device.copy_(gpu, true);
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0] + device.sum().item<float>();
}

torch::Tensor pageable(std::vector<float> &v) {
  torch::Tensor t = torch::rand({64});
  auto g = t.to(torch::kCUDA, true);
  t.zero_();
  auto h = torch::from_blob(v.data(), {int64_t(v.size())}).to(torch::kCUDA, true);
  v[0] = 2;
  return g + h;
}

torch::Tensor freed_later(int64_t n) {
  float *p = nullptr;
  cudaHostAlloc(reinterpret_cast<void **>(&p), n * 4, 0);
  auto g = torch::from_blob(p, {n}).to(torch::kCUDA, true);
  torch::cuda::synchronize();
  p[0] = 1;
  cudaFreeHost(p);
  torch::Tensor pinned = torch::rand({64}).pin_memory();
  auto d = pinned.to(torch::kCUDA, true);
  // LibTorch's allocator waits itself.
  pinned.reset();
  return g + d;
}
