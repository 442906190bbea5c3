//===--- TensorMethods.h - what LibTorch's tensor calls do, as data --------===//
//
// The part of LibTorch that PyTorch's operator schemas do not describe: accessors, guards, calls
// that touch the handle. Operators come from the generated table (OperatorModel.h).
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_MODEL_TENSORMETHODS_H
#define TORCH_TIDY_MODEL_TENSORMETHODS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace torch_tidy::model {

enum class MethodKind : uint8_t {
  Operator,       ///< Everything else: an operator with a schema.
  Pointer,        ///< Hands out the memory: data_ptr and the like.
  Accessor,       ///< accessor<T, N>()
  PackedAccessor, ///< packed_accessor*()
  Shape,          ///< Hands out a view of the TensorImpl's sizes or strides.
  StorageHandle,  ///< storage(), unsafeGetTensorImpl(): more calls lead to the memory.
  IsHost,         ///< Guard: true on the host.
  IsAccelerator,  ///< Guard: true on an accelerator.
  NeedsGrad,      ///< Guard: requires_grad()
  Defined,        ///< Guard: defined()
  Device,         ///< device(), get_device()
  Options,        ///< options(), type()
  ElementType,    ///< scalar_type(), dtype()
  IsFloating,     ///< Guard: a floating-point type
  IsContiguous,   ///< Guard: lies in memory in the order of its indices
  Extent,         ///< size(i), numel(), dim()
  Conversion,     ///< to(), cpu(), cuda(): may be another device or type, may be the same tensor
  SetGrad,        ///< requires_grad_(b), set_requires_grad(b)
  Detach,         ///< detach(), data(): shares the storage, no history
  Grad,           ///< grad(), mutable_grad()
  Reset,          ///< reset(): the handle lets go
  Resize,         ///< resize_(): may move the memory
  SetStorage,     ///< set_(): takes the storage of its argument
  NoResult,       ///< item(), size(), backward(), print(): nothing to follow
  Handle,         ///< Assignment and swap of handles.
};

/// Functions of LibTorch, other than operators, whose result is always on the host.
bool givesHostTensor(llvm::StringRef QualifiedName);

MethodKind methodKind(llvm::StringRef Name, bool HasTemplateArguments);

} // namespace torch_tidy::model

#endif // TORCH_TIDY_MODEL_TENSORMETHODS_H
