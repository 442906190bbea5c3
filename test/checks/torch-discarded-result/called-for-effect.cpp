// RUN: %check_torch_tidy %s torch-discarded-result %t
#include <torch/script.h>
#include <torch/torch.h>

#include <vector>

namespace F = torch::nn::functional;

// In place, out variants, optimiser, module, printing, a cast that says that it is meant.
void effects(torch::Tensor t, torch::Tensor out, torch::nn::Linear net, torch::jit::Module script,
             torch::optim::SGD &optimizer, torch::Device device) {
  t.add_(1);
  t += 1;
  t.requires_grad_(true);
  t.set_requires_grad(true);
  t.zero_();
  torch::clamp_(t, 0, 1);
  torch::add_out(out, t, t);
  at::mul_outf(t, t, out);
  t.slice(0, 1, 2) = out;
  t[0] = 1;
  t.index_put_({0}, 3);
  t.detach().zero_();
  t.sum().backward();
  t.print();
  t.item<float>();
  (void)t.cpu();
  static_cast<void>(t.cuda());
  net->to(device);
  net->forward(t);
  net(t);
  script.to(device);
  script.forward({t});
  optimizer.step();
  F::relu(t, F::ReLUFuncOptions().inplace(true));
  F::batch_norm(t, out, out, F::BatchNormFuncOptions().training(true));
  // A factory works on no tensor: it is called for the random state or to start the device.
  torch::rand({2});
  torch::zeros({1}, device);
}

// Functions and classes of the program are called for their effects.
struct Batch {
  torch::Tensor x;
  torch::Tensor to(torch::Device device) { return x = x.to(device); }
};
struct Named : torch::Tensor {
  Named &cpu() { return *this; }
};
torch::Tensor normalise(torch::Tensor t) { return t.div_(255); }
void own(Batch &batch, Named &named, torch::Tensor t, torch::Device device) {
  batch.to(device);
  named.cpu();
  normalise(t);
}

// What a macro throws away is called for what the macro watches; its body is silent.
#define EXPECT_THROWS(statement)                                                                   \
  try {                                                                                            \
    statement;                                                                                     \
  } catch (const c10::Error &) {                                                                   \
  }
#define MOVE(t) (t).to(torch::kCUDA)
void macros(torch::Tensor t) {
  EXPECT_THROWS(t.view({3, 5}));
  MOVE(t);
}

torch::Tensor value(torch::Tensor t) {
  auto last = ({
    t.add_(1);
    t.cpu();
  });
  return t.size(0) ? last.cpu() : last;
}
