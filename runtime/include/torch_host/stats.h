#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace torch_host {

/// What the transfers asked for at one line of source came to, over all threads.
struct SiteStats {
  /// `file:line`, as compilers and clang-tidy print it.
  std::string site;
  /// Calls: transfers, batches, views, write-backs, items.
  int64_t count = 0;
  /// Tensors that were copied, and tensors that shared the storage of their argument.
  int64_t copied = 0;
  int64_t aliased = 0;
  /// Bytes moved.
  int64_t bytes = 0;
  /// How often a device was waited for.
  int64_t synchronisations = 0;
  /// Wall-clock seconds spent waiting for a device, and in the rest of the calls that copied.
  double seconds_waiting = 0;
  double seconds_copying = 0;
};

/// All lines that transferred something since the start or the last reset, the slowest first.
std::vector<SiteStats> stats();
/// Forgets them.
void reset_stats();
/// Prints stats() as a table. With TORCH_HOST_STATS=1 in the environment this goes to the standard
/// error stream when the program exits.
void print_stats(std::ostream &out);

} // namespace torch_host
