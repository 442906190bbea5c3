// checks: graph-retention
// device: value
// cpu: value
// expect: kept graphs: 0
#include <cstdio>
#include <torch/torch.h>
#include <vector>

int main() {
  torch::nn::Linear layer(2, 1);
  torch::optim::SGD optimizer(layer->parameters(), 0.1);
  std::vector<torch::Tensor> losses;
  for (int epoch = 0; epoch < 3; ++epoch) {
    optimizer.zero_grad();
    torch::Tensor loss = layer->forward(torch::ones({4, 2})).pow(2).mean();
    loss.backward();
    optimizer.step();
    losses.push_back(loss);
  }
  int kept = 0;
  for (const torch::Tensor &loss : losses)
    kept += loss.requires_grad();
  std::printf("kept graphs: %d\n", kept);
  return 0;
}
