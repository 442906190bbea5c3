#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

namespace torch_host::detail {

/// Whether copies from devices of this type may be left running and waited for later: LibTorch
/// knows the type's streams and events.
bool can_copy_asynchronously(c10::DeviceType type);

/// A point on the device's current stream, behind everything enqueued there so far.
class Fence {
public:
  explicit Fence(c10::Device device);
  /// Blocks until the device has reached the point.
  void wait();
  bool reached() const;
  c10::Device device() const { return stream_.device(); }

private:
  c10::Stream stream_;
  c10::Event event_;
};

} // namespace torch_host::detail
