#pragma once

#include <torch_host/call_site.h>
#include <torch_host/element.h>

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace torch_host {

namespace detail {

/// A run of elements in memory and the shape that a tensor is to give it.
struct Blob {
  void *data;
  /// Number of elements that may be read; unknown where unset.
  std::optional<std::size_t> count;
  c10::ScalarType element;
  std::size_t alignment;
  at::IntArrayRef sizes;
  /// Row-major where unset. In elements.
  std::optional<at::IntArrayRef> strides;
};

/// Throws Error where the memory cannot hold that shape.
void check_blob(const Blob &blob, const char *call, CallSite site);
/// A CPU tensor over the memory, which `keep_alive` holds until the last tensor is gone.
at::Tensor wrap_blob(const Blob &blob, std::shared_ptr<const void> keep_alive, const char *call,
                     CallSite site);
at::Tensor copy_blob(const Blob &blob, CallSite site);
/// Throws Error for a tensor over `const` memory, which it could write to.
at::Tensor borrow_blob(const Blob &blob, bool is_const, CallSite site);
at::Tensor wrap_device_blob(const Blob &blob, at::Device device,
                            std::shared_ptr<const void> keep_alive, CallSite site);

template <class T>
Blob make_blob(T *data, std::optional<std::size_t> count, at::IntArrayRef sizes,
               std::optional<at::IntArrayRef> strides) {
  return {const_cast<std::remove_cv_t<T> *>(data),
          count,
          element_type_v<T>,
          alignof(T),
          sizes,
          strides};
}

template <class T> at::Tensor copy_or_borrow(const Blob &blob, bool copy, CallSite site) {
  return copy ? copy_blob(blob, site) : borrow_blob(blob, std::is_const_v<T>, site);
}

} // namespace detail

/// A CPU tensor that owns the vector's memory; nothing is copied. The element type follows from T.
/// The vector may be longer than the tensor. Throws Error where the sizes need more elements than
/// there are, or one is negative.
template <class T>
at::Tensor from_host(std::vector<T> &&values, at::IntArrayRef sizes,
                     CallSite site = CallSite::current()) {
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> holds bits, not bools: use std::vector<uint8_t>");
  auto owner = std::make_shared<std::vector<T>>(std::move(values));
  return detail::wrap_blob(detail::make_blob(owner->data(), owner->size(), sizes, std::nullopt),
                           owner, "from_host", site);
}

/// A CPU tensor from contiguous memory that somebody else owns: a span, a vector, an array.
/// `copy` true: the tensor has its own memory. `copy` false: it reads and writes yours, which must
/// outlive it and every view of it.
/// Throws Error for null, misaligned and too short memory, for negative sizes, and where const
/// elements are not copied.
template <class Range, class T = std::remove_pointer_t<decltype(std::declval<Range &>().data())>>
at::Tensor from_host(Range &&range, at::IntArrayRef sizes, bool copy,
                     CallSite site = CallSite::current()) {
  return detail::copy_or_borrow<T>(
      detail::make_blob(range.data(), range.size(), sizes, std::nullopt), copy, site);
}

/// As above, with strides in elements, one for each dimension. Throws Error where one is negative:
/// LibTorch has no such tensors; reverse with `flip` after the transfer.
template <class Range, class T = std::remove_pointer_t<decltype(std::declval<Range &>().data())>>
at::Tensor from_host(Range &&range, at::IntArrayRef sizes, at::IntArrayRef strides, bool copy,
                     CallSite site = CallSite::current()) {
  return detail::copy_or_borrow<T>(detail::make_blob(range.data(), range.size(), sizes, strides),
                                   copy, site);
}

/// A CPU tensor over the memory that the pointer owns, kept alive until the last tensor over it is
/// gone. The number of elements behind the pointer is the caller's word. Throws Error for null and
/// misaligned pointers.
template <class T>
at::Tensor from_host(std::shared_ptr<T> data, at::IntArrayRef sizes,
                     CallSite site = CallSite::current()) {
  auto blob = detail::make_blob(data.get(), std::nullopt, sizes, std::nullopt);
  return detail::wrap_blob(blob, std::move(data), "from_host", site);
}

/// A tensor over memory of `device`, kept alive by `keep_alive` (null: by the caller). Throws Error
/// where the device's driver says that the pointer is not that device's memory (host memory called
/// CUDA, device memory called CPU, the wrong device index), and as from_host. Where no driver can
/// be asked, the device is believed.
template <class T>
at::Tensor from_device(T *data, at::IntArrayRef sizes, at::Device device,
                       std::shared_ptr<const void> keep_alive = nullptr,
                       CallSite site = CallSite::current()) {
  static_assert(!std::is_const_v<T>, "a tensor could write to this memory");
  return detail::wrap_device_blob(detail::make_blob(data, std::nullopt, sizes, std::nullopt),
                                  device, std::move(keep_alive), site);
}

/// What a driver says about a pointer.
struct PointerKind {
  /// The device that reaches the memory; unset where the driver does not know the pointer, which
  /// is then ordinary host memory.
  std::optional<at::Device> device;
  /// The host may access it too (page-locked or managed memory).
  bool host_accessible = false;
};

/// Tells from_device how to ask the driver of a backend that LibTorch does not know (PrivateUse1
/// and the like). Replaces an earlier probe for that type; an empty function removes it.
void set_pointer_probe(at::DeviceType type, std::function<PointerKind(const void *)> probe);

} // namespace torch_host
