// RUN: %check_torch_tidy %s torch-deprecated-access %t -expect-remaining -config='{CheckOptions: [{key: torch-deprecated-access.PreferConst, value: "true"}]}'
// REQUIRES: torch2
#include <torch/torch.h>

#include <vector>

float reads(int64_t n) {
  const torch::Tensor t = torch::rand({n});
  float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: the memory of 't' is only read, but 'data_ptr' copies a copy-on-write storage; use 'const_data_ptr' [torch-deprecated-access]
  // CHECK-FIXES: const float *p = t.const_data_ptr<float>();
  std::vector<float> v(t.data_ptr<float>(), t.data_ptr<float>() + n);
  // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: the memory of 't' is only read, {{.*}} [torch-deprecated-access]
  // CHECK-FIXES: std::vector<float> v(t.const_data_ptr<float>(), t.const_data_ptr<float>() + n);
  return p[0] + v[1];
}

torch::Tensor writes(int64_t n) {
  torch::Tensor t = torch::empty({n});
  float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: the memory of 't' is only written, but 'data_ptr' does not say so; use 'mutable_data_ptr' [torch-deprecated-access]
  // CHECK-FIXES: float *p = t.mutable_data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    p[i] = 1.0f;
  return t;
}

// Both, or not known: plain data_ptr is right.
torch::Tensor both(int64_t n) {
  torch::Tensor t = torch::ones({n});
  float *p = t.data_ptr<float>();
  for (int64_t i = 1; i < n; ++i)
    p[i] += p[i - 1];
  return t;
}
void somewhere(float *p);
void escapes(int64_t n) {
  torch::Tensor t = torch::ones({n});
  somewhere(t.data_ptr<float>());
}
