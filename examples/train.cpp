#include "model.h"

#include <cmath>
#include <cstdio>
#include <vector>

PainterImpl::PainterImpl() {
  hidden = register_module("hidden", torch::nn::Linear(16, 64));
  out = register_module("out", torch::nn::Linear(64, 3 * 32 * 32));
}

torch::Tensor PainterImpl::forward(torch::Tensor x) {
  x = torch::relu(hidden->forward(x));
  return torch::sigmoid(out->forward(x)).view({-1, 3, 32, 32});
}

static torch::Tensor gradient_image() {
  torch::Tensor image = torch::zeros({3, 32, 32});
  auto at = image.accessor<float, 3>(); // a tensor made on the CPU: nothing to report
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 32; ++column) {
      at[0][row][column] = row / 31.0f;
      at[2][row][column] = column / 31.0f;
    }
  return image;
}

// The norm of a layer's weights, read while autograd records.
static float weight_norm(torch::nn::Linear &layer) {
  const float *weights = layer->weight.data_ptr<float>();
  float sum = 0;
  for (int64_t i = 0; i < layer->weight.numel(); ++i)
    sum += weights[i] * weights[i];
  return std::sqrt(sum);
}

void train(Painter &model, torch::Device device, int epochs) {
  torch::Tensor input = torch::ones({1, 16}).to(device);
  torch::Tensor target = gradient_image().unsqueeze(0).to(device);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(20.0));
  std::vector<float> losses;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    optimizer.zero_grad();
    torch::Tensor loss = torch::mse_loss(model->forward(input), target);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.data_ptr<float>()[0]);
    if (epoch % 10 == 0)
      std::printf("epoch %d: loss %.5f, weights %.4f\n", epoch, losses.back(),
                  weight_norm(model->hidden));
  }
}
