#pragma once

#include <torch_host/call_site.h>
#include <torch_host/settings.h>

#include <ATen/core/Tensor.h>

namespace torch_host::detail {

/// What the result of a transfer was promised to be. The references outlive the check.
struct Promise {
  c10::ScalarType element;
  at::IntArrayRef sizes;
  bool contiguous;
};

/// Throws ValidationError where `host` breaks the promise. Reads no element.
void validate_form(const at::Tensor &host, const Promise &promise, const char *call, CallSite site);

/// A position-dependent checksum of the tensor's elements as bytes in row-major order, computed
/// where the tensor is; a one-element tensor of that device. Equal for equal contents of any
/// strides. The tensor has no conj or neg bit.
at::Tensor checksum(const at::Tensor &tensor);

/// The source's checksum before and after the copy.
struct SourceChecksums {
  at::Tensor before;
  at::Tensor after;
};

/// Throws ValidationError where the host copy differs from the source's checksums, or these two
/// from each other.
void validate_content(const at::Tensor &host, const SourceChecksums &source, const char *call,
                      CallSite site);

} // namespace torch_host::detail
