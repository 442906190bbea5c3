// RUN: %clang_tidy --checks='-*,torch-host-access' --config="{CheckOptions: [{key: torch-host-access.MinEvidence, value: sometimes}]}" %s -- %torch_flags 2>&1 | %FileCheck %s
// A value that does not exist is said so, and the default (possible) is used.
#include <torch/torch.h>

float possible(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }

// CHECK-DAG: warning: invalid configuration value 'sometimes' for option 'torch-host-access.MinEvidence'
// CHECK-DAG: :[[@LINE-3]]:51: warning: host code reads the memory of 't', which nothing proves to be on the host
