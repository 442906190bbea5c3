// RUN: %check_torch_tidy %s torch-host-access %t
// Reports without an edit, because none is known to be right.
#include <torch/torch.h>

#include <algorithm>
#include <vector>

// The copy would swallow what is written.
void written(torch::Tensor t) {
  float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
  p[0] = 1;
}

void written_in_place(torch::Tensor t) {
  t.data_ptr<float>()[0] += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
}

void written_through_accessor(torch::Tensor t) {
  auto a = t.accessor<float, 2>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
  a[0][0] = 1;
}

void written_by_algorithm(torch::Tensor t) {
  std::fill_n(t.data_ptr<float>(), t.numel(), 0.0f);
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
}

void read_and_written(torch::Tensor t) {
  std::sort(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
}

static void clear(float *values, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    values[i] = 0;
}

void written_by_callee(torch::Tensor t) {
  clear(t.data_ptr<float>(), t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
}

// A variable would be declared for one branch only, or once for all turns of the loop.
float without_braces(const torch::Tensor &t, bool wanted) {
  std::vector<float> v;
  if (wanted)
    v.assign(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  return v[0];
}

float in_a_loop_header(const torch::Tensor &t) {
  float sum = 0;
  for (const float *p = t.data_ptr<float>(), *end = p + t.numel(); p != end; ++p)
  // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    sum += *p;
  return sum;
}

// Evaluated only sometimes.
std::vector<float> in_a_conditional(const torch::Tensor &t, bool wanted) {
  return wanted ? std::vector<float>(t.data_ptr<float>(), t.data_ptr<float>() + 4) : std::vector<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
}

struct Copy {
  explicit Copy(const torch::Tensor &t)
      : values(t.data_ptr<float>(), t.data_ptr<float>() + t.numel()) {}
      // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  std::vector<float> values;
};

// The body of a macro.
#define FIRST(x) (x).data_ptr<float>()[0]
float in_a_macro(const torch::Tensor &t) {
  return FIRST(t);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: host code reads the memory of the tensor, which nothing proves to be on the host; copy it to the host first [torch-host-access]
}

// The pointer is declared further out than the copy could be.
float declared_outside(const torch::Tensor &t, bool wanted) {
  const float *p = nullptr;
  if (wanted) {
    p = t.data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  }
  return p ? p[0] : 0;
}

// Moving the call before the rest would change the order of effects.
float with_effects(const std::vector<torch::Tensor> &list, int i) {
  return list[i++].accessor<float, 1>()[i++];
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: host code reads the memory of 'list[i++]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
}
