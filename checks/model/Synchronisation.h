//===--- Synchronisation.h - host and device wait for each other, as data --===//
#ifndef TORCH_TIDY_MODEL_SYNCHRONISATION_H
#define TORCH_TIDY_MODEL_SYNCHRONISATION_H

#include "llvm/ADT/StringRef.h"

namespace torch_tidy::model {

/// Whether the host waits for the device in the function \p Name (without its namespace).
bool waitsForDevice(llvm::StringRef Name);

/// Whether the name of a function that is not visible says that it may wait.
bool saysItWaits(llvm::StringRef Name);

/// Whether \p Name asks if the device is done, and what it returns then: `event.query()` true,
/// `cudaStreamQuery(s)` zero.
enum class Query { None, True, Zero };
Query asksForCompletion(llvm::StringRef Name);

/// Tensor methods that fetch one number.
bool fetchesNumber(llvm::StringRef Method);
/// Tensor methods without a tensor result that read the elements.
bool readsElements(llvm::StringRef Method);

/// Functions that consume the history of their arguments, by qualified name.
bool differentiates(llvm::StringRef QualifiedName);

/// Operators whose result is the sum, or the collection, of their operands.
bool accumulates(llvm::StringRef Operator);
/// Operators that scale their only tensor operand.
bool scales(llvm::StringRef Operator);
/// In-place methods after which the tensor keeps nothing of its history.
bool forgetsHistory(llvm::StringRef Method);

/// Methods that change tensors which nobody passes to them.
bool changesParameters(llvm::StringRef Method);
bool replaysGraph(llvm::StringRef Method);

/// What functions of a device library do with the memory of the host that they are given.
enum class HostMemory { None, Allocates, Pins, Frees };
HostMemory hostMemoryFunction(llvm::StringRef Name);

} // namespace torch_tidy::model

#endif // TORCH_TIDY_MODEL_SYNCHRONISATION_H
