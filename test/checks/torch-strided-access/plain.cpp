// RUN: %check_torch_tidy %s torch-strided-access %t
// Memory that is plain, or that is not read as if it were: nothing is reported.
#include <torch/torch.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

std::vector<float> copied(const torch::Tensor &t) {
  const float *p = t.data_ptr<float>();
  return std::vector<float>(p, p + t.numel());
}

void plain(int64_t n, float *out) {
  torch::Tensor m = torch::rand({n, 6});
  const torch::Tensor made[] = {
      m.t().contiguous(),
      m.t().clone(torch::MemoryFormat::Contiguous),
      m.t().flatten(),
      m.select(1, 2).clone(),
      m.select(1, 2) + 1,
      m.slice(0, 1, 3),
      m.unsqueeze(0),
      m.view({-1, 2, 3}),
      torch::rand({1, n}).t(),
      torch::rand({n, 1}).select(1, 0),
      torch::rand({1, 3, 1, 1}).permute({0, 2, 3, 1}),
      torch::matmul(m.t(), m),
      m.expand({n, 6}),
      m.index({torch::indexing::Slice(1, 4)}),
      m[2],
  };
  for (const torch::Tensor &t : made)
    std::memcpy(out, t.data_ptr<float>(), t.numel() * sizeof(float));
}

// Nothing is known of the layout.
float unknown_layout(const torch::Tensor &input) {
  torch::Tensor t = input.cpu().permute({1, 2, 0});
  return t.data_ptr<float>()[5];
}

// Sums and fills need no order.
float any_order(int64_t n) {
  torch::Tensor t = torch::rand({n, 3}).t();
  std::fill_n(t.data_ptr<float>(), t.numel(), 1.0f);
  return std::accumulate(t.data_ptr<float>(), t.data_ptr<float>() + t.numel(), 0.0f);
}

// The code knows the strides.
float with_strides(int64_t n) {
  torch::Tensor t = torch::rand({n, 3}).t();
  const float *p = t.data_ptr<float>();
  return p[1 * t.stride(0) + 2 * t.stride(1)];
}

float first(int64_t n) {
  torch::Tensor t = torch::rand({n, 3}).t();
  return t.data_ptr<float>()[0] + t.accessor<float, 2>()[1][2];
}

float guarded(int64_t n, bool turn) {
  torch::Tensor t = torch::rand({n, 3});
  if (turn)
    t = t.t();
  if (!t.is_contiguous())
    t = t.contiguous();
  return t.data_ptr<float>()[4];
}
