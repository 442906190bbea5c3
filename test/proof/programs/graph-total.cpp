// checks: graph-retention
// device: value
// cpu: value
// expect: 0
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::nn::Linear layer(2, 1);
  torch::optim::SGD optimizer(layer->parameters(), 0.1);
  torch::Tensor total = torch::zeros({});
  for (int epoch = 0; epoch < 3; ++epoch) {
    optimizer.zero_grad();
    torch::Tensor loss = layer->forward(torch::ones({4, 2})).mean();
    loss.backward();
    optimizer.step();
    total += loss;
  }
  std::printf("%d\n", int(total.requires_grad()));
  return 0;
}
