// RUN: %check_torch_tidy %s torch-host-access %t -expect-remaining
// Reduced programs that the check once judged or mended wrongly.
#include <torch/torch.h>

#include <cstring>
#include <map>
#include <memory>

// A guard on one path is no guard on the other.
float on_one_path(const torch::Tensor &t, bool checked) {
  if (checked)
    TORCH_CHECK(t.is_cpu());
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

float either(const torch::Tensor &t, bool forced) {
  if (forced || t.is_cpu())
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

// The read comes after the branches have met.
float conditional_of_lvalues(const torch::Tensor &t) {
  return t.is_cpu() ? t.data_ptr<float>()[0] : t.cpu().data_ptr<float>()[0];
}

float pointer_of_two_branches(const torch::Tensor &t) {
  const float *p = nullptr;
  torch::Tensor host;
  if (t.is_cpu()) {
    p = t.data_ptr<float>();
  } else {
    host = t.cpu();
    p = host.data_ptr<float>();
  }
  return p[0];
}

float map_of_host_tensors() {
  std::map<int, torch::Tensor> table;
  table[0] = torch::ones({4});
  return table[0].data_ptr<float>()[0];
}

float behind_a_pointer(const torch::Tensor *t) {
  return t->data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t->detach().cpu().data_ptr<float>()[0];
}

float behind_a_smart_pointer(const std::unique_ptr<torch::Tensor> &t) {
  const float *p = t->data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = {{t|\(t\)}}->detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  return p[0];
}

// The edit goes to the tensor, not into the middle of the chain.
void storage_chain(const torch::Tensor &t, char *out) {
  std::memcpy(out, t.storage().data_ptr().get(), 4);
  // CHECK-MESSAGES: :[[@LINE-1]]:43: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: std::memcpy(out, t.detach().cpu().storage().data_ptr().get(), 4);
}

// at::TensorBase has no detach(): no edit.
float tensor_base(const torch::TensorBase &t) {
  return static_cast<const float *>(t.data_ptr())[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
}

// The number is a copy: no variable is needed.
torch::Tensor number(const torch::Tensor &t) {
  float first = t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: float first = t.detach().cpu().data_ptr<float>()[0];
  return t * 2 + first;
}
