#pragma once

#include "file.h"

#include <torch_host/call_site.h>

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace torch_host::detail {

struct NpyHeader {
  c10::ScalarType element;
  std::vector<int64_t> sizes;
  bool fortran_order = false;
  /// Bytes to reverse at a time where the file is big-endian; else 1.
  std::size_t swap_width = 1;
  /// Of the data that follows.
  uint64_t bytes = 0;
};

/// The start of a NumPy file for a row-major array. Throws Error for element types without a NumPy
/// name.
std::string npy_header(c10::ScalarType element, at::IntArrayRef sizes, const char *call,
                       CallSite site);

/// Reads the header and leaves the file at the data. Throws Error for anything else than a header.
NpyHeader read_npy_header(OldFile &file, const char *call, CallSite site);

} // namespace torch_host::detail
