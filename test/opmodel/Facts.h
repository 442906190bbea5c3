//===--- Facts.h - compares a call of an operator with the table ---------===//

#ifndef TORCH_TIDY_TEST_OPMODEL_FACTS_H
#define TORCH_TIDY_TEST_OPMODEL_FACTS_H

#include "OperatorModel.h"
#include "Recipes.h"
#include <ATen/ATen.h>
#include <optional>

namespace torch_tidy::opmodel_test {

/// A tensor argument as it was before the call.
struct TensorBefore {
  at::Tensor Tensor;
  std::vector<int64_t> Sizes, Strides;
  at::ScalarType Dtype;
  at::Device Device;
  c10::StorageImpl *Storage; ///< null for sparse and other tensors without storage
  bool IsDense;              ///< strided without gaps or overlaps
  bool IsContiguous;

  explicit TensorBefore(const at::Tensor &T);
};

/// An argument before the call; Tensors has one entry for a tensor, several for a list.
struct ArgBefore {
  std::vector<TensorBefore> Tensors;
  c10::IValue Value;
};

struct Comparison {
  int Facts = 0;                       ///< how many statements of the table were compared
  std::vector<std::string> Mismatches; ///< "dtype: expected Long, is Float"
};

/// One call: the table's entry, the schema of the LibTorch that ran it, what went in.
class Call {
public:
  Call(const model::OperatorInfo &Op, const c10::FunctionSchema &Schema,
       const std::vector<c10::IValue> &Args, const Variation &How);

  /// Compares the results, one for each of Op.outputs().
  Comparison compare(const std::vector<c10::IValue> &Results) const;

private:
  /// A tensor of the result, what the table says of it, and the argument that it is measured by.
  struct Output {
    const model::OutputInfo &Rule;
    const at::Tensor &Tensor;
    const TensorBefore *Base;
  };

  void compareTensor(const Output &Out, Comparison &Into) const;
  void compareStorage(const Output &Out, Comparison &Into) const;
  void compareDtype(const Output &Out, Comparison &Into) const;
  void compareDevice(const Output &Out, Comparison &Into) const;
  void compareLayout(const Output &Out, Comparison &Into) const;
  void compareShape(const Output &Out, Comparison &Into) const;
  void compareGrad(const Output &Out, Comparison &Into) const;

  /// The argument of the table's number, or null where this LibTorch does not have it.
  const ArgBefore *argument(int Index) const;
  /// The base of a result; for the elements of a list made from a list, of that element.
  const TensorBefore *base(const model::OutputInfo &Rule, size_t Element) const;
  const c10::IValue *valueOf(llvm::StringRef Name) const;
  std::optional<at::ScalarType> expectedDtype(const Output &Out) const;
  std::optional<at::ScalarType> promotedDtype(const Output &Out) const;
  at::ScalarType dtypeOfScalars() const;
  bool sameLayoutEverywhere(const TensorBefore &Base) const;
  std::optional<bool> expectedOneElement(const Output &Out) const;

  const model::OperatorInfo &Op;
  const Variation &How;
  std::vector<std::optional<ArgBefore>> Before; ///< in the order of Op.args()
};

} // namespace torch_tidy::opmodel_test

#endif // TORCH_TIDY_TEST_OPMODEL_FACTS_H
