// RUN: %check_torch_tidy %s torch-host-access %t
// An element known by its index: what happens to it by another name, or on one path.
#include <torch/torch.h>

#include <algorithm>
#include <vector>

float on_one_path(std::vector<torch::Tensor> v, bool flag) {
  if (flag)
    v[0] = v[0].cpu();
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}

float on_both_paths(std::vector<torch::Tensor> v, bool flag) {
  if (flag)
    v[0] = v[0].cpu();
  else
    v[0] = torch::ones({2});
  return v[0].data_ptr<float>()[0];
}

float by_a_variable(std::vector<torch::Tensor> v, torch::Tensor t, size_t i) {
  v[0] = torch::ones({2});
  v[i] = t.to(torch::kCUDA);
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}

float by_another_constant(std::vector<torch::Tensor> v, torch::Tensor t) {
  v[0] = torch::ones({2});
  v[1] = t.to(torch::kCUDA);
  return v[0].data_ptr<float>()[0];
}

float by_an_iterator(std::vector<torch::Tensor> v, torch::Tensor t) {
  v[0] = torch::ones({2});
  auto it = v.begin();
  *it = t.to(torch::kCUDA);
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}

float added(std::vector<torch::Tensor> v, torch::Tensor t) {
  v[0] = torch::ones({2});
  v.push_back(t.to(torch::kCUDA));
  return v[0].data_ptr<float>()[0];
}

float inserted(std::vector<torch::Tensor> v, torch::Tensor t) {
  v[0] = torch::ones({2});
  v.insert(v.begin(), t.to(torch::kCUDA));
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}

float erased(torch::Tensor t) {
  std::vector<torch::Tensor> v{torch::ones({2}), t.to(torch::kCUDA)};
  v[0] = torch::ones({2});
  v.erase(v.begin());
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}

float reversed(torch::Tensor t) {
  std::vector<torch::Tensor> v{torch::ones({2}), t.to(torch::kCUDA)};
  v[0] = torch::ones({2});
  std::reverse(v.begin(), v.end());
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].detach().cpu().data_ptr<float>()[0];
}

float exchanged(torch::Tensor t) {
  std::vector<torch::Tensor> v{torch::ones({2}), t.to(torch::kCUDA)};
  v[0] = torch::ones({2});
  v[1] = t.to(torch::kCUDA);
  std::swap(v[0], v[1]);
  return v[1].data_ptr<float>()[0];
}

float each_brought(std::vector<torch::Tensor> v) {
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = v[i].cpu();
  return v[0].data_ptr<float>()[0];
}

float each_brought_by_reference(std::vector<torch::Tensor> v, bool flag) {
  if (flag)
    v[0] = v[0] * 2;
  for (torch::Tensor &t : v)
    t = t.cpu();
  return v[0].data_ptr<float>()[0];
}

float tested_then_read(std::vector<torch::Tensor> v, bool flag) {
  const bool host = flag && v[0].is_cpu();
  if (host)
    return v[0].data_ptr<float>()[0];
  return 0;
}
