// RUN: %check_torch_tidy %s torch-host-access %t -config='{CheckOptions: [{key: FixStyle, value: shim}]}' -expect-remaining=1 -- -I%runtime_include
#include <torch/torch.h>
#include <cstring>
#include <vector>

// CHECK-FIXES: #include <torch_host/torch_host.h>
std::vector<float> to_vector(const torch::Tensor &values) {
  return std::vector<float>(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:36: warning: host code reads the memory of 'values', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto values_view = torch_host::host_view<const float>(values);
  // CHECK-FIXES-NEXT: return std::vector<float>(values_view.data(), values_view.data() + values.numel());
}

float kept(const torch::Tensor &t, int64_t n) {
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_view = torch_host::host_view<const float>(t);
  // CHECK-FIXES-NEXT: const float *p = t_view.data();
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += p[i];
  return sum;
}

void written(torch::Tensor &t) {
  float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
  // CHECK-FIXES: auto t_view = torch_host::host_view_mut<float>(t);
  // CHECK-FIXES-NEXT: float *p = t_view.data();
  for (int64_t i = 0; i < t.numel(); ++i)
    p[i] = 1;
  t.add_(1);
  // CHECK-FIXES: t_view.commit();
}

void copied(torch::Tensor out, const float *from, size_t n) {
  std::memcpy(out.data_ptr<float>(), from, n * sizeof(float));
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code writes the memory of 'out', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
  // CHECK-FIXES: auto out_view = torch_host::host_view_mut<float>(out);
  // CHECK-FIXES-NEXT: std::memcpy(out_view.data(), from, n * sizeof(float));
  // CHECK-FIXES-NEXT: out_view.commit();
}

// The tensor is used while the pointer lives: what was written so far would be missing.
float between(torch::Tensor &t) {
  float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
  p[0] = 1;
  float sum = t.sum().item<float>();
  p[1] = sum;
  return sum;
}

// The pointer is not one to const, so that the view does not fit: a copy does.
void handed(const torch::Tensor &t, std::vector<float> &out) {
  float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: float *p = t_host.data_ptr<float>();
  out.assign(p, p + 4);
}
