// What the generated programs are written against. clang-tidy sees plain LibTorch and two
// declarations. In the executed build the accelerator is the guarded device, or the CPU in the runs
// that say what would be right; and `at_line = ...` closes what an access before it was let into.
#pragma once

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

/// Records a number that the program computed.
void out(double value);

#ifndef ORACLE_RUN

/// The line that is about to touch memory.
extern int at_line;

#else

namespace oracle {
extern bool on_device;
struct Line {
  Line &operator=(int line);
};
} // namespace oracle
extern oracle::Line at_line;

namespace torch {
at::DeviceType oracle_accelerator();
namespace cuda {
inline bool oracle_is_available() { return oracle::on_device; }
void oracle_synchronize();
} // namespace cuda
} // namespace torch

// The programs' text says CUDA. No header of LibTorch follows.
#define kCUDA oracle_accelerator()
#define is_available() oracle_is_available()
#define synchronize() oracle_synchronize()
#define cuda() to(torch::oracle_accelerator())
#define is_cuda() is_cpu() == false
#undef assert
#define assert(condition) ((condition) ? void() : throw std::runtime_error("guard: " #condition))

#endif
