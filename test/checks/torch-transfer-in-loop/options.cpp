// RUN: %check_torch_tidy %s torch-transfer-in-loop %t "-config={CheckOptions: [{key: torch-transfer-in-loop.MinEvidence, value: possible}]}"
// With MinEvidence possible, parameters too.
#include <torch/torch.h>

#include <cstdint>

float listed(const torch::Tensor &values) {
  float s = 0;
  for (int64_t i = 0; i < values.size(0); ++i)
  // CHECK-FIXES: const auto values_host = values.detach().cpu();
    s += values[i].item<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: a number of 'values' is fetched from the accelerator in every turn of the loop, in which 'values' does not change; copy it to the host once, before the loop [torch-transfer-in-loop]
    // CHECK-FIXES: s += values_host[i].item<float>();
  return s;
}
