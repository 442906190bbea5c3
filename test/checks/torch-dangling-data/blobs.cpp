// RUN: %check_torch_tidy %s torch-dangling-data %t -expect-remaining
// A from_blob view over the memory of a tensor.
#include <torch/torch.h>

float of_temporary() {
  torch::Tensor view = torch::from_blob((torch::rand({4}) + 1).data_ptr<float>(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:64: warning: the memory of '(torch::rand({4}) + 1)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-NOTES: :[[@LINE+3]]:15: note: the tensor that wraps the memory is used here
  // CHECK-FIXES: const auto rand_tensor = (torch::rand({4}) + 1);
  // CHECK-FIXES-NEXT: torch::Tensor view = torch::from_blob(rand_tensor.data_ptr<float>(), {4});
  return view.sum().item<float>();
}

float reassigned() {
  torch::Tensor t = torch::rand({4});
  torch::Tensor view = torch::from_blob(t.data_ptr<float>(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:43: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  // CHECK-NOTES: :[[@LINE+2]]:5: note: the variable gets another tensor here
  // CHECK-NOTES: :[[@LINE+2]]:15: note: the tensor that wraps the memory is used here
  t = torch::rand({9});
  return view.sum().item<float>();
}

torch::Tensor returned() {
  torch::Tensor t = torch::rand({4});
  return torch::from_blob(t.data_ptr<float>(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:29: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
}

torch::Tensor copied() {
  torch::Tensor t = torch::rand({4});
  return torch::from_blob(t.data_ptr<float>(), {4}).clone();
}

float in_one_expression() { return torch::from_blob(torch::rand({4}).data_ptr<float>(), {4}).sum().item<float>(); }

float lives_on() {
  torch::Tensor t = torch::rand({4});
  torch::Tensor view = torch::from_blob(t.data_ptr<float>(), {4});
  return view.sum().item<float>() + float(t.dim());
}
