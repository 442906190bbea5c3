// REQUIRES: llvm-22, torch1, cuda
// RUN: %check_torch_tidy %s torch-* %t -no-pch -expect-remaining -- %cuda_flags
// Kernel launches: what the device reads is no host access, and edits leave it its memory.
#include <torch/torch.h>

#include <cuda_runtime.h>

__global__ void scale(float *data, float factor, int64_t n) {
  const int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

__global__ void set_first(torch::PackedTensorAccessor32<float, 1> values) { values[0] = 1; }

template <typename T> __global__ void fill(T *data, T value) { data[threadIdx.x] = value; }

__device__ float first(const float *data) { return data[0]; }

void launch(torch::Tensor t) { scale<<<1, 64>>>(t.data_ptr<float>(), 2.f, t.numel()); }

void launch_with_a_packed_accessor(torch::Tensor t) {
  set_first<<<1, 1>>>(t.packed_accessor32<float, 1>());
}

void launch_for_each_type(torch::Tensor t) {
  AT_DISPATCH_FLOATING_TYPES(t.scalar_type(), "fill", [&] {
    scalar_t *data = t.data_ptr<scalar_t>();
    fill<scalar_t><<<1, 64>>>(data, scalar_t(1));
  });
}

void copy_to_the_device(torch::Tensor t, const std::vector<float> &values) {
  TORCH_CHECK(t.is_cuda());
  cudaMemcpy(t.data_ptr<float>(), values.data(), values.size() * sizeof(float),
             cudaMemcpyHostToDevice);
}

float launch_and_read(torch::Tensor t) {
  TORCH_CHECK(t.is_cuda());
  float *data = t.data_ptr<float>();
  scale<<<1, 64>>>(data, 2.f, t.numel());
  return data[0];
}
// CHECK-MESSAGES: :[[@LINE-4]]:19: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]

float read_after_the_launch(torch::Tensor t) {
  TORCH_CHECK(t.is_cuda());
  scale<<<1, 64>>>(t.data_ptr<float>(), 2.f, t.numel());
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}
