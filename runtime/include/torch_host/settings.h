#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>

namespace torch_host {

/// How much of a transfer's result is checked before it is handed out.
enum class Validation : uint8_t {
  off,
  /// Device, gradient, element type, sizes, strides, alignment, conj and neg bits. Under a
  /// microsecond a call.
  cheap,
  /// As cheap, and a checksum of the bytes computed on both sides by arithmetic, independently of
  /// the copy engine. Reads the whole tensor on both sides, and uses device memory for about
  /// 10 MiB of weights.
  full,
};

/// The level for calls that do not set their own. At the start it comes from the environment:
/// TORCH_HOST_VALIDATE=off|cheap|full; cheap where that is unset or says something else.
Validation validation() noexcept;
/// Sets that level for all threads; returns the one before.
Validation set_validation(Validation level) noexcept;

/// What a transfer to the host may be asked for.
struct HostOptions {
  /// Element type of the result; the tensor's own where unset.
  std::optional<c10::ScalarType> dtype;
  /// Force a storage of its own, also where the tensor is on the host already.
  bool copy = false;
  /// Row-major result. If false, dense layouts (channels last, transposed) keep their strides.
  bool contiguous = true;
  /// Page-locked memory for the result, where the device's backend offers it. Unset: yes for
  /// asynchronous transfers and batches, no for single ones.
  std::optional<bool> pinned;
  /// Unset: the global level.
  std::optional<Validation> validation;
};

} // namespace torch_host
