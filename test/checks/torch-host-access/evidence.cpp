// RUN: %check_torch_tidy %s torch-host-access %t -expect-remaining
// How surely a tensor is on an accelerator, and the notes that say why and where its memory is used.
#include <torch/torch.h>

#include <cstring>
#include <vector>

// Proven: every path puts it there.
float proven_by_method(const torch::Tensor &t) {
  torch::Tensor y = t.cuda();
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:23: note: moved to an accelerator here
  // CHECK-FIXES: return y.detach().cpu().data_ptr<float>()[0];
}

float proven_by_constant() {
  torch::Tensor y = torch::ones({4}, torch::kCUDA);
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:38: note: the accelerator is chosen here
  // CHECK-FIXES: return y.cpu().data_ptr<float>()[0];
}

float proven_by_options() {
  auto options = torch::TensorOptions().dtype(torch::kFloat).device(torch::kCUDA, 0);
  torch::Tensor y = torch::ones({4}, options) + 1;
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-4]]:69: note: the accelerator is chosen here
  // CHECK-FIXES: return y.cpu().data_ptr<float>()[0];
}

// The guard is the evidence.
float proven_by_guard(const torch::Tensor &t) {
  if (!t.is_cuda())
    return 0;
  return t.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-4]]:7: note: this condition holds only for a tensor on an accelerator
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

// Likely: a choice made at run time reaches it.
float likely_by_parameter(const torch::Tensor &t, torch::Device device) {
  torch::Tensor y = t.to(device);
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-4]]:65: note: the device is chosen at run time, by parameter 'device'
  // CHECK-FIXES: return y.detach().cpu().data_ptr<float>()[0];
}

float likely_by_choice(const torch::Tensor &t) {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Tensor y = torch::relu(t.to(device));
  const float *p = y.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE+4]]:10: note: the memory is read here
  // CHECK-NOTES: :[[@LINE-5]]:56: note: the accelerator is chosen here
  // CHECK-FIXES: const auto y_host = y.detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = y_host.data_ptr<float>();
  return p[0];
}

float likely_by_branch(bool fast) {
  torch::Tensor y = torch::zeros({8});
  if (fast)
    y = y.cuda();
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:11: note: moved to an accelerator here
  // CHECK-FIXES: return y.cpu().data_ptr<float>()[0];
}

float likely_by_module(const torch::Tensor &t, torch::Device device) {
  torch::nn::Linear layer(4, 1);
  layer->to(device);
  torch::Tensor y = layer->forward(t.to(device));
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-6]]:62: note: the device is chosen at run time, by parameter 'device'
  // CHECK-NOTES: :[[@LINE-6]]:21: note: it may also require grad: the output of a module carries gradients of its parameters
  // CHECK-FIXES: return y.detach().cpu().data_ptr<float>()[0];
}

// Possible: nothing is known.
float possible_parameter(torch::Tensor t) {
  float first;
  std::memcpy(&first, t.data_ptr(), sizeof(first));
  // CHECK-NOTES: :[[@LINE-1]]:25: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-4]]:40: note: nothing is known about the device of parameter 't'
  // CHECK-FIXES: std::memcpy(&first, t.detach().cpu().data_ptr(), sizeof(first));
  return first;
}

torch::Tensor load();

float possible_result() {
  torch::Tensor t = load();
  return t.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:21: note: nothing is known about the device of the result of 'load'
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

class Holder {
public:
  void set(const torch::Tensor &t) { value_ = t; }
  float first() const {
    return value_.data_ptr<float>()[0];
    // CHECK-NOTES: :[[@LINE-1]]:19: warning: host code reads the memory of 'value_', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-NOTES: :[[@LINE+5]]:17: note: nothing is known about the device of member 'value_'
    // CHECK-FIXES: return value_.detach().cpu().data_ptr<float>()[0];
  }

private:
  torch::Tensor value_;
};

// The memory is written.
void written(torch::Tensor t) {
  float *p = t.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:16: warning: host code writes the memory of 't', which nothing proves to be on the host; write to a host tensor and copy that back [torch-host-access]
  // CHECK-NOTES: :[[@LINE+2]]:8: note: the memory is written here
  // CHECK-NOTES: :[[@LINE-4]]:28: note: nothing is known about the device of parameter 't'
  p[0] = 1;
}

// Two pointers from one tensor in one expression are one report.
std::vector<float> range(const torch::Tensor &t) {
  return {t.data_ptr<float>(),
  // CHECK-NOTES: :[[@LINE-1]]:13: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:47: note: nothing is known about the device of parameter 't'
          t.data_ptr<float>() + t.numel()};
          // CHECK-FIXES: const auto t_host = t.detach().cpu();
          // CHECK-FIXES: return {t_host.data_ptr<float>(),
          // CHECK-FIXES: t_host.data_ptr<float>() + t.numel()};
}

// Whoever copies a tensor to the host on one path expects it on a device.
float copiedElsewhere(const torch::Tensor &x, bool print) {
  if (print)
    std::cout << x.cpu();
  return x.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-3]]:20: note: the tensor is copied to the host here, so it may be elsewhere
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
}
