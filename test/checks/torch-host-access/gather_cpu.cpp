// RUN: %check_torch_tidy %s torch-host-access %t
// The name of the file says that it works on the CPU.
#include <torch/torch.h>

float gather(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }

// What the forward function saved, the backward function gets.
struct Gather : torch::autograd::Function<Gather> {
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *ctx,
                                                 torch::autograd::variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto index = saved[0];
    return {grads[0] * index.data_ptr<float>()[0]};
  }
};
