#include "fence.h"

#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <array>
#include <atomic>

namespace torch_host::detail {

namespace {

// Newer LibTorch waits for the event alone; older only for the whole stream.
template <class Event>
auto wait_for(const Event &event, const c10::Stream &, int) -> decltype(event.synchronize()) {
  event.synchronize();
}
template <class Event> void wait_for(const Event &, const c10::Stream &stream, long) {
  stream.synchronize();
}

c10::Stream current_stream(c10::Device device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

bool records_events(c10::DeviceType type) {
  if (!c10::impl::hasDeviceGuardImpl(type))
    return false;
  const c10::impl::VirtualGuardImpl impl(type);
  if (impl.deviceCount() == 0)
    return false;
  try {
    c10::Event event(type);
    event.record(impl.getStream(impl.getDevice()));
    return true;
  } catch (const c10::Error &) {
    return false; // "Backend doesn't support events."
  }
}

} // namespace

bool can_copy_asynchronously(c10::DeviceType type) {
  // Other backends (MPS, XLA, ...) have streams of their own kind, or none.
  if (type != c10::kCUDA && type != c10::kHIP && type != c10::kXPU &&
      type != c10::DeviceType::PrivateUse1)
    return false;
  enum : char { unknown, yes, no };
  static std::array<std::atomic<char>, c10::COMPILE_TIME_MAX_DEVICE_TYPES> known{};
  std::atomic<char> &answer = known[static_cast<std::size_t>(type)];
  if (answer.load() == unknown)
    answer.store(records_events(type) ? yes : no);
  return answer.load() == yes;
}

Fence::Fence(c10::Device device) : stream_(current_stream(device)), event_(device.type()) {
  event_.record(stream_);
}

void Fence::wait() { wait_for(event_, stream_, 0); }

bool Fence::reached() const { return event_.query(); }

} // namespace torch_host::detail
