//===--- TensorFunctions.cpp - LibTorch's free functions --------------------===//
#include "../support/Compat.h"
#include "Operands.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

/// `t.size(i)`, `t.numel()`, `t.dim()`: a number where it is known, else what it is the extent of.
const Value *Engine::extent(StringRef Method, const TensorFacts &Self,
                            llvm::ArrayRef<const Expr *> Args, State &St) {
  int64_t Dim = Condition::Rank, Known = -1;
  if (Method == "numel") {
    Dim = Condition::AllElements;
    Known = Self.OneElement ? 1 : countOf(Self.Sizes);
  } else if (Method != "size") {
    Known = Self.Sizes ? int64_t(Self.Sizes->size()) : -1;
  } else {
    if (Args.size() != 1 || !integer(Args[0], St, Dim))
      return nullptr;
    const int64_t Rank = Self.Sizes ? int64_t(Self.Sizes->size()) : 0;
    const int64_t At = Dim < 0 ? Dim + Rank : Dim;
    if (At >= 0 && At < Rank)
      Known = (*Self.Sizes)[size_t(At)];
  }
  Value *V = Arena.make(Known >= 0 ? Value::Kind::Integer : Value::Kind::Extent);
  V->Number = Known >= 0 ? Known : Dim;
  if (Known < 0)
    V->Tensor = Self;
  return V;
}

/// The element type that options, or the old `type()`, name.
const Value *Engine::typeOf(const Value &Options) {
  Value *V = Arena.make(Value::Kind::ElementType);
  V->Types = Options.Options.Types ? Options.Options.Types : defaultTypes();
  V->OfTensor = Options.OfTensor;
  if (Options.OfTensor)
    V->Tensor = Options.Tensor;
  return V;
}

/// Functions that take or give element types.
const Value *Engine::typeFunction(StringRef Name, const FunctionDecl *Fn,
                                  llvm::ArrayRef<const Expr *> Args, State &St) {
  const Value *First = Args.empty() ? nullptr : value(Args[0], St);
  const bool OfType = First && First->K == Value::Kind::ElementType;
  if (OfType && Args.size() == 1 &&
      (Name == "scalar_type" || Name == "typeMetaToScalarType" || Name == "scalarTypeToTypeMeta"))
    return First;
  if (OfType && Args.size() == 2 && (Name == "operator==" || Name == "operator!="))
    return compare(Name == "operator==" ? BO_EQ : BO_NE, Args[0], Args[1], St);
  if (OfType && First->OfTensor && (Name == "isFloatingType" || Name == "isIntegralType")) {
    int64_t WithBool = 0;
    if (Name == "isIntegralType" && (Args.size() < 2 || !integer(Args[1], St, WithBool)))
      return nullptr;
    Condition C;
    C.Op = Condition::HasType;
    C.Of = Arena.tensor(First->Tensor);
    C.Types = elementType(5) | elementType(6) | elementType(7) | elementType(15);
    if (Name == "isIntegralType")
      C.Types = 0x1f | (WithBool ? elementType(11) : 0);
    return makeCondition(C);
  }
  // AT_DISPATCH_*(x.type(), ...)
  if (First && First->K == Value::Kind::Options && Args.size() == 1 && Name == "scalar_type")
    return typeOf(*First);
  // caffe2::TypeMeta::Make<float>()
  if (Name == "Make" && Args.empty() && Fn->getTemplateSpecializationArgs() &&
      Fn->getTemplateSpecializationArgs()->get(0).getKind() == TemplateArgument::Type) {
    Value *V = Arena.make(Value::Kind::ElementType);
    const int Type =
        model::Types::scalarTypeOf(Fn->getTemplateSpecializationArgs()->get(0).getAsType());
    V->Types = Type >= 0 ? elementType(Type) : UnknownElementType;
    return V;
  }
  return nullptr;
}

/// at::checkDeviceType("f", {x, y}, at::kCPU), at::checkBackend: they return only if it holds.
void Engine::checksDevice(llvm::ArrayRef<const Expr *> Args, State &St) {
  const Value *Named = value(Args[2], St);
  Condition C;
  C.Op = Condition::OnAccelerator;
  if (Named && Named->K == Value::Kind::Device) {
    const Evidence E = St.evaluate(T.Facts, Named->Fact);
    if (E == Evidence::None)
      C.Op = Condition::OnHost;
    else if (E != Evidence::Proven)
      return;
  } else {
    const auto Backend = integerOf(Args[2]);
    if (!Backend || *Backend > 1)
      return;
    if (*Backend == 0)
      C.Op = Condition::OnHost;
  }
  llvm::SmallVector<const TensorFacts *, 4> Tensors;
  tensorsIn(Args[1], St, Tensors);
  for (const TensorFacts *X : Tensors)
    for (FactId F : eachOf(Args[1], X->Device)) {
      C.Fact = F;
      assume(Arena.condition(C), true, St);
      if (!St.Reachable)
        return;
    }
}

const Value *Engine::tensorFunction(const FunctionDecl *Fn, const Expr *Call,
                                    llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const std::string NameStorage = Fn->getNameAsString();
  StringRef Name = NameStorage;
  const std::string Qualified = model::qualifiedName(Fn);
  if (!support::startsWith(Qualified, "at::") && !support::startsWith(Qualified, "torch::") &&
      !support::startsWith(Qualified, "c10::") && !support::startsWith(Qualified, "caffe2::") &&
      !support::startsWith(Qualified, "detail::"))
    return nullptr;
  Done = true;
  noteLibraryCall(Fn, Args, St);
  if (const Value *V = typeFunction(Name, Fn, Args, St))
    return V;
  if ((Qualified == "at::checkDeviceType" || Qualified == "at::checkBackend") && Args.size() == 3) {
    checksDevice(Args, St);
    return nullptr;
  }
  if (Name == "from_blob" && !Args.empty())
    return fromBlob(cast<CallExpr>(Call), Fn, Args, St);
  if (Name == "make_tensor" && isa<CXXMemberCallExpr>(Call)) {
    const Value *V = madeTensor(cast<CallExpr>(Call), St);
    Done = V != nullptr;
    return V;
  }
  if (Qualified == "torch::jit::load" || Qualified == "torch::jit::freeze" ||
      Qualified == "torch::jit::optimize_for_inference" ||
      Qualified == "torch::jit::_load_for_mobile") {
    Value *V = Arena.make(Value::Kind::Module);
    if (Name != "load")
      return Args.empty() ? nullptr : value(Args[0], St);
    bool Found = false;
    for (const Expr *A : Args.drop_front())
      if (!Found)
        V->Tensor.Device = deviceOf(A, St, &Found);
    if (!Found)
      V->Tensor.Device = opaqueFact(Call, 14, "the script module's output may be on any device",
                                    Evidence::Possible, St);
    V->Tensor.Grad =
        opaqueFact(Call, 15, "the script module's output may require grad", Evidence::Possible, St);
    return V;
  }
  if (Qualified == "at::GradMode::set_enabled" || Qualified == "c10::GradMode::set_enabled") {
    const Value *V = Args.empty() ? nullptr : value(Args[0], St);
    St.Mode = V && V->K == Value::Kind::Integer ? V->Number ? GradMode::On : GradMode::Off
                                                : GradMode::Unknown;
    return nullptr;
  }
  if (Types.kind(Call->getType()) == TypeKind::Options)
    return optionsCall(Name, OptionsFacts(), Call, Args, St);
  if (Qualified == "torch::load" || Qualified == "torch::serialize::load") {
    Done = false;
    return nullptr;
  }

  const bool GivesTensors = Types.holdsTensor(Call->getType());
  if (!GivesTensors) {
    // Printing, saving, comparing.
    if (!St.Pending.empty())
      for (const Expr *A : Args)
        if (const TensorFacts *X = Types.isTensor(A->getType()) ? tensor(A, St) : nullptr)
          earlyUse(*X, EarlyUse::Read, Call, A, St);
    Done = false;
    return nullptr;
  }
  if (support::endsWith(Name, "_") && !Args.empty() && Types.isTensor(Args[0]->getType())) {
    if (const TensorFacts *X = tensor(Args[0], St))
      contentWritten(*X, Call, St);
    return raw(Args[0], St);
  }
  if (support::endsWith(Name, "_out") || support::endsWith(Name, "_outf")) {
    for (const Expr *A : Args)
      if (Types.isTensor(A->getType()) && A->isLValue() && Call->isGLValue()) {
        if (const TensorFacts *X = tensor(A, St))
          contentWritten(*X, Call, St);
        return raw(A, St);
      }
    return nullptr;
  }
  if (Name == "tensor" && !Args.empty() && !Types.isTensor(Args[0]->getType()))
    return dataTensor(Call, Args, St);
  if (isFactory(Name, Fn))
    return operatorResult(Name, Fn, Call, nullptr, Args, St);
  llvm::SmallVector<const TensorFacts *, 4> Inputs;
  for (const Expr *A : Args)
    tensorsIn(A, St, Inputs);
  // Functions of LibTorch that are no operators (`torch::pickle_load`, autograd helpers).
  if (Inputs.empty()) {
    Done = false;
    return nullptr;
  }
  return operatorResult(Name, Fn, Call, nullptr, Args, St);
}

} // namespace torch_tidy::flow
