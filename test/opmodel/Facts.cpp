//===--- Facts.cpp - compares a call of an operator with the table -------===//

#include "Facts.h"
#include <ATen/ExpandUtils.h>
#include <ATen/native/TypeProperties.h>
#include <sstream>

namespace torch_tidy::opmodel_test {
namespace {

using namespace torch_tidy::model;

template <typename A, typename B>
void expect(Comparison &Into, const char *Fact, const A &Expected, const B &Actual) {
  ++Into.Facts;
  if (Expected == Actual)
    return;
  std::ostringstream Text;
  Text << std::boolalpha << Fact << ": expected " << Expected << ", is " << Actual;
  Into.Mismatches.push_back(Text.str());
}

std::vector<at::Tensor> tensorsIn(const c10::IValue &Value) {
  std::vector<at::Tensor> Tensors;
  if (Value.isTensor())
    Tensors.push_back(Value.toTensor());
  else if (Value.isTensorList())
    Tensors = Value.toTensorVector();
  else if (Value.isList())
    for (const c10::IValue &Element : Value.toListRef())
      if (Element.isTensor())
        Tensors.push_back(Element.toTensor());
  return Tensors;
}

c10::StorageImpl *storageOf(const at::Tensor &T) {
  return T.has_storage() ? T.storage().unsafeGetStorageImpl() : nullptr;
}

bool sameMemory(const at::Tensor &T, const TensorBefore &Before) {
  c10::StorageImpl *Storage = storageOf(T);
  if (!Storage || !Before.Storage)
    return false;
  return Storage == Before.Storage ||
         (Storage->data() != nullptr && Storage->data() == Before.Storage->data());
}

bool isWhole(at::ScalarType Dtype) { return at::isIntegralType(Dtype, /*includeBool=*/true); }

at::ScalarType defaultDtype() { return at::typeMetaToScalarType(at::get_default_dtype()); }

at::ScalarType complexOf(at::ScalarType Dtype) {
  if (at::isComplexType(Dtype))
    return Dtype;
  return at::toComplexType(isWhole(Dtype) ? defaultDtype() : Dtype);
}

/// The number arguments that take part in type promotion; factors such as alpha do not.
bool isOperand(llvm::StringRef Name) {
  return Name == "self" || Name == "other" || Name == "exponent" || Name == "min" ||
         Name == "max" || Name == "x" || Name == "n";
}

/// The order of the dimensions by stride says how a dense tensor lies.
bool sameLayout(const at::Tensor &T, const TensorBefore &Before) {
  for (int64_t I = 0; I < T.dim(); ++I)
    if (T.size(I) > 1 && T.stride(I) != Before.Strides[I])
      return false;
  return true;
}

} // namespace

TensorBefore::TensorBefore(const at::Tensor &T)
    : Tensor(T), Sizes(T.sizes().vec()), Dtype(T.scalar_type()), Device(T.device()),
      Storage(storageOf(T)),
      IsDense(T.layout() == at::kStrided && T.is_non_overlapping_and_dense()),
      IsContiguous(T.layout() == at::kStrided && T.is_contiguous()) {
  if (T.layout() == at::kStrided)
    Strides = T.strides().vec();
}

Call::Call(const OperatorInfo &Op, const c10::FunctionSchema &Schema,
           const std::vector<c10::IValue> &Args, const Variation &How)
    : Op(Op), How(How), Before(Op.args().size()) {
  for (size_t I = 0; I < Args.size(); ++I) {
    int Index = Op.findArg(Schema.arguments()[I].name());
    if (Index < 0)
      continue;
    ArgBefore Arg;
    Arg.Value = Args[I];
    for (const at::Tensor &T : tensorsIn(Args[I]))
      if (T.defined())
        Arg.Tensors.emplace_back(T);
    Before[Index] = std::move(Arg);
  }
}

const ArgBefore *Call::argument(int Index) const {
  return Index >= 0 && Before[Index] ? &*Before[Index] : nullptr;
}

const TensorBefore *Call::base(const OutputInfo &Rule, size_t Element) const {
  const ArgBefore *Arg = argument(Rule.TypeArg);
  if (!Arg || Arg->Tensors.empty())
    return nullptr;
  bool FromList = Rule.IsList && Op.args()[Rule.TypeArg].Kind == ArgKind::TensorList;
  return &Arg->Tensors[FromList && Element < Arg->Tensors.size() ? Element : 0];
}

const c10::IValue *Call::valueOf(llvm::StringRef Name) const {
  const ArgBefore *Arg = argument(Op.findArg(Name));
  return Arg ? &Arg->Value : nullptr;
}

Comparison Call::compare(const std::vector<c10::IValue> &Results) const {
  Comparison Result;
  if (Results.size() != Op.outputs().size()) {
    Result.Mismatches.push_back("results: expected " + std::to_string(Op.outputs().size()) +
                                ", are " + std::to_string(Results.size()));
    return Result;
  }
  for (size_t I = 0; I < Results.size(); ++I) {
    const OutputInfo &Out = Op.outputs()[I];
    std::vector<at::Tensor> Tensors = tensorsIn(Results[I]);
    if (Out.Storage == StorageRule::NotATensor) {
      expect(Result, "kind: tensors", size_t(0), Tensors.size());
      continue;
    }
    expect(Result, "kind: list", Out.IsList, Results[I].isList());
    for (size_t Element = 0; Element < Tensors.size(); ++Element)
      if (Tensors[Element].defined() && Tensors[Element].layout() == at::kStrided)
        compareTensor({Out, Tensors[Element], base(Out, Element)}, Result);
  }
  return Result;
}

void Call::compareTensor(const Output &Out, Comparison &Into) const {
  compareStorage(Out, Into);
  compareDtype(Out, Into);
  compareDevice(Out, Into);
  compareLayout(Out, Into);
  compareShape(Out, Into);
  compareGrad(Out, Into);
}

void Call::compareStorage(const Output &Out, Comparison &Into) const {
  if (Out.Rule.Storage == StorageRule::InPlace) {
    const ArgBefore *Arg = argument(Out.Rule.StorageArg);
    if (!Arg)
      return;
    bool Same = false;
    for (const TensorBefore &T : Arg->Tensors)
      Same |= Out.Tensor.is_same(T.Tensor);
    return expect(Into, "storage: in place", true, Same);
  }
  int SharedWith = -1;
  bool SharesBase = false;
  for (size_t I = 0; I < Before.size(); ++I)
    if (const ArgBefore *Arg = argument(static_cast<int>(I)))
      for (const TensorBefore &T : Arg->Tensors)
        if (sameMemory(Out.Tensor, T)) {
          SharesBase |= static_cast<int>(I) == Out.Rule.StorageArg;
          SharedWith = static_cast<int>(I);
        }
  if (Out.Rule.Storage == StorageRule::New)
    expect(Into, "storage: shared with argument", -1, SharedWith);
  else if (Out.Rule.Storage == StorageRule::View && Out.Tensor.numel() > 0)
    expect(Into, "storage: view", true, SharesBase);
  else if (Out.Rule.Storage == StorageRule::MaybeSame)
    expect(Into, "storage: shared with another argument", false, SharedWith >= 0 && !SharesBase);
}

at::ScalarType Call::dtypeOfScalars() const {
  bool Fraction = false, Boolean = true;
  for (size_t I = 0; I < Before.size(); ++I) {
    const ArgBefore *Arg = argument(static_cast<int>(I));
    if (!Arg || Op.args()[I].Kind != ArgKind::Scalar)
      continue;
    Fraction |= Arg->Value.isDouble();
    Boolean &= Arg->Value.isBool();
  }
  return Fraction ? defaultDtype() : Boolean ? at::kBool : at::kLong;
}

std::optional<at::ScalarType> Call::promotedDtype(const Output &Out) const {
  at::native::ResultTypeState State = {};
  for (size_t I = 0; I < Before.size(); ++I) {
    const ArgBefore *Arg = argument(static_cast<int>(I));
    if (!Arg || Op.args()[I].is(AF_Out))
      continue;
    if (isTensorKind(Op.args()[I].Kind) && static_cast<int>(I) >= Out.Rule.TypeArg)
      for (const TensorBefore &T : Arg->Tensors)
        State = at::native::update_result_type_state(T.Tensor, State);
    else if (Op.args()[I].Kind == ArgKind::Scalar && isOperand(Op.args()[I].name()) &&
             Arg->Value.isScalar())
      State = at::native::update_result_type_state(Arg->Value.toScalar(), State);
  }
  return at::native::result_type(State);
}

std::optional<at::ScalarType> Call::expectedDtype(const Output &Out) const {
  if (const ArgBefore *Given = argument(Out.Rule.DtypeArg)) {
    if (!Given->Tensors.empty())
      return Given->Tensors.front().Dtype;
    if (Given->Value.isInt())
      return static_cast<at::ScalarType>(Given->Value.toInt());
  }
  const TensorBefore *Base = Out.Base;
  at::ScalarType Dtype = Base ? Base->Dtype : at::ScalarType::Undefined;
  at::ScalarType Real = Base && at::isComplexType(Dtype) ? at::toRealValueType(Dtype) : Dtype;
  switch (Out.Rule.Dtype) {
  case DtypeRule::Unknown:
    return std::nullopt;
  case DtypeRule::Bool:
    return at::kBool;
  case DtypeRule::UInt8:
    return at::kByte;
  case DtypeRule::Int32:
    return at::kInt;
  case DtypeRule::Int64:
    return at::kLong;
  case DtypeRule::Float32:
    return at::kFloat;
  case DtypeRule::Float64:
    return at::kDouble;
  case DtypeRule::Default:
    return defaultDtype();
  case DtypeRule::FromScalars:
    return dtypeOfScalars();
  case DtypeRule::Int64OrInt32: {
    const c10::IValue *Small = valueOf("out_int32");
    return Small && Small->toBool() ? at::kInt : at::kLong;
  }
  case DtypeRule::Int64IfNoOptions:
    // A boxed call always passes the options; LibTorch's schema then has int64 as their default.
    return How.GiveDtype ? std::optional<at::ScalarType>() : std::optional(at::kLong);
  default:
    break;
  }
  if (!Base)
    return std::nullopt;
  switch (Out.Rule.Dtype) {
  case DtypeRule::Same:
    return Dtype;
  case DtypeRule::BoolUnlessUInt8:
    return Dtype == at::kByte ? at::kByte : at::kBool;
  case DtypeRule::Promoted:
    return promotedDtype(Out);
  case DtypeRule::FloatPromoted: {
    std::optional<at::ScalarType> Promoted = promotedDtype(Out);
    return Promoted && isWhole(*Promoted) ? defaultDtype() : Promoted;
  }
  case DtypeRule::SumPromoted:
    return isWhole(Dtype) ? at::kLong : Dtype;
  case DtypeRule::FloatFromInt:
    return isWhole(Dtype) ? defaultDtype() : Dtype;
  case DtypeRule::RealOf:
    return Real;
  case DtypeRule::RealFloatOf:
    return isWhole(Real) ? defaultDtype() : Real;
  case DtypeRule::ComplexOf:
    return complexOf(Dtype);
  default:
    return std::nullopt;
  }
}

void Call::compareDtype(const Output &Out, Comparison &Into) const {
  if (std::optional<at::ScalarType> Expected = expectedDtype(Out))
    expect(Into, "dtype", *Expected, Out.Tensor.scalar_type());
}

void Call::compareDevice(const Output &Out, Comparison &Into) const {
  const ArgBefore *Given = argument(Out.Rule.DeviceArg);
  const TensorBefore *Base = Out.Base;
  if (Given && !Given->Tensors.empty())
    expect(Into, "device", Given->Tensors.front().Device, Out.Tensor.device());
  else if (Given && Given->Value.isDevice())
    expect(Into, "device", Given->Value.toDevice(), Out.Tensor.device());
  else if (Out.Rule.Device == DeviceRule::Cpu)
    expect(Into, "device", at::Device(at::kCPU), Out.Tensor.device());
  else if (Base && (Out.Rule.Device == DeviceRule::Same || Out.Rule.Device == DeviceRule::Base))
    expect(Into, "device", Base->Device, Out.Tensor.device());
}

bool Call::sameLayoutEverywhere(const TensorBefore &Base) const {
  for (const std::optional<ArgBefore> &Arg : Before)
    if (Arg)
      for (const TensorBefore &T : Arg->Tensors)
        if (T.Sizes.size() > 1 && T.Strides != Base.Strides)
          return false;
  return true;
}

void Call::compareLayout(const Output &Out, Comparison &Into) const {
  const TensorBefore *Base = Out.Base;
  const c10::IValue *Format = valueOf("memory_format");
  if (Format && !Format->isNone() && Out.Rule.Layout != LayoutRule::Contiguous)
    return;
  bool AllContiguous = true;
  for (size_t I = 0; I < Before.size(); ++I)
    if (const ArgBefore *Arg = argument(static_cast<int>(I)))
      for (const TensorBefore &T : Arg->Tensors)
        AllContiguous &= T.IsContiguous;
  switch (Out.Rule.Layout) {
  case LayoutRule::Contiguous:
    return expect(Into, "layout: contiguous", true, Out.Tensor.is_contiguous());
  case LayoutRule::ContiguousIfInputs:
    if (AllContiguous)
      expect(Into, "layout: contiguous", true, Out.Tensor.is_contiguous());
    return;
  case LayoutRule::KeepsLayout:
    if (!Base || Out.Tensor.dim() != static_cast<int64_t>(Base->Sizes.size()) ||
        Out.Tensor.sizes() != at::IntArrayRef(Base->Sizes))
      return;
    if (!sameLayoutEverywhere(*Base) && Out.Rule.Storage != StorageRule::InPlace)
      return;
    if (Base->IsDense || Out.Rule.Storage == StorageRule::InPlace)
      expect(Into, "layout: kept", true, sameLayout(Out.Tensor, *Base));
    else if (Out.Rule.Storage == StorageRule::New)
      expect(Into, "layout: contiguous", true, Out.Tensor.is_contiguous());
    return;
  case LayoutRule::LazyBit:
    if (Base && at::isComplexType(Base->Dtype))
      expect(Into, "layout: lazy", true, Out.Tensor.is_conj() || Out.Tensor.is_neg());
    return;
  case LayoutRule::ViewChanges:
  case LayoutRule::Unknown:
    return;
  }
}

std::optional<bool> Call::expectedOneElement(const Output &Out) const {
  switch (Out.Rule.Shape) {
  case ShapeRule::OneElement:
    return true;
  case ShapeRule::OneElementIfReduced: {
    const c10::IValue *Reduction = valueOf("reduction");
    if (Reduction && Reduction->toInt() != 0)
      return true;
    return std::nullopt;
  }
  case ShapeRule::OneElementIfNoDim: {
    const c10::IValue *Dim = valueOf("dim");
    if (!Dim || Dim->isNone() || (Dim->isIntList() && Dim->toIntVector().empty()))
      return true;
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void Call::compareShape(const Output &Out, Comparison &Into) const {
  if (std::optional<bool> One = expectedOneElement(Out))
    return expect(Into, "shape: one element", *One, Out.Tensor.numel() == 1);
  const TensorBefore *Base = Out.Base;
  if (!Base)
    return;
  at::IntArrayRef Sizes = Base->Sizes;
  if (Out.Rule.Shape == ShapeRule::SameAsBase) {
    expect(Into, "shape", Sizes, Out.Tensor.sizes());
  } else if (Out.Rule.Shape == ShapeRule::SameCount) {
    expect(Into, "shape: count", Base->Tensor.numel(), Out.Tensor.numel());
  } else if (Out.Rule.Shape == ShapeRule::Broadcast) {
    std::vector<int64_t> Broadcast;
    for (size_t I = 0; I < Before.size(); ++I)
      if (const ArgBefore *Arg = argument(static_cast<int>(I)))
        if (!Op.args()[I].is(AF_Out))
          for (const TensorBefore &T : Arg->Tensors)
            Broadcast = at::infer_size(Broadcast, T.Sizes);
    expect(Into, "shape", at::IntArrayRef(Broadcast), Out.Tensor.sizes());
  }
}

void Call::compareGrad(const Output &Out, Comparison &Into) const {
  if (!How.RequiresGrad)
    return;
  bool AnyInput = false;
  for (size_t I = 0; I < Before.size(); ++I)
    if (const ArgBefore *Arg = argument(static_cast<int>(I)))
      for (const TensorBefore &T : Arg->Tensors)
        AnyInput |= T.Tensor.requires_grad();
  if (!Out.Rule.Differentiable)
    expect(Into, "grad", false, Out.Tensor.requires_grad());
  else if (AnyInput && (Out.Tensor.is_floating_point() || Out.Tensor.is_complex()))
    expect(Into, "grad", true, Out.Tensor.requires_grad());
}

} // namespace torch_tidy::opmodel_test
