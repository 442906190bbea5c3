// RUN: %check_torch_tidy %s torch-dangling-data %t -expect-remaining -config="{CheckOptions: [{key: ShowEvidence, value: true}]}"
// Whether an expression gives a handle of its own, or the tensor itself.
#include <torch/torch.h>

int64_t converted(const torch::Tensor &t) {
  torch::IntArrayRef sizes = t.to(torch::kFloat).sizes();
  // CHECK-MESSAGES: :[[@LINE-1]]:50: warning: the shape of 't.to(torch::kFloat)' may be gone when it is used{{.*}}; evidence: possible [torch-dangling-data]
  // CHECK-FIXES: const auto t_host = t.to(torch::kFloat);
  // CHECK-FIXES-NEXT: torch::IntArrayRef sizes = t_host.sizes();
  return sizes[0];
}

int64_t nothing_to_convert() {
  torch::Tensor t = torch::ones({3});
  torch::IntArrayRef sizes = t.cpu().sizes(), strides = t.contiguous().strides();
  return sizes[0] + strides[0];
}

int64_t in_place() {
  torch::Tensor t = torch::ones({3});
  torch::IntArrayRef sizes = t.add_(1).sizes();
  return sizes[0];
}

int64_t flattened() {
  torch::Tensor t = torch::ones({3}), square = torch::ones({3, 3});
  torch::IntArrayRef sizes = t.flatten().sizes();
  torch::IntArrayRef nine = square.flatten().sizes();
  // CHECK-MESSAGES: :[[@LINE-1]]:46: warning: the shape of 'square.flatten()' is gone when it is used{{.*}}; evidence: proven [torch-dangling-data]
  // CHECK-FIXES: const auto square_tensor = square.flatten();
  // CHECK-FIXES-NEXT: torch::IntArrayRef nine = square_tensor.sizes();
  return sizes[0] + nine[0];
}

int64_t a_view() {
  torch::Tensor t = torch::ones({3});
  torch::IntArrayRef sizes = t.reshape({-1}).sizes();
  // CHECK-MESSAGES: :[[@LINE-1]]:46: warning: the shape of 't.reshape({-1})' is gone when it is used{{.*}}; evidence: proven [torch-dangling-data]
  // CHECK-FIXES: const auto t_tensor = t.reshape({-1});
  // CHECK-FIXES-NEXT: torch::IntArrayRef sizes = t_tensor.sizes();
  return sizes[0];
}

// An element that is given another tensor.
float overwritten(const torch::Tensor &t) {
  std::vector<torch::Tensor> v = {t + 1, t + 2};
  const float *p = v[0].data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: the memory of 'v[0]' may be gone when it is used{{.*}}; evidence: possible [torch-dangling-data]
  v[0] = t * 2;
  return p[0];
}

float held_elsewhere(const torch::Tensor &t) {
  torch::Tensor sum = t + 1;
  std::vector<torch::Tensor> v = {sum, sum};
  const float *p = v[0].data_ptr<float>();
  v[0] = t * 2;
  return p[0];
}

float taken_afterwards(const torch::Tensor &t) {
  std::vector<torch::Tensor> v = {t + 1, t + 2};
  v[0] = t * 2;
  const float *p = v[0].data_ptr<float>();
  return p[0];
}
