// RUN: %check_torch_tidy %s torch-host-access %t
// A guard in a loop over all elements of a container speaks for the container.
#include <torch/torch.h>

float eachChecked(const std::vector<torch::Tensor> &tensors) {
  for (const auto &t : tensors)
    TORCH_CHECK(t.is_cpu() && t.dim() == 1);
  float sum = 0;
  for (size_t i = 0; i < tensors.size(); ++i)
    sum += tensors[i].data_ptr<float>()[0];
  return sum + tensors[0].data_ptr<float>()[0] + tensors.back().data_ptr<float>()[0];
}

float byIndex(at::TensorList tensors) {
  for (size_t i = 0; i < tensors.size(); i++) {
    if (tensors[i].numel() == 0)
      continue;
    TORCH_CHECK(!tensors[i].is_cuda());
  }
  return tensors[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 'tensors[0]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return tensors[0].detach().cpu().data_ptr<float>()[0];
}

float byIndexAll(at::TensorList tensors) {
  for (size_t i = 0; i < tensors.size(); i++)
    TORCH_CHECK(!tensors[i].is_cuda());
  return tensors[0].data_ptr<float>()[0];
}

float allMoved(std::vector<torch::Tensor> tensors) {
  for (auto &t : tensors)
    t = t.detach().cpu();
  return tensors[1].data_ptr<float>()[0];
}

float throwing(const std::vector<torch::Tensor> &tensors) {
  for (const torch::Tensor &t : tensors)
    if (t.is_cuda())
      throw std::runtime_error("on the device");
  return tensors[0].data_ptr<float>()[0];
}

// One of them is enough to leave the loop.
float firstOnly(const std::vector<torch::Tensor> &tensors) {
  for (const auto &t : tensors) {
    TORCH_CHECK(t.is_cpu());
    break;
  }
  return tensors[1].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 'tensors[1]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return tensors[1].detach().cpu().data_ptr<float>()[0];
}

float someChecked(const std::vector<torch::Tensor> &tensors, bool strict) {
  for (const auto &t : tensors)
    if (strict)
      TORCH_CHECK(t.is_cpu());
  return tensors[1].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 'tensors[1]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return tensors[1].detach().cpu().data_ptr<float>()[0];
}

float copiesMoved(std::vector<torch::Tensor> tensors) {
  for (auto t : tensors)
    t = t.cpu();
  return tensors[1].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 'tensors[1]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return tensors[1].detach().cpu().data_ptr<float>()[0];
}

float others(const std::vector<torch::Tensor> &checked, const std::vector<torch::Tensor> &read) {
  for (const auto &t : checked)
    TORCH_CHECK(t.is_cpu());
  return read[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: host code reads the memory of 'read[0]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return read[0].detach().cpu().data_ptr<float>()[0];
}

float addedLater(std::vector<torch::Tensor> tensors, const torch::Tensor &more) {
  for (const auto &t : tensors)
    TORCH_CHECK(t.is_cpu());
  tensors.push_back(more);
  return tensors.back().data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: host code reads the memory of 'tensors.back()', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return tensors.back().detach().cpu().data_ptr<float>()[0];
}

float fromTheSecond(const std::vector<torch::Tensor> &tensors) {
  for (size_t i = 1; i < tensors.size(); ++i)
    TORCH_CHECK(tensors[i].is_cpu());
  return tensors[0].data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: host code reads the memory of 'tensors[0]', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return tensors[0].detach().cpu().data_ptr<float>()[0];
}

float listed(const torch::Tensor &a, const torch::Tensor &b) {
  for (const auto &t : {a, b})
    TORCH_CHECK(t.is_cpu());
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0];
}
