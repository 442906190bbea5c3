// RUN: %check_torch_tidy %s torch-host-access %t -config="{CheckOptions: [{key: torch-host-access.TrustCpuNames, value: 'false'}]}"
// TrustCpuNames: false.
#include <torch/torch.h>

float nms_cpu(const torch::Tensor &boxes) {
  return boxes.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: host code reads the memory of 'boxes', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return boxes.detach().cpu().data_ptr<float>()[0];
}

namespace cpu {
float roi_pool(const torch::Tensor &x) {
  return x.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
}
} // namespace cpu
