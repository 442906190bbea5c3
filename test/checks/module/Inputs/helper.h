#pragma once
#include <torch/torch.h>

inline float in_header(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }
