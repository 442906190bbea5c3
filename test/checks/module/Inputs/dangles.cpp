#include <torch/torch.h>

float dangles() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  const float *p = (w.detach() * 2).data_ptr<float>();
  return p[0] + w.data_ptr<float>()[1];
}
