// RUN: %check_torch_tidy %s torch-dangling-data %t
// References to temporaries, and to what temporaries hand out.
#include <torch/torch.h>

// What the method of a temporary returns keeps nothing alive, whatever it is bound to.
float bound_to_what_a_temporary_returns() {
  const torch::Tensor &t = torch::empty({4}).fill_(2);
  // CHECK-FIXES: const torch::Tensor t = torch::empty({4}).fill_(2);
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: the memory of 't' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
}

float deduced() {
  auto &&t = torch::empty({4}).fill_(2).mul_(2);
  // CHECK-FIXES: auto t = torch::empty({4}).fill_(2).mul_(2);
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the memory of 't' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  return p[0];
}

float bound_to_a_temporary() {
  const torch::Tensor &t = torch::empty({4}).add(2);
  torch::Tensor copy = torch::empty({4}).fill_(2);
  torch::Tensor whole = torch::zeros({4});
  const torch::Tensor &same = whole.fill_(3);
  return t.data_ptr<float>()[0] + copy.data_ptr<float>()[0] + same.data_ptr<float>()[0];
}
