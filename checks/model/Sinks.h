//===--- Sinks.h - functions that read or write memory, as data ------------===//
//
// Which arguments of a function the host reads or writes, and which functions hand memory to the
// device. One line an entry in Sinks.cpp; users extend the lists by the checks' options.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_MODEL_SINKS_H
#define TORCH_TIDY_MODEL_SINKS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace torch_tidy::model {

/// Bit sets of argument positions.
struct HostSink {
  const char *Name;    ///< Qualified; C functions without a namespace also match in std.
  uint32_t Reads = 0;  ///< Arguments whose memory is read.
  uint32_t Writes = 0; ///< Arguments whose memory is written.
};

enum class SinkKind : uint8_t {
  None,
  Host,      ///< As the HostSink says.
  Copy,      ///< cudaMemcpy family: direction in an argument
  Device,    ///< Every pointer goes to the device.
  Algorithm, ///< A standard algorithm: every pointer is read, those in Writes are written.
  Neutral,   ///< Takes pointers and does not look behind them (printing, hashing, comparing).
};

struct Sink {
  SinkKind Kind = SinkKind::None;
  uint32_t Reads = ~uint32_t(0);
  uint32_t Writes = 0;
  int Direction = -1; ///< Copy: position of the cudaMemcpyKind argument
};

/// What the function with the qualified name \p Name (global functions: just the name) does.
Sink findSink(llvm::StringRef Name);

/// Functions for which the order of the elements in memory does not matter: fills, sums, counts.
bool anyOrder(llvm::StringRef Name);

/// Whether \p Name puts memory of an accelerator that the host cannot read into its first argument.
bool allocatesOnDevice(llvm::StringRef Name);
/// Whether a method called \p Name puts its argument where it stays: a queue, a pool of tasks.
bool keepsArgument(llvm::StringRef Name);
/// Whether a method called \p Name hands out memory that belongs to its object (`ptr`, `bits`).
bool givesOwnMemory(llvm::StringRef Name);

} // namespace torch_tidy::model

#endif // TORCH_TIDY_MODEL_SINKS_H
