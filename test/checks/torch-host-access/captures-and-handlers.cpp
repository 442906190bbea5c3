// RUN: %check_torch_tidy %s torch-host-access %t -expect-remaining
// What a closure captured by copy, and guards whose failure is caught.
#include <torch/torch.h>

double captured_before(torch::Tensor t) {
  auto read = [t] {
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  };
  t = t.cpu();
  return read();
}

double captured_on_the_host(torch::Tensor t) {
  t = t.cpu();
  auto read = [t] { return t.data_ptr<float>()[0]; };
  t = t.cuda();
  return read();
}

double captured_by_reference(torch::Tensor t) {
  auto read = [&t] { return t.data_ptr<float>()[0]; };
  t = t.cpu();
  return read();
}

// The closure keeps the storage alive.
double pointer_into_a_capture(const torch::Tensor &a) {
  torch::Tensor t = a.cpu();
  auto keep = [t] { return t.numel(); };
  const float *p = t.data_ptr<float>();
  t = torch::ones({4});
  return p[0] + keep();
}

double caught(const torch::Tensor &t) {
  try {
    TORCH_CHECK(t.is_cpu());
  } catch (const c10::Error &) {
  }
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}

double caught_and_left(const torch::Tensor &t) {
  try {
    TORCH_CHECK(t.is_cpu());
  } catch (const c10::Error &) {
    return 0;
  }
  return t.data_ptr<float>()[0];
}

double inside(const torch::Tensor &t) {
  try {
    TORCH_CHECK(t.is_cpu());
    return t.data_ptr<float>()[0];
  } catch (const c10::Error &) {
    return 0;
  }
}

void check_host(const torch::Tensor &t) { TORCH_CHECK(t.is_cpu()); }

double caught_from_a_function(const torch::Tensor &t) {
  try {
    check_host(t);
  } catch (...) {
  }
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
}
