// RUN: %check_torch_tidy %s torch-host-access %t
// Edits: in place where the pointer dies with the full expression, into a variable where it is kept.
#include <torch/torch.h>

#include <cstring>
#include <memory>
#include <vector>

float on_a_temporary(const torch::Tensor &t) {
  return t.sum(0).data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 't.sum(0)', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.sum(0).detach().cpu().data_ptr<float>()[0];
}

float on_an_operator(const torch::Tensor &a, const torch::Tensor &b) {
  return (a + b).data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: host code reads the memory of '(a + b)', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return (a + b).detach().cpu().data_ptr<float>()[0];
}

// The order of the elements is what `contiguous` makes it: that call stays last.
float contiguous_in_place(const torch::Tensor &t) {
  return t.contiguous().data_ptr<float>()[5];
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: host code reads the memory of 't.contiguous()', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().contiguous().data_ptr<float>()[5];
}

float contiguous_hoisted(const torch::Tensor &t) {
  const float *p = t.contiguous().data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: host code reads the memory of 't.contiguous()', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu().contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  return p[5];
}

// No detach where the tensor cannot require grad.
int64_t without_detach(const torch::Tensor &t) {
  return t.argmax(1).data_ptr<int64_t>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't.argmax(1)', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.argmax(1).cpu().data_ptr<int64_t>()[0];
}

float behind_a_module(torch::nn::Linear &layer, torch::Device device) {
  layer->to(device);
  const float *p = layer->weight.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:34: warning: host code reads the memory of 'layer->weight', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto weight_host = layer->weight.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = weight_host.data_ptr<float>();
  return p[0];
}

float two_tensors(const torch::Tensor &a, const torch::Tensor &b) {
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'a', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-MESSAGES: :[[@LINE-2]]:37: warning: host code reads the memory of 'b', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return a.detach().cpu().data_ptr<float>()[0] + b.detach().cpu().data_ptr<float>()[0];
}

float two_pointers(const torch::Tensor &a, const torch::Tensor &b) {
  const float *p = a.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 'a', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  const float *q = b.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 'b', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto a_host = a.detach().cpu();
  // CHECK-FIXES: const float *p = a_host.data_ptr<float>();
  // CHECK-FIXES: const auto b_host = b.detach().cpu();
  // CHECK-FIXES: const float *q = b_host.data_ptr<float>();
  return p[0] * q[0];
}

float the_name_is_taken(const torch::Tensor &t) {
  float t_host = 2;
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host2 = t.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = t_host2.data_ptr<float>();
  return p[0] * t_host;
}

class Layer {
public:
  float first() const {
    const float *p = m_weight.data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: host code reads the memory of 'm_weight', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    return p[0] + bias_.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: host code reads the memory of 'bias_', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: const auto weight_host = m_weight.detach().cpu();
    // CHECK-FIXES: const float *p = weight_host.data_ptr<float>();
    // CHECK-FIXES: return p[0] + bias_.detach().cpu().data_ptr<float>()[0];
  }
  torch::Tensor m_weight, bias_;
};

float in_a_condition(const torch::Tensor &t) {
  if (t.data_ptr<float>()[0] > 0)
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: if (t.detach().cpu().data_ptr<float>()[0] > 0)
    return 1;
  return 0;
}

float in_an_inner_block(const torch::Tensor &t, bool wanted) {
  if (wanted) {
    const float *p = t.data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: const auto t_host = t.detach().cpu();
    // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
    return p[1];
  }
  return 0;
}

float accessor_in_place(const torch::Tensor &t) {
  return t.accessor<float, 2>()[0][1];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: return t_host.accessor<float, 2>()[0][1];
}

float one_element_of_a_list(const std::vector<torch::Tensor> &list) {
  const float *p = list[1].data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: host code reads the memory of 'list[1]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto list_host = list[1].detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = list_host.data_ptr<float>();
  return p[0];
}

std::vector<float> one_copy(const torch::Tensor &t) {
  const std::vector<float> v(t.data_ptr<float>(), t.data_ptr<float>() + t.numel());
  // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: const auto t_host = t.detach().cpu();
  // CHECK-FIXES-NEXT: const std::vector<float> v(t_host.data_ptr<float>(), t_host.data_ptr<float>() + t.numel());
  return v;
}

void in_a_loop(const std::vector<torch::Tensor> &list, float *out) {
  for (const torch::Tensor &t : list) {
    const float *p = t.data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: const auto t_host = t.detach().cpu();
    // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
    std::memcpy(out, p, t.nbytes());
    out += t.numel();
  }
}

std::unique_ptr<float[]> in_a_new_expression(const torch::Tensor &t) {
  std::unique_ptr<float[]> copy(new float[1]{t.data_ptr<float>()[0]});
  // CHECK-MESSAGES: :[[@LINE-1]]:48: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: std::unique_ptr<float[]> copy(new float[1]{t.detach().cpu().data_ptr<float>()[0]});
  return copy;
}
