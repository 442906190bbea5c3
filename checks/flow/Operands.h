//===--- Operands.h - the operands of one operator call --------------------===//
#ifndef TORCH_TIDY_FLOW_OPERANDS_H
#define TORCH_TIDY_FLOW_OPERANDS_H

#include "../model/OperatorModel.h"
#include "EngineImpl.h"

namespace torch_tidy::flow {

/// The operands of a call of one of LibTorch's operators, by the numbers that the operator table
/// gives to its arguments.
struct Engine::Operands {
  const clang::Expr *Call = nullptr;
  /// Null for a function of LibTorch that is no operator: then only Tensors is filled.
  const model::OperatorInfo *Op = nullptr;
  llvm::ArrayRef<const clang::Expr *> Args;
  /// By argument number; null where the call leaves it out. `self` of a method has no expression.
  llvm::SmallVector<const clang::Expr *, 8> ByNumber;
  llvm::SmallVector<llvm::SmallVector<const TensorFacts *, 1>, 4> TensorsOf;
  /// All tensors in the order of the arguments.
  llvm::SmallVector<const TensorFacts *, 4> Tensors;
  OptionsFacts Options;
  bool HasOptions = false; ///< Options, a dtype or a device were passed.

  const clang::Expr *arg(llvm::StringRef Name) const {
    int N = Op ? Op->findArg(Name) : -1;
    return N < 0 ? nullptr : ByNumber[N];
  }
  const TensorFacts *tensor(int Number) const {
    return Number >= 0 && size_t(Number) < TensorsOf.size() && !TensorsOf[Number].empty()
               ? TensorsOf[Number].front()
               : nullptr;
  }
};

/// \p E without conversions, and without constructors of one argument (`optional`, `Scalar`,
/// `IntArrayRef`).
const clang::Expr *innermost(const clang::Expr *E);

inline SizeList makeSizes(std::vector<int64_t> Sizes) {
  return std::make_shared<const std::vector<int64_t>>(std::move(Sizes));
}

/// Makes \p Dim count from the first dimension; false where it names none, or is not known to.
inline bool wrapDim(int64_t &Dim, const SizeList &Sizes) {
  if (Dim < 0 && Sizes)
    Dim += int64_t(Sizes->size());
  return Dim >= 0 && (!Sizes || Dim < int64_t(Sizes->size()));
}

/// The number of elements where every size is known, else -1.
int64_t countOf(const SizeList &Sizes);

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_OPERANDS_H
