#pragma once

#include <torch_host/call_site.h>

#include <ATen/core/Tensor.h>

#include <string>

namespace torch_host::detail {

/// Throws Error "call: message".
[[noreturn]] void refuse(const std::string &call, const std::string &message, CallSite site);

/// Throws Error where the tensor has no dense memory that could be moved to the host. `index` of a
/// tensor in a list, or -1.
void check_transferable(const at::Tensor &tensor, const char *call, CallSite site,
                        int64_t index = -1);

/// `Float`, as LibTorch prints element types.
std::string element_name(c10::ScalarType type);
/// `[2, 3]`
std::string shape_text(at::IntArrayRef sizes);

} // namespace torch_host::detail
