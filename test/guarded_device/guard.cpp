// Devices, streams and events of the guarded device.
#include "guarded_device.h"
#include "memory.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#ifdef GUARDED_TORCH_2
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/DeviceType.h>

#include <cstdlib>
#include <mutex>
#include <set>
#endif

#include <limits>

namespace guarded {

namespace {

struct Event {
  int device = 0;
  int stream = 0;
  uint64_t ticket = 0;
};

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return c10::DeviceType::PrivateUse1; }
  c10::Device exchangeDevice(c10::Device to) const override {
    const c10::Device from = getDevice();
    setDevice(to);
    return from;
  }
  c10::Device getDevice() const override { return device(detail::current_device()); }
  void setDevice(c10::Device to) const override {
    if (to.has_index())
      detail::set_current_device(to.index());
  }
  void uncheckedSetDevice(c10::Device to) const noexcept override { setDevice(to); }
  c10::DeviceIndex deviceCount() const noexcept override { return kDevices; }

  c10::Stream getStream(c10::Device of) const noexcept override {
    const int index = of.has_index() ? of.index() : detail::current_device();
    return stream(index, detail::current_stream(index));
  }
  c10::Stream getDefaultStream(c10::Device of) const override { return stream(of.index(), 0); }
  c10::Stream getStreamFromGlobalPool(c10::Device of, bool) const override {
    return stream(of.index(), 1);
  }
  c10::Stream exchangeStream(c10::Stream to) const noexcept override {
    const int index = to.device_index();
    return stream(index, detail::exchange_stream(index, static_cast<int>(to.id())));
  }
  bool queryStream(const c10::Stream &s) const override {
    return detail::drained(s.device_index(), static_cast<int>(s.id()), everything());
  }
  void synchronizeStream(const c10::Stream &s) const override {
    detail::drain(s.device_index(), static_cast<int>(s.id()), everything());
  }

  void record(void **event, const c10::Stream &s, const c10::DeviceIndex,
              const c10::EventFlag) const override {
    if (*event == nullptr)
      *event = new Event;
    *static_cast<Event *>(*event) = {s.device_index(), static_cast<int>(s.id()),
                                     detail::last_ticket()};
  }
  // Copies take their snapshot at once, so a stream never has to wait for another.
  void block(void *, const c10::Stream &) const override {}
  bool queryEvent(void *event) const override {
    const auto *e = static_cast<const Event *>(event);
    return e == nullptr || detail::drained(e->device, e->stream, e->ticket);
  }
  void destroyEvent(void *event, const c10::DeviceIndex) const noexcept override {
    delete static_cast<Event *>(event);
  }
#ifdef GUARDED_TORCH_2
  void synchronizeEvent(void *event) const override {
    const auto *e = static_cast<const Event *>(event);
    detail::drain(e->device, e->stream, e->ticket);
  }
  void synchronizeDevice(const c10::DeviceIndex index) const override { synchronize(index); }
#endif

private:
  static uint64_t everything() { return std::numeric_limits<uint64_t>::max(); }
  static c10::Stream stream(int index, int id) {
    return c10::Stream(c10::Stream::UNSAFE, device(index), id);
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

#ifdef GUARDED_TORCH_2

// Page-locked memory: ordinary memory that is remembered as pinned.
struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(std::size_t size) override {
    void *memory = size == 0 ? nullptr : std::aligned_alloc(64, (size + 63) / 64 * 64);
    const std::lock_guard<std::mutex> lock(mutex);
    if (memory != nullptr)
      blocks.insert(memory);
    return {memory, memory, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void *to, const void *from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }
  static PinnedAllocator &instance() {
    static auto *allocator = new PinnedAllocator;
    return *allocator;
  }
  bool holds(const void *pointer) {
    const std::lock_guard<std::mutex> lock(mutex);
    return blocks.count(const_cast<void *>(pointer)) > 0;
  }

private:
  static void release(void *memory) {
    PinnedAllocator &self = instance();
    const std::lock_guard<std::mutex> lock(self.mutex);
    self.blocks.erase(memory);
    std::free(memory);
  }
  std::mutex mutex;
  std::set<void *> blocks;
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return kDevices; }
  c10::DeviceIndex getCurrentDevice() const override {
    return static_cast<c10::DeviceIndex>(detail::current_device());
  }
  bool isPinnedPtr(const void *pointer) const override {
    return PinnedAllocator::instance().holds(pointer);
  }
  c10::Allocator *getPinnedMemoryAllocator() const override { return &PinnedAllocator::instance(); }
  at::Device getDeviceFromPtr(void *pointer) const override {
    const int index = owner(pointer);
    TORCH_CHECK(index >= 0, "guarded device: not its pointer");
    return device(index);
  }
};

// A program that also uses a real accelerator leaves them out: LibTorch takes page-locked memory
// from the registered backend alone.
const bool registered = [] {
  if (std::getenv("GUARDED_NO_HOOKS") != nullptr)
    return false;
  c10::register_privateuse1_backend("guarded");
  at::RegisterPrivateUse1HooksInterface(new Hooks);
  return true;
}();

#endif

} // namespace

bool can_pin() {
#ifdef GUARDED_TORCH_2
  return registered;
#else
  return false;
#endif
}

} // namespace guarded
