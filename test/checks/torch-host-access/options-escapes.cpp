// RUN: %check_torch_tidy %s torch-host-access %t -config='{CheckOptions: [{key: ReportEscapes, value: true}]}'
// RUN: %check_torch_tidy %s torch-host-access %t -config='{CheckOptions: [{key: ReportEscapes, value: true}, {key: torch-host-access.MinEvidence, value: likely}]}' -check-suffix=LIKELY
#include <torch/torch.h>

void elsewhere(float *data, int64_t n);
struct Sink {
  float *data = nullptr;
};
void fill(Sink &sink);

void handed(const torch::Tensor &x) {
  elsewhere(x.data_ptr<float>(), x.numel());
  // CHECK-NOTES: :[[@LINE-1]]:15: warning: the pointer to the memory of 'x', which nothing proves to be on the host, goes where this file does not see; copy the tensor to the host first if host code reads it there [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:34: note: nothing is known about the device of parameter 'x'
}

void later(torch::Tensor x, torch::Device device) {
  x = x.to(device);
  float *p = x.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:16: warning: the pointer to the memory of 'x', which may be on an accelerator, goes where this file does not see; copy the tensor to the host first if host code reads it there [torch-host-access]
  // CHECK-NOTES: :[[@LINE+3]]:3: note: the pointer is handed out here
  // CHECK-NOTES: :[[@LINE-5]]:43: note: the device is chosen at run time, by parameter 'device'
  // CHECK-MESSAGES-LIKELY: :[[@LINE-4]]:16: warning: the pointer to the memory of 'x', which may be on an accelerator, goes where this file does not see; copy the tensor to the host first if host code reads it there [torch-host-access]
  elsewhere(p, x.numel());
}

float *returned(torch::Tensor &x) {
  return x.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: the pointer to the memory of 'x', which nothing proves to be on the host, goes where this file does not see; copy the tensor to the host first if host code reads it there [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:32: note: nothing is known about the device of parameter 'x'
}

// One use that is seen is enough for the usual report. Nobody knows whether the other function writes, or is for the device:
// a copy is no memory for it.
float both(const torch::Tensor &x) {
  float *p = x.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:16: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE+3]]:10: note: the memory is read here
  // CHECK-NOTES: :[[@LINE-4]]:33: note: nothing is known about the device of parameter 'x'
  elsewhere(p, 1);
  return p[0];
}

// Only this file calls it, and its caller's use is seen.
static float *inside(torch::Tensor &x) { return x.data_ptr<float>(); }

float guarded(torch::Tensor &x) {
  TORCH_CHECK(x.device().is_cpu());
  elsewhere(x.data_ptr<float>(), 1);
  return inside(x)[0];
}

// A library of the device gets memory of the device.
extern "C" int cublasSaxpy_v2(void *handle, int n, const float *alpha, const float *x, int incx, float *y, int incy);
void device(void *handle, const torch::Tensor &x, torch::Tensor &y, float alpha) {
  cublasSaxpy_v2(handle, static_cast<int>(x.numel()), &alpha, x.data_ptr<float>(), 1, y.data_ptr<float>(), 1);
}
