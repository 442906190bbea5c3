// RUN: %check_torch_tidy %s torch-host-access %t
// A loop with constant bounds has a first turn for certain.
#include <torch/torch.h>

static torch::Tensor chosen(bool f) { return torch::zeros({4}, f ? torch::kCUDA : torch::kCPU); }

float three_turns(bool f) {
  torch::Tensor t = chosen(f);
  for (int i = 0; i < 3; ++i)
    t = t.cpu();
  return t.data_ptr<float>()[0];
}

float guard_in_a_turn(bool f) {
  torch::Tensor t = chosen(f);
  for (int i = 2; i >= 0; --i) {
    if (t.is_cuda())
      return 0;
  }
  return t.data_ptr<float>()[0];
}

float maybe_no_turn(bool f, int n) {
  torch::Tensor t = chosen(f);
  for (int i = 0; i < n; ++i)
    t = t.cpu();
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
}

float no_turn(bool f) {
  torch::Tensor t = chosen(f);
  for (int i = 0; i < 0; ++i)
    t = t.cpu();
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
}

float first_turn_broken(bool f, bool stop) {
  torch::Tensor t = chosen(f);
  for (int i = 0; i < 3; ++i) {
    if (stop)
      break;
    t = t.cpu();
  }
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
}

float turns_skipped(bool f, bool skip) {
  torch::Tensor t = chosen(f);
  for (int i = 0; i < 3; ++i) {
    if (skip)
      continue;
    t = t.cpu();
  }
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
}

float moved_in_the_last(bool f) {
  torch::Tensor t = torch::zeros({4});
  for (int i = 0; i < 3; ++i) {
    t = t.cpu();
    if (i == 2)
      t = chosen(f);
  }
  return t.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return t.cpu().data_ptr<float>()[0];
}

float nested(bool f) {
  torch::Tensor t = chosen(f);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      t = t.cpu();
  return t.data_ptr<float>()[0];
}
