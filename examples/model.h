#pragma once

#include <torch/torch.h>

/// A small generator of images: 16 numbers in, 3 x 32 x 32 values between 0 and 1 out.
struct PainterImpl : torch::nn::Module {
  PainterImpl();
  torch::Tensor forward(torch::Tensor x);

  torch::nn::Linear hidden{nullptr};
  torch::nn::Linear out{nullptr};
};
TORCH_MODULE(Painter);

/// Trains the model to paint a red and blue gradient; prints the loss on the way.
void train(Painter &model, torch::Device device, int epochs);
