// RUN: %check_torch_tidy %s torch-dangling-data %t
// Somebody still owns the memory: no report.
#include <torch/torch.h>

#include <cstring>
#include <utility>
#include <vector>

float view_of_a_variable(const torch::Tensor &t) {
  const float *p = t.view({-1}).data_ptr<float>();
  const float *q = t.detach().data_ptr<float>(), *r = t.t().data_ptr<float>(), *s = t[0].data_ptr<float>();
  return p[0] + q[0] + r[0] + s[0];
}

float parameter_of_a_module(torch::nn::Linear &layer) {
  torch::NoGradGuard no_grad;
  const float *p = layer->weight.data_ptr<float>();
  return p[0];
}

float element_of_a_list(const std::vector<torch::Tensor> &list) {
  const float *p = list[0].data_ptr<float>();
  return p[0];
}

void within_the_expression(const torch::Tensor &t, float *out) {
  std::memcpy(out, t.cpu().contiguous().data_ptr<float>(), t.nbytes());
  out[0] = (t + 1).data_ptr<float>()[0];
}

float kept_in_a_variable(const torch::Tensor &t) {
  torch::Tensor host = t.cpu();
  const float *p = host.data_ptr<float>();
  return p[0];
}

float lifetime_extended(const torch::Tensor &t) {
  const torch::Tensor &sum = t + 1;
  const float *p = sum.data_ptr<float>();
  return p[0];
}

float another_handle() {
  torch::Tensor t = torch::ones({4});
  torch::Tensor keep = t;
  const float *p = t.data_ptr<float>();
  t = torch::zeros({4});
  return p[0] + keep.numel();
}

float a_view_keeps_the_storage() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  torch::Tensor row = t[0];
  t.reset();
  return p[0] + row.dim();
}

float moved() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  torch::Tensor u = std::move(t);
  return p[0] + u.numel();
}

float kept_in_a_list() {
  std::vector<torch::Tensor> list;
  list.push_back(torch::ones({4}));
  const float *p = list[0].data_ptr<float>();
  return p[0];
}

struct Leaving {
  torch::Tensor owner;
  const float *data;
};

Leaving with_its_owner() {
  torch::Tensor t = torch::ones({4});
  return {t, t.data_ptr<float>()};
}

class Cache {
public:
  const float *data() {
    memory_ = torch::zeros({8});
    return memory_.data_ptr<float>();
  }

private:
  torch::Tensor memory_;
};

const float *of_a_parameter(const torch::Tensor &t) { return t.data_ptr<float>(); }

float a_copy_of_the_shape(const torch::Tensor &t) {
  std::vector<int64_t> sizes = t.view({-1}).sizes().vec();
  return sizes[0];
}

int64_t a_shape_within_the_expression(const torch::Tensor &t) { return t.view({-1}).sizes()[0]; }

float new_memory_and_new_pointer() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  t = torch::zeros({4});
  p = t.data_ptr<float>();
  return p[0];
}
