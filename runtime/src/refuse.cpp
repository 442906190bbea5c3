#include "refuse.h"

#include <torch_host/error.h>

#include <c10/core/DispatchKeySet.h>

#include <sstream>

namespace torch_host {

namespace {

std::string with_site(const std::string &message, CallSite site) {
  return std::string(site.file) + ":" + std::to_string(site.line) + ": " + message;
}

} // namespace

Error::Error(const std::string &message, CallSite site)
    : std::runtime_error(with_site(message, site)), site_(site) {}

ValidationError::ValidationError(const std::string &call, std::string checked, std::string expected,
                                 std::string found, CallSite site)
    : Error(call + ": the result is not what was promised: " + checked + " should be " + expected +
                ", found " + found,
            site),
      checked_(std::move(checked)), expected_(std::move(expected)), found_(std::move(found)) {}

namespace detail {

namespace {

using Key = c10::DispatchKey;

// Kinds of tensors without plain dense memory behind data_ptr(). A functionality key (Sparse,
// Quantized, NestedTensor) stands for all its backends.
const c10::DispatchKeySet &opaque_keys() {
  static const c10::DispatchKeySet keys(
      {Key::Sparse, Key::Quantized, Key::NestedTensor, Key::Python, Key::Fake, Key::Functionalize,
       Key::FuncTorchBatched, Key::FuncTorchGradWrapper, Key::Batched, Key::MkldnnCPU});
  return keys;
}

// What the tensor is and what to do about it; null for plain tensors.
const char *why_not(const at::Tensor &tensor) {
  if (!tensor.defined())
    return "the tensor is undefined; check `defined()` first";
  const c10::DispatchKeySet keys = tensor.key_set();
  const bool plain = tensor.layout() == c10::kStrided && !keys.has_any(opaque_keys());
  if (plain && !tensor.is_meta())
    return nullptr;
  if (keys.has_any(c10::DispatchKeySet({Key::Python, Key::Fake})))
    return "the tensor is fake or a Python subclass and may hold no data; use the tensor it stands "
           "for";
  if (keys.has(Key::Functionalize))
    return "the tensor is functional; call `at::functionalization::impl::from_functional_tensor` "
           "first";
  if (keys.has_any(
          c10::DispatchKeySet({Key::FuncTorchBatched, Key::FuncTorchGradWrapper, Key::Batched})))
    return "the tensor belongs to a functional transform (vmap, grad); transfer its result outside "
           "the transform";
  if (tensor.is_meta())
    return "the tensor is on the meta device and has no data; create it on a real device";
  if (tensor.is_quantized())
    return "the tensor is quantised; call `dequantize()` for values or `int_repr()` for the stored "
           "integers";
  if (tensor.is_nested())
    return "the tensor is nested; call `to_padded_tensor(...)`, or transfer the parts of "
           "`unbind()`";
  if (tensor.is_mkldnn())
    return "the tensor has mkldnn's own layout; call `to_dense()` first";
  return "the tensor is sparse; call `to_dense()`, or transfer `indices()` and `values()`";
}

} // namespace

void refuse(const std::string &call, const std::string &message, CallSite site) {
  throw Error(call + ": " + message, site);
}

void check_transferable(const at::Tensor &tensor, const char *call, CallSite site, int64_t index) {
  const char *reason = why_not(tensor);
  if (reason == nullptr)
    return;
  refuse(call, index < 0 ? reason : "tensor " + std::to_string(index) + ": " + reason, site);
}

std::string element_name(c10::ScalarType type) { return c10::toString(type); }

std::string shape_text(at::IntArrayRef sizes) {
  std::ostringstream out;
  out << sizes;
  return out.str();
}

} // namespace detail
} // namespace torch_host
