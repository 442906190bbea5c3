// RUN: %check_torch_tidy %s torch-async-copy %t
// The destination is used before a wait; the pinned source is written or freed before one.
#include <torch/torch.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <vector>

enum cudaError_t { cudaSuccess = 0, cudaErrorNotReady = 600 };
extern "C" cudaError_t cudaHostAlloc(void **, size_t, unsigned);
extern "C" cudaError_t cudaHostRegister(void *, size_t, unsigned);
extern "C" cudaError_t cudaHostUnregister(void *);
extern "C" cudaError_t cudaFreeHost(void *);
void use(const torch::Tensor &t);

float conversions(const torch::Tensor &x) {
  torch::Tensor gpu = x.cuda();
  auto a = gpu.to("cpu", true);
  auto b = gpu.to(torch::TensorOptions().device(torch::kCPU), true);
  auto c = gpu.to(torch::kCPU, torch::kFloat, /*non_blocking=*/true);
  auto d = gpu.to(torch::Device(torch::kCPU), torch::kFloat, true, false);
  auto e = x.to(torch::kCPU, true);
  // CHECK-FIXES: auto a = gpu.to("cpu");
  // CHECK-FIXES: auto b = gpu.to(torch::TensorOptions().device(torch::kCPU));
  // CHECK-FIXES: auto c = gpu.to(torch::kCPU, torch::kFloat);
  // CHECK-FIXES: auto d = gpu.to(torch::Device(torch::kCPU), torch::kFloat, false, false);
  // CHECK-FIXES: auto e = x.to(torch::kCPU);
  float s = a.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the memory of 'a' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  s += b.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the memory of 'b' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  s += c.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the memory of 'c' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  s += d.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the memory of 'd' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  s += e.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the memory of 'e' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  return s;
}

void uses(const torch::Tensor &x) {
  torch::Tensor h = x.cuda().to(torch::kCPU, true);
  // CHECK-FIXES: torch::Tensor h = x.cuda().to(torch::kCPU);
  std::cout << h.sizes() << h.numel();
  auto v = h.view(-1);
  use(h);
  std::cout << h;
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  float i = h.max().item<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  float j = h[0].item<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  auto k = h + 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  h.add_(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  auto c = h.clone();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  torch::save(h, "x.pt");
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  auto m = v.data_ptr<float>()[3];
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: the memory of 'v' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  auto q = torch::equal(h, x);
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  auto st = torch::stack({h, h});
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the memory of '{h, h}' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  std::vector<float> vec(h.data_ptr<float>(), h.data_ptr<float>() + h.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
}

// The pointers are older than the copy: their first use is reported.
float before(const torch::Tensor &x) {
  torch::Tensor h = torch::empty({4}, torch::TensorOptions().pinned_memory(true));
  float *p = h.data_ptr<float>();
  auto a = h.accessor<float, 1>();
  h.copy_(x.cuda(), true);
  // CHECK-FIXES: h.copy_(x.cuda());
  float s = p[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  s += p[1];
  return s + a[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
}

torch::Tensor upload(const std::vector<std::vector<float>> &chunks) {
  torch::Tensor device = torch::empty({8, 64}, torch::kCUDA);
  torch::Tensor staging = torch::empty({64}, torch::TensorOptions().pinned_memory(true));
  for (size_t i = 0; i < chunks.size(); ++i) {
    std::memcpy(staging.data_ptr<float>(), chunks[i].data(), 256);
    // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: the memory of 'staging' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
    device[int64_t(i)].copy_(staging, true);
    // CHECK-FIXES: device[int64_t(i)].copy_(staging);
  }
  torch::Tensor pinned = torch::rand({64}).pin_memory();
  auto other = pinned.to(torch::kCUDA, true);
  // CHECK-FIXES: auto other = pinned.to(torch::kCUDA);
  pinned.mul_(2);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the memory of 'pinned' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  pinned[0] = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the memory of 'pinned' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  return device + other;
}

torch::Tensor allocated(int64_t n) {
  float *p = nullptr;
  cudaHostAlloc(reinterpret_cast<void **>(&p), n * 4, 0);
  p[0] = 1;
  auto g = torch::from_blob(p, {n}).to(torch::kCUDA, true);
  // CHECK-FIXES: auto g = torch::from_blob(p, {n}).to(torch::kCUDA);
  p[0] = 2;
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: the memory of 'p[0]' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  std::memset(p, 0, 16);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the memory of 'p' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  cudaFreeHost(p);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the memory of 'p' is freed while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  return g;
}

torch::Tensor registered(std::vector<float> &v) {
  cudaHostRegister(v.data(), v.size() * 4, 0);
  auto host = torch::from_blob(v.data(), {int64_t(v.size())});
  auto g = torch::empty_like(host, torch::kCUDA);
  g.copy_(host, true);
  // CHECK-FIXES: g.copy_(host);
  v[0] = 3;
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: the memory of 'v[0]' is written while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  cudaHostUnregister(v.data());
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the memory of 'v.data()' is freed while a non-blocking copy may still read it; synchronize first, or make the copy a blocking one [torch-async-copy]
  return g;
}

class Pipe {
public:
  void start(const torch::Tensor &x) { host_.copy_(x.cuda(), true); }
  // CHECK-FIXES: void start(const torch::Tensor &x) { host_.copy_(x.cuda()); }
  float finish() {
    torch::cuda::synchronize();
    return host_[0].item<float>();
  }
  float both(const torch::Tensor &x) {
    start(x);
    return host_[0].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: the memory of 'host_' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  }

private:
  torch::Tensor host_ = torch::empty({4}, torch::TensorOptions().pinned_memory(true));
};

float many(const std::vector<torch::Tensor> &in) {
  std::vector<torch::Tensor> host;
  for (auto &x : in)
    host.push_back(x.cuda().to(torch::kCPU, true));
    // CHECK-FIXES: host.push_back(x.cuda().to(torch::kCPU));
  float s = 0;
  for (auto &h : host)
    s += h.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  std::for_each(host.begin(), host.end(), [&](const torch::Tensor &h) { s += h.data_ptr<float>()[0]; });
  // CHECK-MESSAGES: :[[@LINE-1]]:80: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
  return s;
}

float sometimes(const torch::Tensor &x, bool wait) {
  torch::Tensor h = x.cuda().to(torch::kCPU, true);
  // CHECK-FIXES: torch::Tensor h = x.cuda().to(torch::kCPU);
  if (wait)
    torch::cuda::synchronize();
  return h[0].item<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the memory of 'h' is used before the non-blocking copy to it is done; synchronize first, or make the copy a blocking one [torch-async-copy]
}
