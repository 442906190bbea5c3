#pragma once

#include <torch_host/call_site.h>

#include <ATen/core/Tensor.h>

namespace torch_host::detail {

struct MatrixShape {
  int64_t rows;
  int64_t columns;
};

/// Rows and columns of a tensor seen as a matrix. Throws Error for more than two dimensions.
MatrixShape matrix_shape(at::IntArrayRef sizes, CallSite site);

} // namespace torch_host::detail
