// RUN: %check_torch_tidy %s torch-graph-retention %t
#include <torch/torch.h>

#include <vector>

float train(torch::nn::Linear &net, torch::optim::SGD &optimizer, int n) {
  std::vector<torch::Tensor> losses;
  torch::Tensor total = torch::zeros({});
  for (int i = 0; i < n; ++i) {
    optimizer.zero_grad();
    torch::Tensor loss = net->forward(torch::randn({8, 4})).square().mean();
    loss.backward();
    optimizer.step();
    losses.push_back(loss);
    // CHECK-NOTES: :[[@LINE-1]]:12: warning: 'loss' is collected in 'losses' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    // CHECK-NOTES: :[[@LINE-7]]:3: note: in this loop
    // CHECK-NOTES: :[[@LINE-11]]:32: note: the output of a module carries gradients of its parameters
    total = total + loss;
    // CHECK-NOTES: :[[@LINE-1]]:11: warning: 'loss' is added to 'total' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    // CHECK-NOTES: :[[@LINE-11]]:3: note: in this loop
    // CHECK-NOTES: :[[@LINE-15]]:32: note: the output of a module carries gradients of its parameters
    // CHECK-FIXES: losses.push_back(loss.detach());
    // CHECK-FIXES: total = total + loss.detach();
  }
  return total.item<float>();
}
