#pragma once

#include <torch_host/call_site.h>

#include <ATen/core/Tensor.h>

#include <string>

namespace torch_host {

/// Writes the tensor as a NumPy file (format 1.0, 2.0 for very long headers) that `numpy.load`
/// reads. A tensor on a device is brought to the host first. The file is written beside `path`
/// under a temporary name and renamed when it is complete and on the disk: `path` holds the old
/// contents or the new, never a part.
///
/// Throws Error for element types that NumPy has none for (bfloat16, complex half, float8), where
/// the disk refuses, and for all that to_host refuses.
void save_npy(const std::string &path, const at::Tensor &tensor,
              CallSite site = CallSite::current());

/// Reads a NumPy file of format 1.0 to 3.0 into a CPU tensor of its own memory. Big-endian files
/// are converted; Fortran order becomes strides.
///
/// Throws Error where the file cannot be read, is no NumPy file, is shorter or longer than its
/// header says, or has an element type that this LibTorch has none for. No more memory is taken
/// than the file is long.
at::Tensor load_npy(const std::string &path, CallSite site = CallSite::current());

} // namespace torch_host
