//===--- Effects.h - calls of LibTorch that change nothing -----------------===//
#ifndef TORCH_TIDY_MODEL_EFFECTS_H
#define TORCH_TIDY_MODEL_EFFECTS_H

#include "llvm/ADT/StringRef.h"

namespace torch_tidy::model {

/// Whether the tensor method \p Name only returns its result: `cpu`, `clamp`, `operator+`, not
/// `clamp_`, `set_data`, `backward`. \p ReturnsValue tells methods that the operator table does not
/// know: those in place return references.
bool methodOnlyReturns(llvm::StringRef Name, bool ReturnsValue);

/// Whether the function \p Name of \p Namespace ("at", "torch", "torch::linalg", ...) takes a
/// tensor and only returns its result.
bool functionOnlyReturns(llvm::StringRef Namespace, llvm::StringRef Name);

/// Whether \p Name folds a tensor into one element: `sum`, `var`. Nobody means to replace the
/// tensor.
bool isReduction(llvm::StringRef Name);

/// The name of the method that does in place what \p Name does, or empty: "clamp_" of "clamp".
llvm::StringRef inPlaceName(llvm::StringRef Name);

} // namespace torch_tidy::model

#endif // TORCH_TIDY_MODEL_EFFECTS_H
