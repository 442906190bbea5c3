// RUN: %check_torch_tidy %s torch-host-access %t
// The example of docs/checks/host-access.md.
#include <torch/torch.h>

#include <vector>

std::vector<float> predict(torch::nn::Sequential &net, const torch::Tensor &x, torch::Device device) {
  net->to(device);
  torch::Tensor y = net->forward(x.to(device));
  return std::vector<float>(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
  // CHECK-NOTES: :[[@LINE-1]]:31: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-5]]:94: note: the device is chosen at run time, by parameter 'device'
  // CHECK-NOTES: :[[@LINE-6]]:51: note: it may also require grad: the output of a module carries gradients of its parameters
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: return std::vector<float>(y_host.data_ptr<float>(), y_host.data_ptr<float>() + y.numel());
}
