// RUN: %check_torch_tidy %s torch-element-type %t -expect-remaining
// Element types that follow from the operator, from factories that surprise, and from conversions.
#include <torch/torch.h>

#include <cstdint>
#include <vector>

void consume(const void *p);

int argmax_as_int(const std::vector<float> &scores) {
  torch::Tensor best = torch::tensor(scores).argmax(0, true);
  auto a = best.accessor<int, 1>();
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: the elements of 'best' are 'int64_t', not 'int32_t'; 'accessor' throws; convert it with '.to(torch::kInt)' or use the right type [torch-element-type]
  // CHECK-FIXES: const auto best_int = best.to(torch::kInt);
  // CHECK-FIXES-NEXT: auto a = best_int.accessor<int, 1>();
  return a[0];
}

float randint_without_dtype_is_float() {
  torch::Tensor r = torch::randint(0, 10, {4}, torch::device(torch::kCPU));
  const int64_t *p = r.data_ptr<int64_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: the elements of 'r' are 'float', not 'int64_t'; 'data_ptr' throws; convert it with '.to(torch::kLong)' or use the right type [torch-element-type]
  // CHECK-FIXES: const auto r_long = r.to(torch::kLong);
  // CHECK-FIXES-NEXT: const int64_t *p = r_long.data_ptr<int64_t>();
  const float *right = r.data_ptr<float>();
  return float(p[1]) + right[1];
}

int64_t randint_without_options_is_int64() {
  torch::Tensor r = torch::randint(0, 10, {4});
  const int64_t *p = r.data_ptr<int64_t>();
  return p[0] + p[1];
}

float scalar_tensor_is_float() {
  torch::Tensor s = torch::scalar_tensor(3);
  float right = s.data_ptr<float>()[1];
  return right + float(s.data_ptr<int64_t>()[1]);
  // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: the elements of 's' are 'float', not 'int64_t'; 'data_ptr' throws; convert it with '.to(torch::kLong)' or use the right type [torch-element-type]
  // CHECK-FIXES: return right + float(s.to(torch::kLong).data_ptr<int64_t>()[1]);
}

int full_of_integers_is_int64() {
  torch::Tensor f = torch::full({3}, 7);
  torch::Tensor a = torch::arange(0, 10, torch::device(torch::kCPU));
  int s = f.data_ptr<int>()[1];
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the elements of 'f' are 'int64_t', not 'int32_t'; 'data_ptr' throws; convert it with '.to(torch::kInt)' or use the right type [torch-element-type]
  s += a.data_ptr<int>()[2];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the elements of 'a' are 'int64_t', not 'int32_t'; 'data_ptr' throws; convert it with '.to(torch::kInt)' or use the right type [torch-element-type]
  // CHECK-FIXES: int s = f.to(torch::kInt).data_ptr<int>()[1];
  // CHECK-FIXES: s += a.to(torch::kInt).data_ptr<int>()[2];
  s += int(a.data_ptr<int64_t>()[2]);
  return s;
}

float doubles_become_float(const std::vector<double> &v) {
  torch::Tensor t = torch::tensor(v);
  float s = t.data_ptr<float>()[1];
  torch::Tensor d = torch::tensor(v, torch::kDouble);
  s += d.data_ptr<float>()[1];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the elements of 'd' are 'double', not 'float'; 'data_ptr' throws; convert it with '.to(torch::kFloat)' or use the right type [torch-element-type]
  // CHECK-FIXES: s += d.to(torch::kFloat).data_ptr<float>()[1];
  return s;
}

bool comparisons_are_bool(const std::vector<float> &v) {
  torch::Tensor t = torch::tensor(v);
  torch::Tensor mask = t > 0.5;
  const uint8_t *bytes = mask.data_ptr<uint8_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: the elements of 'mask' are 'bool', not 'uint8_t'; 'data_ptr' throws; convert it with '.to(torch::kByte)' or use the right type [torch-element-type]
  // CHECK-FIXES: const auto mask_byte = mask.to(torch::kByte);
  // CHECK-FIXES-NEXT: const uint8_t *bytes = mask_byte.data_ptr<uint8_t>();
  const bool *right = mask.data_ptr<bool>();
  return bytes[1] || right[1];
}

float mean_of_sums(int64_t n) {
  torch::Tensor counts = torch::ones({n, 3}, torch::kInt).sum(1);
  const int *p = counts.data_ptr<int>();
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: the elements of 'counts' are 'int64_t', not 'int32_t'; 'data_ptr' throws; convert it with '.to(torch::kInt)' or use the right type [torch-element-type]
  // CHECK-FIXES: const auto counts_int = counts.to(torch::kInt);
  // CHECK-FIXES-NEXT: const int *p = counts_int.data_ptr<int>();
  torch::Tensor scaled = torch::ones({n}, torch::kInt) * 0.5;
  const float *q = scaled.data_ptr<float>();
  torch::Tensor doubles = torch::ones({n}, torch::kDouble) * 2;
  const float *r = doubles.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:28: warning: the elements of 'doubles' are 'double', not 'float'; 'data_ptr' throws; convert it with '.to(torch::kFloat)' or use the right type [torch-element-type]
  // CHECK-FIXES: const auto doubles_float = doubles.to(torch::kFloat);
  // CHECK-FIXES-NEXT: const float *r = doubles_float.data_ptr<float>();
  return float(p[1]) + q[1] + r[1];
}

float like_and_options() {
  torch::Tensor d = torch::zeros({8}, torch::kFloat64);
  torch::Tensor e = torch::zeros_like(d);
  torch::Tensor f = torch::empty({8}, d.options());
  torch::Tensor g = d.new_zeros({8}, torch::kFloat);
  double s = e.data_ptr<double>()[1] + f.data_ptr<double>()[1];
  s += e.data_ptr<float>()[2];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: the elements of 'e' are 'double', not 'float'; 'data_ptr' throws; convert it with '.to(torch::kFloat)' or use the right type [torch-element-type]
  // CHECK-FIXES: s += e.to(torch::kFloat).data_ptr<float>()[2];
  return float(s) + g.data_ptr<float>()[1];
}

// A kernel gets the wrong pointer, too: the accessor throws before anything runs.
void handed_out() {
  torch::Tensor ids = torch::arange(12);
  consume(ids.data_ptr<int>());
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the elements of 'ids' are 'int64_t', not 'int32_t'; 'data_ptr' throws; convert it with '.to(torch::kInt)' or use the right type [torch-element-type]
}

float one_branch(const torch::Tensor &input, bool half) {
  torch::Tensor t = input.detach().cpu();
  if (half)
    t = t.to(torch::kHalf);
  return t.data_ptr<float>()[3];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: the elements of 't' may be 'at::Half', not 'float'; 'data_ptr' throws; convert it with '.to(torch::kFloat)' or use the right type [torch-element-type]
  // CHECK-FIXES: return t.to(torch::kFloat).data_ptr<float>()[3];
}

// The program chooses the accessor by the same condition.
float chosen_by_hand(bool half) {
  torch::Tensor t = torch::rand({8}, torch::dtype(half ? torch::kHalf : torch::kFloat));
  if (half)
    return float(t.data_ptr<at::Half>()[1]);
  return t.data_ptr<float>()[1];
}
