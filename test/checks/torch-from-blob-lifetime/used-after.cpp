// RUN: %check_torch_tidy %s torch-from-blob-lifetime %t
// The memory ends, or moves, and the tensor is used afterwards.
#include <torch/torch.h>

#include <memory>
#include <vector>

std::vector<float> read();

float grows() {
  std::vector<float> values = read();
  torch::Tensor t = torch::from_blob(values.data(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the tensor uses the memory of 'values', and it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+3]]:10: note: the memory of 'values' may move here
  // CHECK-NOTES: :[[@LINE+3]]:12: note: the tensor is used here
  // CHECK-FIXES: torch::Tensor t = torch::from_blob(values.data(), {4}).clone();
  values.push_back(1);
  return t.sum().item<float>();
}

float reassigned() {
  std::vector<float> values = read();
  torch::Tensor t = torch::from_blob(values.data(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the tensor uses the memory of 'values', and it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+3]]:10: note: 'values' gets other memory here
  // CHECK-NOTES: :[[@LINE+3]]:12: note: the tensor is used here
  // CHECK-FIXES: torch::Tensor t = torch::from_blob(values.data(), {4}).clone();
  values = read();
  return t.sum().item<float>();
}

float reset() {
  auto values = std::make_unique<float[]>(4);
  torch::Tensor t = torch::from_blob(values.get(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the tensor uses the memory of 'values', and it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+3]]:10: note: 'values' lets go of its memory here
  // CHECK-NOTES: :[[@LINE+3]]:12: note: the tensor is used here
  // CHECK-FIXES: torch::Tensor t = torch::from_blob(values.get(), {4}).clone();
  values.reset();
  return t.sum().item<float>();
}

torch::Tensor rows(int n) {
  std::vector<torch::Tensor> all;
  for (int i = 0; i < n; ++i) {
    float row[2] = {float(i), 1};
    all.push_back(torch::from_blob(row, {2}));
    // CHECK-NOTES: :[[@LINE-1]]:19: warning: the tensor uses the memory of 'row', and a tensor that may share it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE-3]]:11: note: 'row' is declared here and ends with its scope
    // CHECK-NOTES: :[[@LINE+3]]:10: note: the tensor is used here
    // CHECK-FIXES: all.push_back(torch::from_blob(row, {2}).clone());
  }
  return torch::stack(all);
}

float inner_scope() {
  torch::Tensor t;
  {
    std::vector<float> values = read();
    t = torch::from_blob(values.data(), {4});
    // CHECK-NOTES: :[[@LINE-1]]:9: warning: the tensor uses the memory of 'values', and it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE-3]]:24: note: 'values' is declared here and ends with its scope
    // CHECK-NOTES: :[[@LINE+3]]:12: note: the tensor is used here
    // CHECK-FIXES: t = torch::from_blob(values.data(), {4}).clone();
  }
  return t.sum().item<float>();
}

float temporary() {
  torch::Tensor t = torch::from_blob(read().data(), {4});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the tensor uses the memory of a temporary, and it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+2]]:12: note: the tensor is used here
  // CHECK-FIXES: torch::Tensor t = torch::from_blob(read().data(), {4}).clone();
  return t.sum().item<float>();
}

torch::Tensor deleted(int64_t n) {
  float *values = new float[n];
  torch::Tensor t = torch::from_blob(values, {n});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the tensor uses the memory of 'values', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+3]]:3: note: 'values' lets go of its memory here
  // CHECK-NOTES: :[[@LINE+3]]:10: note: the tensor is returned here
  // CHECK-FIXES: torch::Tensor t = torch::from_blob(values, {n}).clone();
  delete[] values;
  return t;
}

float inner_array(bool blank) {
  torch::Tensor t = torch::zeros({4});
  if (blank) {
    float values[4] = {};
    t = torch::from_blob(values, {4});
    // CHECK-NOTES: :[[@LINE-1]]:9: warning: the tensor uses the memory of 'values', and a tensor that may share it is used after that memory is gone: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE-3]]:11: note: 'values' is declared here and ends with its scope
    // CHECK-NOTES: :[[@LINE+3]]:12: note: the tensor is used here
    // CHECK-FIXES: t = torch::from_blob(values, {4}).clone();
  }
  return t.sum().item<float>();
}

float inner_array_used_inside() {
  torch::Tensor t;
  {
    float values[4] = {};
    t = torch::from_blob(values, {4}).sum();
  }
  return t.item<float>();
}
