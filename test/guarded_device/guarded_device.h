#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

/// A test-only accelerator, registered with LibTorch as PrivateUse1. Its memory is out of the
/// host's reach: data_ptr() points into pages without access rights, so that a host read or write
/// dies with SIGSEGV, as it would on a device. The backend itself reaches the same pages through a
/// second mapping. Fresh memory is filled with 0xFF, so that floating-point elements read as NaN.
///
/// Two devices. Non-blocking copies to the host take a snapshot of the source, as a copy engine
/// that runs in stream order does, and write to the destination only when the stream or an event
/// behind them is waited for: until then the destination is stale, and if it was freed, the write
/// goes to freed memory. Copies to the device are finished at once. Operators that the backend does
/// not have run on the CPU (LibTorch's fallback), which counts as no synchronisation.
///
/// Linking the library registers the device. With GUARDED_NO_HOOKS in the environment it has no
/// page-locked memory, for programs that also use a real accelerator. Thread-safe.
namespace guarded {

at::Device device(int index = 0);
constexpr int kDevices = 2;

/// What the device did, over all threads, since the last reset.
struct Counters {
  int64_t copies_to_host = 0;
  int64_t copies_to_device = 0;
  /// Those of the copies to the host that were non-blocking.
  int64_t queued = 0;
  /// Waits for a stream, an event or a blocking copy.
  int64_t synchronisations = 0;
  int64_t allocations = 0;
};
Counters counters();
void reset_counters();

/// Copies to the host that were not written to their destination yet.
std::size_t pending();
/// Waits for everything on the device.
void synchronize(int index = 0);
/// Makes a stream of the device (0 is the default one) the current one of this thread.
void set_stream(int index, int stream);

/// The device whose memory this is, or -1.
int owner(const void *pointer);
/// Writes to the tensor's memory from outside of every stream, as a kernel on another stream or
/// another process would.
void scribble(const at::Tensor &tensor, std::size_t byte, unsigned char value);

/// Things that go wrong, until the next call.
enum class Fault {
  none,
  /// Copies between host and device leave out the second half of the elements.
  truncate,
  /// Waiting returns without the queued copies having been written.
  deaf_wait,
  /// The source changes while a copy to the host runs.
  moving_source,
  /// Allocations on the device fail with c10::Error.
  no_memory,
  /// Copies to the host throw c10::Error, after as many successful ones as `after` says.
  broken_copy,
  /// Waiting throws c10::Error.
  broken_wait,
};
void set_fault(Fault fault, int after = 0);

/// Whether page-locked host memory can be had for the device (LibTorch 2).
bool can_pin();

} // namespace guarded
