//===--- Deprecated.h - spellings of LibTorch's first releases --------------===//
#ifndef TORCH_TIDY_MODEL_DEPRECATED_H
#define TORCH_TIDY_MODEL_DEPRECATED_H

#include "llvm/ADT/StringRef.h"

namespace torch_tidy::model {

/// A deprecated method of a tensor, or of what its `type()` returns.
struct DeprecatedMethod {
  const char *Name;
  const char *Replacement;
  const char *Reason; ///< Completes "'data<T>()' of 't' ...".
};

/// The template method \p Name of a tensor; null where it is not deprecated.
const DeprecatedMethod *deprecatedAccessor(llvm::StringRef Name);
/// The method \p Name in `tensor.type().name()`.
const DeprecatedMethod *deprecatedTypeQuery(llvm::StringRef Name);

} // namespace torch_tidy::model

#endif // TORCH_TIDY_MODEL_DEPRECATED_H
