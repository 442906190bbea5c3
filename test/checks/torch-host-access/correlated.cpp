// RUN: %check_torch_tidy %s torch-host-access %t -expect-remaining
// One test of a parameter decides where a tensor is and whether it is read.
#include <torch/torch.h>

float converted_and_read(torch::Tensor t, bool on_host) {
  if (on_host)
    t = t.cpu();
  if (on_host)
    return t.data_ptr<float>()[0];
  return t.sum().item<float>();
}

float moved_or_read(torch::Tensor t, bool fast) {
  t = t.cpu();
  if (fast)
    t = t.cuda();
  if (!fast)
    return t.data_ptr<float>()[0];
  return t.sum().item<float>();
}

float the_other_way(torch::Tensor t, bool on_host) {
  if (on_host)
    t = t.cpu();
  if (!on_host)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

float of_another_flag(torch::Tensor t, bool on_host, bool read) {
  if (on_host)
    t = t.cpu();
  if (read)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

float flag_changed(torch::Tensor t, bool on_host) {
  if (on_host)
    t = t.cpu();
  on_host = !on_host;
  if (on_host)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

float moved_afterwards(torch::Tensor t, bool on_host, torch::Device device) {
  if (on_host)
    t = t.cpu();
  t = t.to(device);
  if (on_host)
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

// A guard on the original speaks for both.
float guarded_original(const torch::Tensor &t, bool on_host) {
  torch::Tensor copy = t;
  if (on_host)
    copy = t.cpu();
  TORCH_CHECK(t.is_cpu());
  return copy.data_ptr<float>()[0];
}

float once_more(torch::Tensor t, bool first, bool second) {
  if (first)
    t = t.cpu();
  torch::Tensor before = t;
  if (second)
    t = t.cpu();
  if (second)
    return before.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 'before', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return before.detach().cpu().data_ptr<float>()[0];
  return 0;
}

float in_a_loop(torch::Tensor t, torch::Device device, bool on_host) {
  float sum = 0;
  for (int i = 0; i < 2; ++i) {
    if (on_host)
      t = t.cpu();
    torch::Tensor last = t;
    t = t.to(device);
    if (on_host)
      sum += t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: sum += t.detach().cpu().data_ptr<float>()[0];
  }
  return sum;
}

// Each of the two was brought to the host under a flag of its own.
float tested_is_another(torch::Tensor t, bool first, bool second) {
  torch::Tensor u = t, v = t;
  if (first && t.dim() > 1)
    u = t.cpu();
  if (second && t.dim() > 2)
    v = t.cpu();
  if (u.is_cpu())
    return v.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 'v', which nothing proves to be on the host; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return v.detach().cpu().data_ptr<float>()[0];
  return 0;
}

float tested_is_the_older(torch::Tensor t, int n) {
  torch::Tensor u = t;
  if (n * t.dim() > 4)
    u = t.cpu();
  if (u.is_cpu())
    return t.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 't', which may be on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return t.detach().cpu().data_ptr<float>()[0];
  return 0;
}

float older_tells_of_the_newer(torch::Tensor t, int n) {
  torch::Tensor u = t;
  if (n * t.dim() > 4)
    u = t.cpu();
  if (t.is_cpu())
    return u.data_ptr<float>()[0];
  return 0;
}

float brought_together(torch::Tensor t, int n) {
  torch::Tensor u = t, v = t;
  if (n * t.dim() > 4) {
    u = t.cpu();
    v = u * 2;
  }
  if (u.is_cpu())
    return v.data_ptr<float>()[0];
  return 0;
}
