// RUN: %check_torch_tidy %s torch-host-access %t
// What counts as host use of a pointer into a tensor's memory.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>
#include <vector>

float subscript(const torch::Tensor &t) {
  return t.data_ptr<float>()[3];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[3];
}

float dereference(const torch::Tensor &t) {
  return *t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return *t.detach().cpu().data_ptr<float>();
}

double offset_and_cast(const torch::Tensor &t) {
  return *(reinterpret_cast<const double *>(t.data_ptr()) + 2);
  // CHECK-MESSAGES: :[[@LINE-1]]:47: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return *(reinterpret_cast<const double *>(t.detach().cpu().data_ptr()) + 2);
}

void copied(const torch::Tensor &t, float *out) {
  std::memcpy(out, t.data_ptr<float>(), t.nbytes());
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: std::memcpy(out, t.detach().cpu().data_ptr<float>(), t.nbytes());
}

bool compared(const torch::Tensor &t, const void *other) {
  return memcmp(t.data_ptr(), other, 16) == 0;
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return memcmp(t.detach().cpu().data_ptr(), other, 16) == 0;
}

void written_to_file(const torch::Tensor &t, FILE *file) {
  fwrite(t.data_ptr(), 1, t.nbytes(), file);
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: fwrite(t.detach().cpu().data_ptr(), 1, t.nbytes(), file);
}

void written_to_stream(const torch::Tensor &t, std::ostream &out) {
  out.write(reinterpret_cast<const char *>(t.data_ptr<float>()), t.nbytes());
  // CHECK-MESSAGES: :[[@LINE-1]]:46: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: out.write(reinterpret_cast<const char *>(t.detach().cpu().data_ptr<float>()), t.nbytes());
}

std::vector<float> constructed(const torch::Tensor &t) {
  return std::vector<float>(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: return std::vector<float>(t_host.data_ptr<float>(), t_host.data_ptr<float>() + t.numel());
}

void assigned(const torch::Tensor &t, std::vector<float> &v) {
  v.assign(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: v.assign(t_host.data_ptr<float>(), t_host.data_ptr<float>() + t.numel());
}

void inserted(const torch::Tensor &t, std::vector<float> &v) {
  v.insert(v.end(), t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: v.insert(v.end(), t_host.data_ptr<float>(), t_host.data_ptr<float>() + t.numel());
}

float algorithm(const torch::Tensor &t) {
  return std::accumulate(t.data_ptr<float>(), t.data_ptr<float>() + t.numel(), 0.0f);
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: return std::accumulate(t_host.data_ptr<float>(), t_host.data_ptr<float>() + t.numel(), 0.0f);
}

void copied_by_algorithm(const torch::Tensor &t, std::vector<float> &v) {
  std::copy_n(t.data_ptr<float>(), t.numel(), v.begin());
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: std::copy_n(t.detach().cpu().data_ptr<float>(), t.numel(), v.begin());
}

float element_access(const torch::Tensor &t) {
  auto a = t.accessor<float, 1>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: auto a = t_host.accessor<float, 1>();
  return a[0];
}

float packed_in_host_code(const torch::Tensor &t) {
  auto a = t.packed_accessor64<float, 1>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: auto a = t_host.packed_accessor64<float, 1>();
  return a[0];
}

torch::Tensor wrapped(const torch::Tensor &t) {
  return torch::from_blob(t.data_ptr<float>(), {t.numel()}).clone();
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return torch::from_blob(t.detach().cpu().data_ptr<float>(), {t.numel()}).clone();
}

struct View {
  const float *data;
  int64_t size;
};

float through_a_field(const torch::Tensor &t) {
  View view{t.data_ptr<float>(), t.numel()};
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: View view{t_host.data_ptr<float>(), t.numel()};
  return view.data[view.size - 1];
}

float through_a_reference(const torch::Tensor &t) {
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  const float *const &r = p;
  return r[1];
}

float in_a_lambda(const torch::Tensor &t) {
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  auto at = [p](int i) { return p[i]; };
  return at(2);
}

static float sum(const float *values, int64_t n) {
  float total = 0;
  for (int64_t i = 0; i < n; ++i)
    total += values[i];
  return total;
}

float in_a_callee(const torch::Tensor &t) {
  return sum(t.data_ptr<float>(), t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: return sum(t_host.data_ptr<float>(), t.numel());
}

float in_a_loop(const torch::Tensor &t) {
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  float total = 0;
  while (p != nullptr && total < 10)
    total += *p++;
  return total;
}
