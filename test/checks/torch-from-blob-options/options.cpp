// RUN: %check_torch_tidy %s torch-from-blob-options %t -expect-remaining
#include <torch/torch.h>

#include <array>
#include <vector>

torch::Tensor no_options(std::vector<double> &values) {
  return torch::from_blob(values.data(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the memory holds elements of type 'double', but the default options say 'float': the tensor's elements are garbage; name the type with '.dtype(torch::kDouble)' [torch-from-blob-options]
  // CHECK-FIXES: return torch::from_blob(values.data(), {4}, torch::TensorOptions().dtype(torch::kDouble));
}

torch::Tensor other_constant(int64_t *values) {
  return torch::from_blob(values, {4}, torch::kInt);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the memory holds elements of type 'int64_t', but the options say 'int32_t': the tensor's elements are garbage; name the type with '.dtype(torch::kLong)' [torch-from-blob-options]
  // CHECK-FIXES: return torch::from_blob(values, {4}, torch::kLong);
}

torch::Tensor in_chain(int (&values)[4]) {
  return torch::from_blob(values, {4}, torch::TensorOptions().dtype(torch::kFloat).requires_grad(false));
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the memory holds elements of type 'int32_t', but the options say 'float': the tensor's elements are garbage; name the type with '.dtype(torch::kInt)' [torch-from-blob-options]
  // CHECK-FIXES: return torch::from_blob(values, {4}, torch::TensorOptions().dtype(torch::kInt).requires_grad(false));
}

torch::Tensor in_variable(std::vector<at::Half> &values) {
  auto options = torch::TensorOptions().requires_grad(false);
  return torch::from_blob(values.data(), {4}, options);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the memory holds elements of type 'at::Half', but the options say 'float': the tensor's elements are garbage; name the type with '.dtype(torch::kHalf)' [torch-from-blob-options]
  // CHECK-FIXES: return torch::from_blob(values.data(), {4}, options.dtype(torch::kHalf));
}

torch::Tensor behind_cast(std::vector<double> &values) {
  return torch::from_blob((float *)values.data(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the memory holds elements of type 'double', but the default options say 'float': the tensor's elements are garbage; name the type with '.dtype(torch::kDouble)' [torch-from-blob-options]
  // CHECK-FIXES: return torch::from_blob((float *)values.data(), {4}, torch::TensorOptions().dtype(torch::kDouble));
}

torch::Tensor host_as_device() {
  std::vector<float> values(4);
  return torch::from_blob(values.data(), {4}, torch::TensorOptions().dtype(torch::kFloat).device(torch::kCUDA)) + 1;
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: host memory of 'values' is described as memory of an accelerator: the first use there fails; make the tensor on the CPU and move it with '.to(device)' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-2]]:98: note: the accelerator is chosen here
  // CHECK-FIXES: return torch::from_blob(values.data(), {4}, torch::TensorOptions().dtype(torch::kFloat)).to(torch::kCUDA) + 1;
}

torch::Tensor host_as_some_device(std::array<float, 4> &values, const torch::Device &device) {
  const auto options = torch::TensorOptions().device(device);
  return torch::from_blob(values.data(), {4}, options) + torch::from_blob(values.data(), {4}, device) +
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: host memory of 'values' may be described as memory of an accelerator: the first use there fails; make the tensor on the CPU and move it with '.to(device)' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-4]]:86: note: the device is chosen at run time, by parameter 'device'
  // CHECK-NOTES: :[[@LINE-3]]:58: warning: host memory of 'values' may be described as memory of an accelerator: the first use there fails; make the tensor on the CPU and move it with '.to(device)' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-6]]:86: note: the device is chosen at run time, by parameter 'device'
         torch::from_blob(values.data(), {4}, torch::device(device).requires_grad(false));
         // CHECK-NOTES: :[[@LINE-1]]:10: warning: host memory of 'values' may be described as memory of an accelerator: the first use there fails; make the tensor on the CPU and move it with '.to(device)' [torch-from-blob-options]
         // CHECK-NOTES: :[[@LINE-9]]:86: note: the device is chosen at run time, by parameter 'device'
         // CHECK-FIXES: return torch::from_blob(values.data(), {4}, options.device(torch::kCPU)).to(options.device()) + torch::from_blob(values.data(), {4}, torch::kCPU).to(device) +
         // CHECK-FIXES: torch::from_blob(values.data(), {4}, torch::TensorOptions().requires_grad(false)).to(device);
}

torch::Tensor device_as_host(const torch::Tensor &t) {
  torch::Tensor gpu = t.cuda();
  torch::Tensor whole = torch::from_blob(gpu.data_ptr<float>(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:25: warning: memory that is on an accelerator is described as host memory: reading the tensor crashes; name the device in the options, '.device(gpu.device())' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-3]]:25: note: moved to an accelerator here
  return whole + torch::from_blob(gpu.data_ptr(), {4}, torch::kFloat);
  // CHECK-NOTES: :[[@LINE-1]]:18: warning: memory that is on an accelerator is described as host memory: reading the tensor crashes; name the device in the options, '.device(gpu.device())' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-6]]:25: note: moved to an accelerator here
  // CHECK-FIXES: torch::Tensor whole = torch::from_blob(gpu.data_ptr<float>(), {4}, torch::TensorOptions().device(gpu.device()));
  // CHECK-FIXES: return whole + torch::from_blob(gpu.data_ptr(), {4}, torch::TensorOptions(torch::kFloat).device(gpu.device()));
}

torch::Tensor const_memory(const std::vector<float> &values) {
  torch::Tensor t = torch::from_blob(const_cast<float *>(values.data()), {4});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: const memory is wrapped by way of a cast and then changed in place, behind the back of its owner; copy it with '.clone()' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE+1]]:18: note: the memory is changed here
  t.view({2, 2}).add_(1);
  return t.clone();
}

enum cudaError_t { cudaSuccess };
extern "C" cudaError_t cudaMalloc(void **pointer, size_t size);

torch::Tensor allocated(int64_t n) {
  float *values = nullptr;
  cudaMalloc((void **)&values, n * sizeof(float));
  return torch::from_blob(values, {n}) + torch::from_blob(values, {n}, torch::kCUDA);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: memory that is on an accelerator is described as host memory: reading the tensor crashes; name the device in the options, '.device(torch::kCUDA)' [torch-from-blob-options]
  // CHECK-FIXES: return torch::from_blob(values, {n}, torch::TensorOptions().device(torch::kCUDA)) + torch::from_blob(values, {n}, torch::kCUDA);
}

torch::Tensor host_array(int64_t n) {
  float *values = new float[n];
  return torch::from_blob(values, {n}, torch::kCUDA);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: host memory of 'values' is described as memory of an accelerator: the first use there fails; make the tensor on the CPU and move it with '.to(device)' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-2]]:40: note: the accelerator is chosen here
  // CHECK-FIXES: return torch::from_blob(values, {n}, torch::kCPU).to(torch::kCUDA);
}

// Copied to the host on another path.
torch::Tensor copied_elsewhere(const torch::Tensor &t, bool copy) {
  if (copy)
    return t.cpu();
  return torch::from_blob(t.data_ptr<float>(), {4}).clone();
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: memory that may be on an accelerator is described as host memory: reading the tensor crashes; name the device in the options, '.device(t.device())' [torch-from-blob-options]
  // CHECK-NOTES: :[[@LINE-3]]:14: note: the tensor is copied to the host here, so it may be elsewhere
  // CHECK-FIXES: return torch::from_blob(t.data_ptr<float>(), {4}, torch::TensorOptions().device(t.device())).clone();
}
