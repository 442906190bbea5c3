// RUN: %check_torch_tidy %s torch-host-access,torch-grad-access,torch-dangling-data %t
// Where the tensor may also require grad, or dies before its pointer, torch-host-access speaks alone, with a note, and
// its edit repairs everything.
#include <torch/torch.h>

float also_requires_grad(const torch::Tensor &x, torch::Device device) {
  torch::nn::Linear layer(4, 1);
  layer->to(device);
  torch::Tensor y = layer->forward(x.to(device));
  return y.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: host code reads the memory of 'y', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE-6]]:64: note: the device is chosen at run time, by parameter 'device'
  // CHECK-NOTES: :[[@LINE-6]]:21: note: it may also require grad: the output of a module carries gradients of its parameters
  // CHECK-FIXES: return y.detach().cpu().data_ptr<float>()[0];
}

float also_dangles(const torch::Tensor &t) {
  const float *p = t.contiguous().data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:35: warning: host code reads the memory of 't.contiguous()', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE+5]]:10: note: the memory is read here
  // CHECK-NOTES: :[[@LINE-4]]:41: note: nothing is known about the device of parameter 't'
  // CHECK-NOTES: :[[@LINE-4]]:35: note: the pointer may also outlive the tensor it was taken from, a temporary
  // CHECK-FIXES: const auto t_host = t.detach().cpu().contiguous();
  // CHECK-FIXES-NEXT: const float *p = t_host.data_ptr<float>();
  return p[0];
}

float also_both(torch::Device device) {
  torch::Tensor w = torch::ones({4}, torch::requires_grad()).to(device);
  const float *p = (w * 2).data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:28: warning: host code reads the memory of '(w * 2)', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-NOTES: :[[@LINE+6]]:10: note: the memory is read here
  // CHECK-NOTES: :[[@LINE-5]]:31: note: the device is chosen at run time, by parameter 'device'
  // CHECK-NOTES: :[[@LINE-5]]:38: note: it may also require grad: made to require grad here
  // CHECK-NOTES: :[[@LINE-5]]:28: note: the pointer may also outlive the tensor it was taken from, a temporary
  // CHECK-FIXES: const auto w_host = (w * 2).detach().cpu();
  // CHECK-FIXES-NEXT: const float *p = w_host.data_ptr<float>();
  return p[0];
}

// On the host, only the others speak.
float only_grad() {
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  return w.data_ptr<float>()[0];
  // CHECK-NOTES: :[[@LINE-1]]:12: warning: 'w' requires grad while gradients are recorded; reading its memory leaves the graph, read '.detach()' instead [torch-grad-access]
  // CHECK-NOTES: :[[@LINE-3]]:38: note: made to require grad here
  // CHECK-FIXES: return w.detach().data_ptr<float>()[0];
}

float only_dangling() {
  torch::Tensor w = torch::ones({4});
  const float *p = (w * 2).data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:28: warning: the memory of '(w * 2)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-NOTES: :[[@LINE+3]]:10: note: the memory is read here
  // CHECK-FIXES: const auto w_tensor = (w * 2);
  // CHECK-FIXES-NEXT: const float *p = w_tensor.data_ptr<float>();
  return p[0];
}
