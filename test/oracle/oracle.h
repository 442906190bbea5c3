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
struct Line {
  Line &operator=(int line);
};
} // namespace oracle
extern oracle::Line at_line;

#include "as_cuda.h"
#undef assert
#define assert(condition) ((condition) ? void() : throw std::runtime_error("guard: " #condition))

#endif
