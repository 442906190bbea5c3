// For programs whose text says CUDA: the accelerator is the guarded device, or the CPU in the runs
// that say what would be right. No header of LibTorch may follow.
#pragma once

#include <torch/torch.h>

namespace guarded {
extern bool on_device;
} // namespace guarded

namespace torch {
at::DeviceType guarded_accelerator();
namespace cuda {
inline bool guarded_is_available() { return guarded::on_device; }
void guarded_synchronize();
} // namespace cuda
} // namespace torch

#define kCUDA guarded_accelerator()
#define is_available() guarded_is_available()
#define synchronize() guarded_synchronize()
#define cuda() to(torch::guarded_accelerator())
#define is_cuda() is_cpu() == false
