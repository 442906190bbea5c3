#pragma once

#include <torch_host/call_site.h>

#include <chrono>
#include <cstdint>

namespace torch_host::detail {

/// What one call adds to the statistics of its line.
struct Tally {
  int64_t copied = 0;
  int64_t aliased = 0;
  int64_t bytes = 0;
  int64_t synchronisations = 0;
  int64_t nanoseconds_waiting = 0;
  int64_t nanoseconds_copying = 0;
};

void record(CallSite site, const Tally &tally) noexcept;

class Stopwatch {
public:
  int64_t nanoseconds() const noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Throws Error, or warns, where the thread is inside a NoTransferScope.
void check_transfer_allowed(const char *call, int64_t bytes, CallSite site);

} // namespace torch_host::detail
