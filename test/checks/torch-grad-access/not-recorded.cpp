// RUN: %check_torch_tidy %s torch-grad-access %t
// Nothing is recorded, or nothing is left behind: no report.
#include <torch/torch.h>

float under_no_grad(torch::nn::Linear &layer) {
  torch::NoGradGuard no_grad;
  return layer->weight.data_ptr<float>()[0];
}

float under_inference_mode(torch::nn::Linear &layer, const torch::Tensor &x) {
  c10::InferenceMode guard;
  return layer->forward(x).data_ptr<float>()[0];
}

float under_auto_grad_mode(torch::nn::Linear &layer) {
  at::AutoGradMode mode(false);
  return layer->weight.data_ptr<float>()[0];
}

void write_under_no_grad(torch::nn::Linear &layer) {
  torch::NoGradGuard no_grad;
  layer->weight.data_ptr<float>()[0] = 1;
}

float guard_in_a_block(torch::nn::Linear &layer) {
  float first = 0;
  {
    torch::NoGradGuard no_grad;
    first = layer->weight.data_ptr<float>()[0];
  }
  return first;
}

float detached(torch::nn::Linear &layer, const torch::Tensor &x) {
  torch::Tensor w = layer->weight.detach(), y = layer->forward(x).detach();
  return w.data_ptr<float>()[0] + y.data_ptr<float>()[0] + layer->bias.data().data_ptr<float>()[0];
}

float of_the_gradient(torch::nn::Linear &layer) {
  torch::Tensor g = layer->weight.grad();
  return g.data_ptr<float>()[0];
}

int64_t of_integers(torch::nn::Linear &layer, const torch::Tensor &x) {
  torch::Tensor y = layer->forward(x);
  torch::Tensor best = y.argmax(1), wrong = y > 0.5, bytes = y.to(torch::kUInt8);
  return best.data_ptr<int64_t>()[0] + wrong.data_ptr<bool>()[0] + bytes.data_ptr<uint8_t>()[0];
}

float like_a_parameter(torch::nn::Linear &layer) {
  torch::Tensor zeros = torch::zeros_like(layer->weight);
  return zeros.data_ptr<float>()[0];
}

float made_here() {
  torch::Tensor t = torch::rand({4}) * 2;
  return t.data_ptr<float>()[0];
}

// Weaker than `likely`: nothing is known of a parameter.
float parameter(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }

float guarded(const torch::Tensor &t) {
  TORCH_CHECK(!t.requires_grad());
  return t.data_ptr<float>()[0];
}

float guarded_by_return() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  if (w.requires_grad())
    return 0;
  return w.data_ptr<float>()[0];
}

float libtorch_reads(torch::nn::Linear &layer, const torch::Tensor &x) {
  return layer->forward(x).sum().item<float>();
}

// The function asks, and computes the gradient itself.
float by_hand(const torch::Tensor &t) {
  const bool wanted = t.requires_grad();
  float sum = 0;
  if (wanted && t.is_cpu())
    sum += t.data_ptr<float>()[3];
  return sum;
}
