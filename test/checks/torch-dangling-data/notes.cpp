// RUN: %check_torch_tidy %s torch-dangling-data %t -expect-remaining
// The notes: where the owner goes, where the memory is used. The first function is the example of
// docs/checks/dangling-data.md.
#include <torch/torch.h>

#include <algorithm>

float brightest(const torch::Tensor &picture) {
  const float *values = picture.mean(0).data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:41: warning: the memory of 'picture.mean(0)' is gone when it is used: it belongs to a temporary that is destroyed at the end of the full expression; keep the tensor in a variable [torch-dangling-data]
  // CHECK-NOTES: :[[@LINE+3]]:11: note: the memory is read here
  // CHECK-FIXES: const auto picture_tensor = picture.mean(0);
  // CHECK-FIXES-NEXT: const float *values = picture_tensor.data_ptr<float>();
  return *std::max_element(values, values + 1024);
}

float reassigned() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  // CHECK-NOTES: :[[@LINE+2]]:5: note: the variable gets another tensor here
  // CHECK-NOTES: :[[@LINE+2]]:10: note: the memory is read here
  t = torch::zeros({4});
  return p[0];
}

const float *returned() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  // CHECK-NOTES: :[[@LINE-1]]:22: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  // CHECK-NOTES: :[[@LINE+1]]:10: note: the pointer is returned here
  return p;
}
