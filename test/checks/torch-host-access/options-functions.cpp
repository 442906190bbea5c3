// RUN: %check_torch_tidy %s torch-host-access %t -config="{CheckOptions: [{key: torch-host-access.HostFunctions, value: 'save_floats;image::.*'}, {key: torch-host-access.DeviceFunctions, value: 'launch_blur'}, {key: torch-host-access.CpuGuards, value: 'ensure_host;on_host'}, {key: torch-host-access.CudaGuards, value: 'ensure_device'}]}"
// HostFunctions, DeviceFunctions, CpuGuards and CudaGuards teach the check functions whose bodies it does not see.
#include <torch/torch.h>

void save_floats(const char *path, const float *values, int64_t n);
namespace image {
void show(const void *pixels);
}
void unknown(const float *values);

void host_function(const torch::Tensor &t) {
  save_floats("values", t.data_ptr<float>(), t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: save_floats("values", t.detach().cpu().data_ptr<float>(), t.numel());
}

void host_function_by_pattern(const torch::Tensor &t) {
  image::show(t.data_ptr());
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: image::show(t.detach().cpu().data_ptr());
}

void not_taught(const torch::Tensor &t) { unknown(t.data_ptr<float>()); }

// A function with a body that looks like host use, but hands the pointer to the device.
inline void launch_blur(float *values) { values[0] = 0; }
void device_function(torch::Tensor t) { launch_blur(t.data_ptr<float>()); }

void ensure_host(const torch::Tensor &t, const char *name);
bool on_host(const torch::Tensor &a, const torch::Tensor &b);
void ensure_device(const torch::Tensor &t);

float guarded(const torch::Tensor &t) {
  ensure_host(t, "t");
  return t.data_ptr<float>()[0];
}

float guarded_by_predicate(const torch::Tensor &a, const torch::Tensor &b) {
  if (!on_host(a, b))
    return 0;
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0];
}

float wrong_guard(const torch::Tensor &t) {
  ensure_device(t);
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}
