//===--- Operators.cpp - LibTorch's operators, by the generated table ------===//
#include "../support/Compat.h"
#include "Operands.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::ArgKind;
using torch_tidy::model::DeviceRule;
using torch_tidy::model::OperatorInfo;
using torch_tidy::model::OutputInfo;
using torch_tidy::model::StorageRule;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

//===----------------------------------------------------------------------===//
// Binding a call to the table
//===----------------------------------------------------------------------===//

/// Whether an operator that may return its tensor makes a handle of its own; \p New says so for the
/// storage.
static Evidence newHandle(StringRef Name, const TensorFacts &From, Evidence New) {
  if (Name == "flatten")
    return !From.Sizes ? Evidence::Possible : From.Sizes->size() == 1 ? New : Evidence::Proven;
  return support::startsWith(Name, "reshape") || Name == "ravel" ? Evidence::Proven : New;
}

/// The name of \p Fn in the table: functions of torch::linalg and its like have it in front; empty
/// for functions that the table does not have.
static std::string tableName(StringRef Name, const FunctionDecl *Fn) {
  if (Name == "operator!")
    return "logical_not";
  if (Name == "expect_contiguous")
    return "contiguous";
  // at::empty_symint: the same operator with sizes of another type.
  Name.consume_back("_symint");
  if (isa<CXXMethodDecl>(Fn))
    return Name.str();
  const auto *NS = dyn_cast<NamespaceDecl>(Fn->getDeclContext()->getEnclosingNamespaceContext());
  StringRef Space = NS ? NS->getName() : StringRef();
  for (StringRef Prefix : {"linalg", "fft", "special"})
    if (Space == Prefix)
      return support::startsWith(Name, (Prefix + "_").str()) ? Name.str()
                                                             : (Prefix + "_" + Name).str();
  return Space == "at" || Space == "torch" || Space == "c10" ? Name.str() : "";
}

static ArgKind kindOf(QualType Type, const model::Types &Types) {
  QualType T = Type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (Types.isTensor(T))
    return ArgKind::Tensor;
  if (T->isBooleanType())
    return ArgKind::Bool;
  if (T->isIntegerType() && !T->isEnumeralType())
    return ArgKind::Int;
  if (T->isRealFloatingType())
    return ArgKind::Float;
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R || !R->getIdentifier())
    return ArgKind::Other;
  const StringRef Name = R->getName();
  if (Name == "Scalar")
    return ArgKind::Scalar;
  if (Name == "SymInt")
    return ArgKind::Int;
  if (Name == "Dimname")
    return ArgKind::Dimname;
  if (Name == "ArrayRef") {
    switch (kindOf(model::Types::elementOf(T), Types)) {
    case ArgKind::Int:
      return ArgKind::IntList;
    case ArgKind::Dimname:
      return ArgKind::DimnameList;
    case ArgKind::Tensor:
      return ArgKind::TensorList;
    default:
      return ArgKind::Other;
    }
  }
  return ArgKind::Other;
}

void Engine::bindOperands(StringRef Name, const FunctionDecl *Fn, const Expr *Call,
                          const TensorFacts *Self, llvm::ArrayRef<const Expr *> Args, Operands &B,
                          State &St) {
  B.Call = Call;
  B.Args = Args;
  B.HasOptions = optionsFrom(Args, St, B.Options);
  const std::string Known = tableName(Name, Fn);
  if (!Known.empty()) {
    llvm::SmallVector<StringRef, 8> Names;
    llvm::SmallVector<ArgKind, 8> Kinds;
    for (const ParmVarDecl *P : Fn->parameters()) {
      Names.push_back(P->getName());
      Kinds.push_back(kindOf(P->getType(), Types));
    }
    B.Op = model::selectOverload(model::lookupOperator(Known), Self != nullptr, Names, Kinds);
  }
  if (!B.Op) {
    if (Self)
      B.Tensors.push_back(Self);
    for (const Expr *A : Args)
      tensorsIn(A, St, B.Tensors);
    return;
  }
  llvm::ArrayRef<model::ArgInfo> Table = B.Op->args();
  B.ByNumber.resize(Table.size());
  B.TensorsOf.resize(Table.size());
  if (Self && !Table.empty())
    B.TensorsOf[0].push_back(Self);
  for (unsigned I = 0; I < Args.size(); ++I) {
    StringRef Param = I < Fn->getNumParams() ? Fn->getParamDecl(I)->getName() : StringRef();
    int N = B.Op->findArg(Param);
    // `operator+(x, y)` names its operands as it likes.
    if (N < 0)
      N = int(I) + (Self ? 1 : 0);
    if (size_t(N) < Table.size())
      B.ByNumber[N] = Args[I];
  }
  for (size_t N = 0; N < Table.size(); ++N) {
    if (B.ByNumber[N] && model::isTensorKind(Table[N].Kind))
      tensorsIn(B.ByNumber[N], St, B.TensorsOf[N]);
    B.Tensors.append(B.TensorsOf[N].begin(), B.TensorsOf[N].end());
  }
}

bool Engine::isFactory(StringRef Name, const FunctionDecl *Fn) const {
  const std::string Known = tableName(Name, Fn);
  if (Known.empty())
    return false;
  for (const OperatorInfo &Op : model::lookupOperator(Known))
    if (Op.findArg("options") >= 0)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

TensorFacts Engine::resultFacts(const Operands &B, unsigned Output, State &St) {
  const OutputInfo *Out =
      B.Op && Output < B.Op->outputs().size() ? &B.Op->outputs()[Output] : nullptr;
  TensorFacts R;
  llvm::SmallVector<FactId, 4> Devices, Grads;
  for (const TensorFacts *X : B.Tensors) {
    Devices.push_back(X->Device);
    Grads.push_back(X->Grad);
  }
  R.Types = resultTypes(B, Output, St);
  R.TypeFrom = B.Call;
  const TensorFacts *Base = Out ? B.tensor(Out->TypeArg) : nullptr;
  if (Base && Base->Types == R.Types && Base->TypeFrom)
    R.TypeFrom = Base->TypeFrom;

  if (B.Options.HasDevice)
    R.Device = B.Options.Device;
  else if (Out && Out->Device == DeviceRule::Base && Base)
    R.Device = Base->Device;
  else if (Out && Out->Device == DeviceRule::Cuda)
    R.Device = opaqueFact(B.Call, 12, "moved to an accelerator here", Evidence::Proven, St);
  else if (!Out || Out->Device != DeviceRule::Cpu)
    R.Device = combine(Devices, St);

  constexpr ElementTypes Differentiable = 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 |
                                          1u << 10 | 1u << 15 |
                                          (~ElementTypes(0) << 16 & ~TypesFromTest);
  if (!(R.Types & Differentiable))
    R.Grad = FactTable::Host;
  else if (B.HasOptions && B.Options.Grad != FactTable::Host)
    R.Grad = B.Options.Grad;
  else if (St.Mode != GradMode::Off && (!Out || Out->Differentiable))
    R.Grad = combine(Grads, St);

  resultShape(B, Output, R, St);

  const TensorFacts *From = Out ? B.tensor(Out->StorageArg) : nullptr;
  const StorageRule Rule = From ? Out->Storage : StorageRule::New;
  // The first result of `max(dim)` is at 0, the second at 0x51, ...
  const unsigned Variant = Output ? 0x50 + Output : 0;
  Evidence New = Evidence::Possible;
  switch (Rule) {
  case StorageRule::View:
  case StorageRule::InPlace:
    R.Storages = From->Storages;
    break;
  case StorageRule::MaybeSame: {
    // A tensor that lies as asked for is returned as it is.
    if (From->Order == LayoutContiguous && R.Order == LayoutContiguous &&
        Out->Layout != model::LayoutRule::KeepsLayout)
      New = Evidence::None;
    else if (R.Order == LayoutContiguous && From->Order != LayoutUnknown)
      New = From->Order & (LayoutContiguous | LayoutUnknown) ? Evidence::Likely : Evidence::Proven;
    R.Storages = maybeSame(From->Storages, B.Call, New, St);
    copyMade(B.Call, *From, New);
    R.Lazy &= New != Evidence::Proven;
    break;
  }
  default:
    R.Storages = fresh(B.Call, Variant, St);
    break;
  }
  // `add_` gives back its tensor, and so does `contiguous` where there is nothing to do.
  if (Rule == StorageRule::InPlace)
    R.Impls = From->Impls;
  else if (Rule == StorageRule::MaybeSame && !Output)
    R.Impls = maybeSameHandle(From->Impls, B.Call, newHandle(B.Op->name(), *From, New), St);
  else
    R.Impls = fresh(B.Call, Output ? 0x60 + Output : 1, St);
  if (From && (Rule == StorageRule::View || Rule == StorageRule::InPlace))
    R.Element = From->Element;
  else
    computedFrom(R, B, Rule == StorageRule::MaybeSame, St);
  if (B.Options.Pinned || (B.Op && B.Op->name() == "pin_memory"))
    for (const Alternative &A : R.Storages)
      Pinned.insert(A.Object);
  return R;
}

/// The facts of every result as the value of the call.
const Value *Engine::shapedResult(const Operands &B, State &St) {
  QualType Type = B.Call->getType();
  earlyOperands(B, St);
  switch (Types.kind(Type)) {
  case TypeKind::Tensor:
    return tensorValue(resultFacts(B, 0, St));
  case TypeKind::Container: {
    if (!Types.holdsTensor(Type))
      return nullptr;
    Value *V = Arena.make(Value::Kind::Aggregate);
    V->Parts.emplace_back(ElementStep, tensorValue(resultFacts(B, 0, St)));
    return V;
  }
  case TypeKind::Pointer: {
    // c10::MaybeOwned<Tensor>
    if (!Types.holdsTensor(Type))
      return nullptr;
    Value *V = Arena.make(Value::Kind::Aggregate);
    V->Parts.emplace_back(PointeeStep, tensorValue(resultFacts(B, 0, St)));
    return V;
  }
  case TypeKind::Tuple: {
    Value *V = Arena.make(Value::Kind::Aggregate);
    const unsigned Count = B.Op ? unsigned(B.Op->outputs().size()) : 6;
    for (unsigned I = 0; I < Count; ++I) {
      const Value *Part = tensorValue(resultFacts(B, I, St));
      if (B.Op && B.Op->outputs()[I].IsList) {
        Value *List = Arena.make(Value::Kind::Aggregate);
        List->Parts.emplace_back(ElementStep, Part);
        Part = List;
      }
      V->Parts.emplace_back(PathStep{PathStep::Index, nullptr, int64_t(I)}, Part);
    }
    return V;
  }
  default:
    return nullptr;
  }
}

const Value *Engine::operatorResult(StringRef Name, const FunctionDecl *Fn, const Expr *Call,
                                    const TensorFacts *Self, llvm::ArrayRef<const Expr *> Args,
                                    State &St) {
  if (Self && Name == "index") {
    bool Done = false;
    const Value *V = basicIndex(Call, *Self, Args, St, Done);
    if (Done)
      return V;
  }
  Operands B;
  bindOperands(Name, Fn, Call, Self, Args, B, St);
  return shapedResult(B, St);
}

} // namespace torch_tidy::flow
