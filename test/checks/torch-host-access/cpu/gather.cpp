// RUN: %check_torch_tidy %s torch-host-access %t
// The folder of the file says that it works on the CPU.
#include <torch/torch.h>

float gather(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }
