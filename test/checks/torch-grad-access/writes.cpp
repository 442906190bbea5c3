// RUN: %check_torch_tidy %s torch-grad-access %t
// Writing: no edit, since what is meant (a NoGradGuard, a copy) is the author's to say.
#include <torch/torch.h>

#include <algorithm>

void pointer(torch::nn::Linear &layer) {
  float *p = layer->weight.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 'layer->weight' requires grad while gradients are recorded; writing its memory changes a value that autograd believes it knows, use a NoGradGuard [torch-grad-access]
  p[0] = 0;
}

void algorithm() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  std::fill_n(w.data_ptr<float>(), 4, 0.5f);
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'w' requires grad while gradients are recorded; writing its memory changes a value that autograd believes it knows, use a NoGradGuard [torch-grad-access]
}

void accessor() {
  torch::Tensor w = torch::ones({2, 2}, torch::requires_grad());
  auto a = w.accessor<float, 2>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'w' requires grad while gradients are recorded; writing its memory changes a value that autograd believes it knows, use a NoGradGuard [torch-grad-access]
  a[0][1] += 1;
}
