// RUN: %check_torch_tidy %s torch-transfer-in-loop %t -expect-remaining=10
// Tensors that do not change in the loop: in all kinds of loops, through views, helpers, lambdas, members, containers.
#include <torch/torch.h>

#include <cstdint>
#include <vector>

static float element(const torch::Tensor &t, int64_t i) { return t[i].item<float>(); }
// CHECK-MESSAGES: :[[@LINE-1]]:71: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]

float by_helper(int64_t n) {
  torch::Tensor t = torch::rand({n}, torch::kCUDA);
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += element(t, i);
  return s;
}

float by_lambda(int64_t n) {
  torch::Tensor t = torch::rand({n}, torch::kCUDA);
  auto get = [&](int64_t i) { return t[i].item<float>(); };
  // CHECK-MESSAGES: :[[@LINE-1]]:43: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += get(i);
  return s;
}

class Grid {
public:
  float sum() {
    float s = 0;
    for (int64_t i = 0; i < 8; ++i)
    // CHECK-FIXES: const auto cells_host = cells_.detach().cpu();
      for (int64_t j = 0; j < 8; ++j)
        s += cells_[i][j].item<float>();
        // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: a number of 'cells_' is fetched from the accelerator in every turn of the loop, in which 'cells_' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
        // CHECK-FIXES: s += cells_host[i][j].item<float>();
    return s;
  }

private:
  torch::Tensor cells_ = torch::zeros({8, 8}, torch::kCUDA);
};

float loops(int64_t n) {
  torch::Tensor t = torch::rand({n}, torch::kCUDA);
  float s = 0;
  int64_t i = 0;
  while (i < n) {
    s += t.cpu().data_ptr<float>()[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 't' is copied from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += t.to(torch::kCPU)[i].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 't' is copied from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += t.to("cpu").data_ptr<float>()[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 't' is copied from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    ++i;
  }
  do {
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
    s += t.index({i}).item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += t.select(0, i).item().toFloat();
    // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += t.slice(0, i, i + 1).item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += t.view(-1)[i].to(torch::kDouble).item<double>();
    // CHECK-MESSAGES: :[[@LINE-1]]:43: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-FIXES: s += t_host.index({i}).item<float>();
    // CHECK-FIXES: s += t_host.select(0, i).item().toFloat();
    // CHECK-FIXES: s += t_host.slice(0, i, i + 1).item<float>();
    // CHECK-FIXES: s += t_host.view(-1)[i].to(torch::kDouble).item<double>();
  } while (--i > 0);
  for (;;) {
  // CHECK-FIXES: const auto t_host2 = t.detach().cpu();
    if (t[i].item<float>() > 0.5f)
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-FIXES: if (t_host2[i].item<float>() > 0.5f)
      break;
    ++i;
  }
  return s;
}

float elements(int64_t n) {
  std::vector<torch::Tensor> v;
  for (int64_t i = 0; i < n; ++i)
    v.push_back(torch::rand({n}, torch::kCUDA));
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += v[0][i].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: a number of 'v[0]' is fetched from the accelerator in every turn of the loop, in which 'v[0]' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
  for (auto &t : v)
    for (int64_t i = 0; i < n; ++i)
      s += t[i].item<float>();
      // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
  for (auto &t : v) {
    for (int64_t i = 0; i < n; ++i)
    // CHECK-FIXES: const auto t_host = t.detach().cpu();
      s += t[i].item<float>();
      // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
      // CHECK-FIXES: s += t_host[i].item<float>();
  }
  return s;
}

float results(int64_t n) {
  auto r = torch::rand({n, n}, torch::kCUDA).max(1);
  auto [values, indices] = torch::rand({n, n}, torch::kCUDA).topk(3);
  float s = 0;
  for (int64_t i = 0; i < n; ++i) {
  // CHECK-FIXES: const auto values_host = values.detach().cpu();
  // CHECK-FIXES-NEXT: const auto indices_host = indices.detach().cpu();
    s += std::get<0>(r)[i].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: a number of 'std::get<0>(r)' is fetched from the accelerator in every turn of the loop, in which 'std::get<0>(r)' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += values[i][0].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: a number of 'values' is fetched from the accelerator in every turn of the loop, in which 'values' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    s += indices[i][0].item<int64_t>();
    // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: a number of 'indices' is fetched from the accelerator in every turn of the loop, in which 'indices' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-FIXES: s += values_host[i][0].item<float>();
    // CHECK-FIXES: s += indices_host[i][0].item<int64_t>();
  }
  return s;
}

// Only where it is not on the host.
float guarded(const torch::Tensor &x, bool gpu) {
  torch::Tensor t = x;
  if (gpu)
    t = t.cuda();
  float s = 0;
  if (t.is_cuda()) {
    for (int64_t i = 0; i < t.size(0); ++i)
    // CHECK-FIXES: const auto t_host = t.detach().cpu();
      s += t[i].item<float>();
      // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
      // CHECK-FIXES: s += t_host[i].item<float>();
  }
  for (int64_t i = 0; i < t.size(0); ++i)
  // CHECK-FIXES: const auto t_host2 = t.detach().cpu();
    s += t[i].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: a number of 't' is fetched from the accelerator in every turn of the loop, in which 't' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-FIXES: s += t_host2[i].item<float>();
  return s;
}

void rows(int64_t n, std::vector<float> &out) {
  torch::Tensor b = torch::rand({n, 4}, torch::kCUDA);
  // One report for a tensor in a full expression.
  for (int64_t i = 0; i < n; ++i)
  // CHECK-FIXES: const auto b_host = b.detach().cpu();
    out.insert(out.end(), {b[i][0].item<float>(), b[i][1].item<float>()});
    // CHECK-MESSAGES: :[[@LINE-1]]:36: warning: a number of 'b' is fetched from the accelerator in every turn of the loop, in which 'b' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-FIXES: out.insert(out.end(), {b_host[i][0].item<float>(), b_host[i][1].item<float>()});
  for (int64_t i = 0; i < n; ++i) {
    auto row = b[i];
    out.push_back(row[0].item<float>());
    // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: a number of 'row' is fetched from the accelerator in every turn of the loop, in which 'row' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    auto host = row.cpu();
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'row' is copied from the accelerator in every turn of the loop, in which 'row' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
  }
}
