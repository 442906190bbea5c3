// RUN: %check_torch_tidy %s torch-host-access %t -expect-remaining
// Tensors in a std::array.
#include <torch/torch.h>

#include <array>
#include <vector>

float made_of(const torch::Tensor &a, const torch::Tensor &b) {
  std::array<torch::Tensor, 2> v = {a, b};
  return v[1].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[1]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[1].detach().cpu().data_ptr<float>()[0];
}

float another_assigned(const torch::Tensor &a, const torch::Tensor &b) {
  std::array<torch::Tensor, 2> v = {a, a};
  v[0] = torch::ones({4});
  return v[1].data_ptr<float>()[0] + b.numel();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[1]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[1].detach().cpu().data_ptr<float>()[0] + b.numel();
}

float of_host_tensors() {
  std::array<torch::Tensor, 2> v = {torch::ones({4}), torch::zeros({4})};
  return v[1].data_ptr<float>()[0];
}

// The elements are replaced; what they were made of is not.
float replaced_in_a_loop(const torch::Tensor &t) {
  std::array<torch::Tensor, 2> v = {t, t};
  for (torch::Tensor &e : v)
    e = e.cpu();
  return v[0].data_ptr<float>()[0] + t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].data_ptr<float>()[0] + t.detach().cpu().data_ptr<float>()[0];
}

float proven_in_a_loop(const torch::Tensor &t) {
  std::array<torch::Tensor, 2> v = {t, t};
  for (torch::Tensor &e : v)
    TORCH_CHECK(e.is_cpu());
  return v[0].data_ptr<float>()[0] + t.data_ptr<float>()[0];
}

float copies_replaced(const torch::Tensor &t) {
  std::vector<torch::Tensor> v = {t, t};
  for (torch::Tensor e : v)
    e = e.cpu();
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}
