// RUN: %check_torch_tidy %s torch-host-access %t
// Elements of braced lists are known by their places, as long as nothing moves them.
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <vector>

using Tensors = std::vector<torch::Tensor>;

static torch::Tensor chosen(bool f) { return torch::zeros({4}, f ? torch::kCUDA : torch::kCPU); }

float by_index(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  float r = v[0].data_ptr<float>()[0];
  return r + v[1].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 'v[1]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return r + v[1].cpu().data_ptr<float>()[0];
}

float brought(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  for (auto &t : v)
    t = t.cpu();
  return v[1].data_ptr<float>()[0];
}

float tested(bool f) {
  torch::Tensor b = chosen(f);
  Tensors v = {torch::zeros({4}), b};
  for (const auto &t : v)
    TORCH_CHECK(t.is_cpu());
  return v[1].data_ptr<float>()[0] + b.data_ptr<float>()[0];
}

float assigned_on_one_path(bool f, bool g) {
  torch::Tensor a = torch::zeros({4}), b = chosen(f);
  Tensors v = {a, b};
  if (g)
    v = {b, a};
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float elements_swapped(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  std::swap(v[0], v[1]);
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float lists_swapped(bool f) {
  torch::Tensor a = torch::zeros({4}), b = chosen(f);
  Tensors v = {a, b}, w = {b, a};
  v.swap(w);
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float erased(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  v.erase(v.begin());
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float replaced_at_the_end(bool f) {
  torch::Tensor b = chosen(f);
  Tensors v = {torch::zeros({4})};
  v.pop_back();
  v.push_back(b);
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float reversed(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  std::reverse(v.begin(), v.end());
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float in_an_array(bool f) {
  torch::Tensor v[] = {torch::zeros({4}), chosen(f)};
  float r = v[0].data_ptr<float>()[0];
  torch::Tensor *p = v;
  p++;
  return r + p[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 'p[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return r + p[0].cpu().data_ptr<float>()[0];
}

void mix(Tensors &v) { std::swap(v[0], v[1]); }

float by_callee(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  mix(v);
  return v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return v[0].cpu().data_ptr<float>()[0];
}

float copied(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  auto w = v;
  auto x = std::move(v);
  return w[0].data_ptr<float>()[0] + x[0].data_ptr<float>()[0];
}

float rotated(bool f) {
  std::array<torch::Tensor, 2> v{torch::zeros({4}), chosen(f)};
  float r = v[0].data_ptr<float>()[0];
  std::rotate(v.begin(), v.begin() + 1, v.end());
  return r + v[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 'v[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return r + v[0].cpu().data_ptr<float>()[0];
}

float part_of_a_list(bool f) {
  Tensors v = {torch::zeros({4}), chosen(f)};
  at::TensorList l = v;
  float r = l[0].data_ptr<float>()[0];
  return r + l.slice(1)[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: host code reads the memory of 'l.slice(1)[0]', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return r + l.slice(1)[0].cpu().data_ptr<float>()[0];
}

float moving_pointer(torch::Tensor *ts) {
  if (!ts[0].is_cpu())
    return 0;
  float r = ts[0].data_ptr<float>()[0];
  ts++;
  return r + ts[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: host code reads the memory of 'ts[0]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return r + ts[0].detach().cpu().data_ptr<float>()[0];
}
