//===--- Effects.cpp - calls of LibTorch that change nothing ---------------===//
#include "Effects.h"
#include "../support/Compat.h"
#include "OperatorModel.h"
#include "llvm/ADT/STLExtras.h"
#include <string>
#include <utility>

namespace torch_tidy::model {

// Operators that change an argument although their schema does not say so: running statistics, rows
// that are normalised in place.
static constexpr const char *Effectful[] = {
    "_batch_norm_impl_index", "batch_norm",    "cudnn_batch_norm",  "embedding",
    "embedding_bag",          "instance_norm", "miopen_batch_norm", "native_batch_norm",
};

// Names of the namespaces of torch::, and what the operator table puts in front of their functions.
static constexpr std::pair<const char *, const char *> Namespaces[] = {
    {"at", ""},
    {"torch", ""},
    {"torch::fft", "fft_"},
    {"torch::linalg", "linalg_"},
    {"torch::special", "special_"},
    {"torch::stable", ""},
};

static bool onlyReturns(llvm::StringRef Name, OperatorFlags Form) {
  bool Known = false;
  for (const OperatorInfo &Op : lookupOperator(Name)) {
    if (!Op.is(Form))
      continue;
    bool TakesTensor = false;
    for (const ArgInfo &Arg : Op.args()) {
      if (Arg.is(AF_Mutable) || Arg.is(AF_Out))
        return false;
      TakesTensor |= isTensorKind(Arg.Kind);
    }
    Known |= TakesTensor;
  }
  return Known;
}

static bool changes(llvm::StringRef Name) {
  return support::endsWith(Name, "_") || llvm::is_contained(Effectful, Name);
}

bool methodOnlyReturns(llvm::StringRef Name, bool ReturnsValue) {
  if (changes(Name))
    return false;
  return lookupOperator(Name).empty() ? ReturnsValue : onlyReturns(Name, OF_Method);
}

bool functionOnlyReturns(llvm::StringRef Namespace, llvm::StringRef Name) {
  if (changes(Name))
    return false;
  // Not operators, but written with them. With the option `inplace` they are the caller's concern.
  if (Namespace == "torch::nn::functional")
    return true;
  for (const auto &[Space, Prefix] : Namespaces)
    if (Namespace == Space)
      return onlyReturns(Prefix + Name.str(), OF_Function) ||
             // operator+ is a method in the table.
             (support::startsWith(Name, "operator") && onlyReturns(Name, OF_Method));
  return false;
}

bool isReduction(llvm::StringRef Name) {
  for (const OperatorInfo &Op : lookupOperator(Name))
    for (const OutputInfo &Out : Op.outputs())
      if (Out.Shape == ShapeRule::OneElement || Out.Shape == ShapeRule::OneElementIfNoDim ||
          Out.Shape == ShapeRule::OneElementIfReduced)
        return true;
  return false;
}

llvm::StringRef inPlaceName(llvm::StringRef Name) {
  for (const OperatorInfo &Op : lookupOperator((Name + "_").str()))
    if (Op.is(OF_Method))
      return Op.name();
  return {};
}

} // namespace torch_tidy::model
