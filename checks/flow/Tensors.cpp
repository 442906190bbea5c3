//===--- Tensors.cpp - LibTorch's tensors ----------------------------------===//
#include "../model/Synchronisation.h"
#include "../model/TensorMethods.h"
#include "../support/Compat.h"
#include "Operands.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::MethodKind;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const TensorFacts *Engine::tensor(const Expr *E, State &St) {
  const Value *V = value(E, St);
  if (V && V->K == Value::Kind::Reference && E->getType()->isPointerType())
    V = load(V, E->getType()->getPointeeType(), St);
  if (V && V->K == Value::Kind::Aggregate)
    for (const auto &[Step, Part] : V->Parts)
      if (Step.Op == PathStep::Pointee && Part->K == Value::Kind::Tensor)
        return &Part->Tensor;
  return V && V->K == Value::Kind::Tensor ? &V->Tensor : nullptr;
}

static void collectTensors(const Value *V, llvm::SmallVectorImpl<const TensorFacts *> &Out) {
  if (!V)
    return;
  if (V->K == Value::Kind::Tensor)
    Out.push_back(&V->Tensor);
  if (V->K == Value::Kind::Aggregate)
    for (const auto &[Step, Part] : V->Parts)
      collectTensors(Part, Out);
}

void Engine::tensorsIn(const Expr *E, State &St, llvm::SmallVectorImpl<const TensorFacts *> &Out) {
  const Value *V = raw(E, St);
  if (V && V->K == Value::Kind::Reference && E->isGLValue())
    V = load(V, E->getType(), St);
  const size_t Before = Out.size();
  collectTensors(V, Out);
  // A list, an optional or an input whose content was never seen: its elements are unknown.
  if (Out.size() == Before && Types.holdsTensor(E->getType())) {
    const Value *Where = raw(E, St);
    // A TensorList of a vector that was never seen.
    for (const Expr *From = strip(E); !Where && isa<CXXConstructExpr>(From);) {
      const auto *C = cast<CXXConstructExpr>(From);
      if (C->getNumArgs() == 0)
        break;
      From = strip(C->getArg(0));
      Where = raw(From, St);
    }
    const Value *Element = nullptr;
    TypeKind Kind = Types.kind(E->getType());
    if (Where && Where->K == Value::Kind::Reference && !Where->Locations.empty() &&
        (Kind == TypeKind::Container || Kind == TypeKind::Pointer))
      Element =
          initialTensor(T.Locations.child(Where->Locations.front(),
                                          Kind == TypeKind::Pointer ? PointeeStep : ElementStep),
                        St);
    else if (Kind == TypeKind::Tensor)
      Element = opaqueResult(E, E->getType(), "this expression", St);
    if (Element && Element->K == Value::Kind::Tensor)
      Out.push_back(&Element->Tensor);
  }
}

FactId Engine::combine(llvm::ArrayRef<FactId> Operands, State &St) {
  // One operand on an accelerator puts the result there; operands on the host add nothing.
  llvm::SmallVector<SymbolId, 4> Symbols;
  for (FactId F : Operands) {
    Evidence E = St.evaluate(T.Facts, F);
    if (E == Evidence::Proven)
      return F;
  }
  FactId Only = FactTable::Host;
  bool Several = false;
  for (FactId F : Operands) {
    if (St.evaluate(T.Facts, F) == Evidence::None)
      continue;
    Several |= Only != FactTable::Host && Only != F;
    Only = F;
    Symbols.append(T.Facts.symbols(F).begin(), T.Facts.symbols(F).end());
  }
  return Several ? T.Facts.fact(Symbols) : Only;
}

Alternatives Engine::fresh(const Expr *Call, unsigned Variant, State &St) {
  ObjectId O = T.Objects.get(Call, Variant, Call->getExprLoc(), false);
  if (!CreatedSites.insert(reinterpret_cast<const char *>(Call) + Variant).second)
    renewObject(O, St);
  created(O);
  Alternatives A;
  A.push_back({O, Evidence::Proven});
  return A;
}

Alternatives Engine::maybeSame(const Alternatives &Same, const Expr *Call, Evidence New,
                               State &St) {
  if (New == Evidence::None)
    return Same;
  Alternatives Fresh = fresh(Call, 2, St);
  if (logging())
    for (const Alternative &A : Same)
      Log->CopiedFrom[Fresh.front().Object].push_back(A.Object);
  if (New == Evidence::Proven)
    return Fresh;
  Alternatives Both = Same;
  Fresh.front().Weight = New;
  Both.push_back(Fresh.front());
  llvm::sort(Both, [](const Alternative &A, const Alternative &B) { return A.Object < B.Object; });
  return Both;
}

Alternatives Engine::maybeSameHandle(const Alternatives &Same, const Expr *Call, Evidence New,
                                     State &St) {
  if (New == Evidence::None)
    return Same;
  Alternatives Both = fresh(Call, 1, St);
  if (New == Evidence::Proven)
    return Both;
  Both.front().Weight = New;
  Both.append(Same.begin(), Same.end());
  llvm::sort(Both, [](const Alternative &A, const Alternative &B) { return A.Object < B.Object; });
  return Both;
}

FactId Engine::deviceOf(const Expr *E, State &St, bool *Found) {
  if (Found)
    *Found = true;
  const Value *V = value(E, St);
  if (V && V->K == Value::Kind::Device)
    return V->Fact;
  if (V && V->K == Value::Kind::Options && V->Options.HasDevice)
    return V->Options.Device;
  TypeKind Kind = Types.kind(E->getType());
  if (!V && (Kind == TypeKind::Device || Kind == TypeKind::DeviceType))
    return opaqueFact(E, 11, "the device is chosen at run time here", Evidence::Likely, St);
  if (Found)
    *Found = false;
  return FactTable::Host;
}

bool Engine::optionsFrom(llvm::ArrayRef<const Expr *> Args, State &St, OptionsFacts &Out) {
  bool Any = false;
  for (const Expr *A : Args) {
    const Value *V = value(A, St);
    TypeKind Kind = Types.kind(A->getType());
    if (V && V->K == Value::Kind::Options) {
      Out = V->Options;
      Any = true;
    } else if (V && V->K == Value::Kind::Device) {
      Out.Device = V->Fact;
      Out.HasDevice = true;
      Any = true;
    } else if (V && V->K == Value::Kind::ElementType) {
      Out.Types = V->Types;
      Any = true;
    } else if (Kind == TypeKind::ElementType) {
      Out.Types = UnknownElementType;
      Any = true;
    } else if (Kind == TypeKind::Device || Kind == TypeKind::DeviceType ||
               Kind == TypeKind::Options) {
      if (Kind == TypeKind::Options)
        Out.Types = UnknownElementType;
      Out.HasDevice = true;
      Out.Device =
          opaqueFact(A, 11, "the device is chosen at run time here",
                     Kind == TypeKind::Options ? Evidence::Possible : Evidence::Likely, St);
      Any = true;
    }
  }
  return Any;
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

const Value *Engine::access(const Expr *Call, const Expr *Receiver, StringRef Method, ViewKind Kind,
                            State &St) {
  // t.storage().data_ptr().get() reads the memory of t.
  const Value *Facts = value(Receiver, St);
  while (Types.kind(Receiver->getType()->isPointerType()
                        ? Receiver->getType()->getPointeeType()
                        : Receiver->getType()) == TypeKind::Storage) {
    const auto *Inner = dyn_cast<CXXMemberCallExpr>(strip(Receiver));
    if (!Inner)
      break;
    Receiver = Inner->getImplicitObjectArgument();
  }
  if (Facts && Facts->K == Value::Kind::Reference && Receiver->getType()->isPointerType())
    Facts = load(Facts, Receiver->getType()->getPointeeType(), St);
  if (Facts && Facts->K == Value::Kind::Undefined)
    return nullptr;
  if (!Facts || Facts->K != Value::Kind::Tensor)
    Facts = opaqueResult(Receiver, Context.getCanonicalType(Receiver->getType()), "this expression",
                         St);
  if (Facts && Facts->K == Value::Kind::Reference)
    Facts = load(Facts, Receiver->getType(), St);
  if (!Facts || Facts->K != Value::Kind::Tensor)
    return nullptr;
  auto [It, New] = SiteIds.try_emplace(Call, SiteId(Sites.size()));
  if (New) {
    AccessSite Site;
    Site.Call = Call;
    Site.Receiver = Receiver;
    Site.Method = Method.str();
    Site.Kind = Kind;
    const auto *C = dyn_cast<CXXMemberCallExpr>(Call);
    const CXXMethodDecl *M = C ? C->getMethodDecl() : nullptr;
    if (const TemplateArgumentList *TA = M ? M->getTemplateSpecializationArgs() : nullptr;
        TA && TA->size() && TA->get(0).getKind() == TemplateArgument::Type) {
      Site.Typed = true;
      Site.ElementType = model::Types::scalarTypeOf(TA->get(0).getAsType().getUnqualifiedType());
    }
    Site.Function = dyn_cast<FunctionDecl>(Current->Function);
    Site.Root = Current->Graph->Roots.lookup(Call);
    const Expr *Handle = strip(Receiver);
    while (const auto *Inner = dyn_cast<CXXMemberCallExpr>(Handle)) {
      const Expr *Object = Inner->getImplicitObjectArgument();
      if (!Object)
        break;
      Handle = strip(Object);
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Handle); Ref && Unextended.count(Ref->getDecl()))
      Site.Unextended = dyn_cast<VarDecl>(Ref->getDecl());
    Sites.push_back(std::move(Site));
  }
  Value *V = Arena.make(Value::Kind::Pointer);
  PointerOrigin O;
  O.Site = It->second;
  O.Tensor = Arena.tensor(Facts->Tensor);
  O.Kind = Kind;
  O.Recording = St.Mode == GradMode::On;
  for (const Alternative &A : Facts->Tensor.Storages)
    for (bool Source : {false, true})
      if (auto Copy = St.Pending.find({Source, A.Object}); Copy != St.Pending.end())
        TakenPending.insert({O.Site, Copy->second.Call});
  V->Origins.push_back(O);
  taken(V, Call, St);
  if (Kind == ViewKind::Accessor)
    use(V, UseKind::Read, Call, St);
  return V;
}

void Engine::inPlace(const Expr *Object, const TensorFacts &Result, const Expr *At, State &St) {
  const Value *Target = raw(Object, St);
  if (!Target || Target->K != Value::Kind::Reference || Target->Locations.size() != 1)
    return;
  LocationId L = Target->Locations.front();
  if (T.Locations[L].Summary)
    return store(L, tensorValue(Result), St, At);
  St.set(L, tensorValue(Result));
}

/// What a call that returns its object gives: the variable, or the temporary as it is now.
const Value *Engine::afterwards(const Expr *Object, const TensorFacts &Now, State &St) {
  const Value *V = raw(Object, St);
  return V && V->K == Value::Kind::Reference ? V : tensorValue(Now);
}

const Value *Engine::tensorMethod(const CXXMethodDecl *M, const Expr *Call, const Expr *Object,
                                  llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const std::string NameStorage = M->getNameAsString();
  StringRef Name = NameStorage;
  const bool Templated = M->getTemplateSpecializationArgs() != nullptr;
  MethodKind Kind = model::methodKind(Name, Templated);
  const TypeKind ClassKind = Types.kind(M->getParent());
  Done = true;

  // Storages lead to the memory of the tensor they were taken from.
  if (ClassKind == TypeKind::Storage) {
    const Value *V = value(Object, St);
    if (!V)
      return nullptr;
    if (V->K == Value::Kind::Pointer)
      return Name == "get" || Name == "mutable_get" || Name == "operator->" ? V : nullptr;
    for (StringRef Hands :
         {"data", "mutable_data", "unsafe_data", "get", "mutable_get", "mutable_unsafe_data"})
      if (Name == Hands)
        return access(Call, Object, Name, ViewKind::Pointer, St);
    return V->K == Value::Kind::Tensor ? V : nullptr;
  }

  if (Kind == MethodKind::Handle) {
    if (Args.size() != 1)
      return nullptr;
    const Value *Right = value(Args[0], St);
    const Value *Target = raw(Object, St);
    if (Name == "swap") {
      const Value *Left = value(Object, St);
      store(Target, Right, St, Call);
      store(raw(Args[0], St), Left, St, Call);
      return nullptr;
    }
    // `x[0] = y` writes through the view; only a handle that is an lvalue is replaced.
    if (M->getRefQualifier() == RQ_RValue || !Target || Target->K != Value::Kind::Reference ||
        !Types.isTensor(Args[0]->getType())) {
      if (const TensorFacts *Written = tensor(Object, St)) {
        changed(*Written);
        contentWritten(*Written, Call, St);
        earlyUse(*Written, EarlyUse::Write, Call, Object, St);
        addsInPlace(Call, Object, *Written, Name, Args, St);
      }
      return Target; // t = Scalar fills it
    }
    if (!Right)
      Right = opaqueResult(Args[0], Args[0]->getType(), "this expression", St);
    Right = assigned(Call, Object, Target, Right, Args[0], St);
    store(Target, Right, St, Call);
    return Target;
  }

  switch (Kind) {
  case MethodKind::Pointer:
    return access(Call, Object, Name, ViewKind::Pointer, St);
  case MethodKind::Accessor:
    return access(Call, Object, Name, ViewKind::Accessor, St);
  case MethodKind::PackedAccessor:
    return access(Call, Object, Name, ViewKind::PackedAccessor, St);
  case MethodKind::Shape:
    return access(Call, Object, Name, ViewKind::Shape, St);
  default:
    break;
  }

  const TensorFacts *Self = tensor(Object, St);
  if (!Self) {
    const Value *V = value(Object, St);
    if (V && V->K == Value::Kind::Reference)
      V = load(V, QualType(), St);
    if (V && V->K == Value::Kind::Undefined) {
      if (Kind == MethodKind::NoResult || Kind == MethodKind::Defined)
        return nullptr;
    }
    TensorFacts Empty;
    const Value *O =
        opaqueResult(Object, Context.getCanonicalType(Object->getType()), "this expression", St);
    if (O && O->K == Value::Kind::Reference)
      O = load(O, Object->getType(), St);
    if (!O || O->K != Value::Kind::Tensor)
      return nullptr;
    Self = &O->Tensor;
  }

  auto Guard = [&](Condition::Kind Op, FactId Fact) {
    Condition C;
    C.Op = Op;
    C.Fact = Fact;
    return makeCondition(C);
  };
  switch (Kind) {
  case MethodKind::IsHost:
    return Guard(Condition::OnHost, Self->Device);
  case MethodKind::IsAccelerator:
    return Guard(Condition::OnAccelerator, Self->Device);
  case MethodKind::NeedsGrad:
    return Guard(Condition::NeedsGrad, Self->Grad);
  case MethodKind::Defined: {
    const Value *Target = raw(Object, St);
    if (!Target || Target->K != Value::Kind::Reference || Target->Locations.size() != 1)
      return nullptr;
    Condition C;
    C.Op = Condition::Opaque;
    C.Key = reinterpret_cast<const void *>(uintptr_t(Target->Locations.front()));
    return makeCondition(C);
  }
  case MethodKind::Device: {
    Value *V = Arena.make(Value::Kind::Device);
    V->Fact = Self->Device;
    return V;
  }
  case MethodKind::Options: {
    if (!Args.empty() && Name == "type")
      return conversion("to", M, Call, *Self, Args, St);
    Value *V = Arena.make(Value::Kind::Options);
    V->Options.Device = Self->Device;
    V->Options.HasDevice = true;
    V->Options.Types = Self->Types;
    V->Tensor = *Self;
    V->OfTensor = true;
    return V;
  }
  case MethodKind::ElementType: {
    Value *V = Arena.make(Value::Kind::ElementType);
    V->Types = Self->Types;
    V->Tensor = *Self;
    V->OfTensor = true;
    return V;
  }
  case MethodKind::IsFloating: {
    Condition C;
    C.Op = Condition::HasType;
    C.Of = Arena.tensor(*Self);
    C.Types = elementType(5) | elementType(6) | elementType(7) | elementType(15);
    return makeCondition(C);
  }
  case MethodKind::IsContiguous: {
    // With a memory format the question is another one.
    if (!Args.empty())
      return nullptr;
    Condition C;
    C.Op = Condition::IsContiguous;
    C.Of = Arena.tensor(*Self);
    return makeCondition(C);
  }
  case MethodKind::Extent:
    return extent(Name, *Self, Args, St);
  case MethodKind::StorageHandle:
    return tensorValue(*Self);
  case MethodKind::Conversion:
    return conversion(Name, M, Call, *Self, Args, St);
  case MethodKind::Detach: {
    TensorFacts R = *Self;
    R.Grad = FactTable::Host;
    R.Impls = fresh(Call, 1, St);
    return tensorValue(std::move(R));
  }
  case MethodKind::Grad: {
    TensorFacts R;
    R.Device = Self->Device;
    R.Types = Self->Types;
    R.TypeFrom = Self->TypeFrom;
    R.Sizes = Self->Sizes;
    R.OneElement = Self->OneElement;
    R.Storages.push_back({T.Objects.get(Call, 0x40, Call->getExprLoc(), true)});
    R.Impls.push_back({T.Objects.get(Call, 0x41, Call->getExprLoc(), true)});
    created(R.Storages.back().Object);
    Log->Gradients.insert(R.Storages.back().Object);
    return tensorValue(std::move(R));
  }
  case MethodKind::SetGrad: {
    TensorFacts R = *Self;
    const Value *Flag = Args.empty() ? nullptr : value(Args[0], St);
    const bool No = Flag && Flag->K == Value::Kind::Integer && !Flag->Number;
    R.Grad = No ? FactTable::Host
                : opaqueFact(Call, 7, "made to require grad here",
                             Flag && Flag->K != Value::Kind::Integer ? Evidence::Likely
                                                                     : Evidence::Proven,
                             St);
    inPlace(Object, R, Call, St);
    return afterwards(Object, R, St);
  }
  case MethodKind::Reset: {
    const Value *Target = raw(Object, St);
    released(value(Object, St), OwnerGone::Reset, Call->getExprLoc(), St);
    if (Target && Target->K == Value::Kind::Reference && Target->Locations.size() == 1)
      St.set(Target->Locations.front(), Arena.make(Value::Kind::Undefined));
    return nullptr;
  }
  case MethodKind::Resize: {
    TensorFacts R = *Self;
    released(value(Object, St), OwnerGone::Resized, Call->getExprLoc(), St);
    R.Storages = maybeSame(Self->Storages, Call, Evidence::Possible, St);
    R.Sizes = Name == "resize_" && !Args.empty() ? sizesOf(Args[0], St) : nullptr;
    R.OneElement = countOf(R.Sizes) == 1;
    // Other sizes come with plain strides; with the sizes that it has nothing happens.
    R.Order = LayoutContiguous;
    inPlace(Object, R, Call, St);
    return raw(Object, St);
  }
  case MethodKind::SetStorage: {
    TensorFacts R = *Self;
    changed(*Self);
    if (const TensorFacts *From = Args.empty() ? nullptr : tensor(Args[0], St)) {
      R.Storages = From->Storages;
      R.Device = From->Device;
      R.Types = From->Types;
      R.TypeFrom = From->TypeFrom;
      R.Sizes = From->Sizes;
      R.OneElement = From->OneElement;
      R.Order = From->Order;
    } else {
      R.Storages = fresh(Call, 0, St);
      R.Types = UnknownElementType;
      R.Sizes = nullptr;
      R.OneElement = false;
      R.Order = LayoutUnknown;
    }
    if (Args.size() > 1) {
      R.Sizes = nullptr;
      R.OneElement = false;
      R.Order = LayoutUnknown;
    }
    released(value(Object, St), OwnerGone::Reassigned, Call->getExprLoc(), St);
    inPlace(Object, R, Call, St);
    return raw(Object, St);
  }
  case MethodKind::NoResult:
    if (model::fetchesNumber(Name)) {
      transfer(Call, *Self, St);
      // The number is there when the device is done with all before it.
      if (St.evaluate(T.Facts, Self->Device) >= Evidence::Likely)
        St.Pending.clear();
    }
    if (model::readsElements(Name))
      earlyUse(*Self, EarlyUse::Read, Call, Object, St);
    if (Name == "backward" && logging()) {
      Log->Backwards.emplace_back();
      objectsIn(value(Object, St), Log->Backwards.back());
      Log->inActive(
          [&](LoopRun &Run) { Run.Written.insert(Log->Gradients.begin(), Log->Gradients.end()); });
    }
    return nullptr;
  default:
    break;
  }

  // In-place operators: the handle stays, its history may grow.
  const bool InPlace = (support::endsWith(Name, "_") && !support::endsWith(Name, "__")) ||
                       (M->isOverloadedOperator() && Call->isGLValue() && Name != "operator[]");
  if (InPlace) {
    TensorFacts R = *Self;
    if (Name == "detach_") {
      R.Grad = FactTable::Host;
    } else if (St.Mode != GradMode::Off && Name != "zero_") {
      llvm::SmallVector<const TensorFacts *, 4> Inputs;
      for (const Expr *A : Args)
        tensorsIn(A, St, Inputs);
      llvm::SmallVector<FactId, 4> Grads{Self->Grad};
      for (const TensorFacts *X : Inputs)
        Grads.push_back(X->Grad);
      R.Grad = combine(Grads, St);
    }
    // `t_()`, `unsqueeze_(0)` change the sizes and strides of the handle.
    Operands B;
    bindOperands(Name, M, Call, Self, Args, B, St);
    const bool Metadata = B.Op && B.Op->is(model::OF_ChangesMetadata);
    if (!Metadata && Name != "detach_")
      contentWritten(*Self, Call, St);
    if (Metadata && !viewShape(B, *Self, R, St)) {
      R.Sizes = nullptr;
      R.OneElement = Self->OneElement;
      if (!StringRef(Name).contains("squeeze"))
        R.Order = LayoutUnknown;
    }
    changed(*Self);
    addsInPlace(Call, Object, *Self, Name, Args, St);
    // A copy from the device is in the device's order, one from the host is made at once.
    const bool Copies = Name == "copy_" && B.Tensors.size() == 2;
    if (!Copies || St.evaluate(T.Facts, B.Tensors.back()->Device) == Evidence::None)
      earlyUse(*Self, EarlyUse::Write, Call, Object, St);
    if (Copies)
      startsCopy(Call, M, Args, *B.Tensors.back(), *Self, St);
    else
      earlyOperands(B, St);
    if (!(R == *Self))
      inPlace(Object, R, Call, St);
    return afterwards(Object, R, St);
  }
  return operatorResult(Name, M, Call, Self, Args, St);
}

const Value *Engine::conversion(StringRef Name, const FunctionDecl *Fn, const Expr *Call,
                                const TensorFacts &Self, llvm::ArrayRef<const Expr *> Args,
                                State &St) {
  TensorFacts R = Self;
  Evidence New = Evidence::None;
  bool Moves = false;
  bool Asked = false; // `copy = true`
  if (Name == "cpu") {
    Moves = true;
    R.Device = FactTable::Host;
  } else if (Name != "to" && Name != "type_as" && Name != "toType") {
    Moves = true;
    R.Device = opaqueFact(Call, 12, "moved to an accelerator here", Evidence::Proven, St);
  }
  bool Typed = false; // A type is named, be it the one that the tensor has.
  for (unsigned I = 0; I < Args.size(); ++I) {
    const Expr *A = Args[I];
    StringRef Param = I < Fn->getNumParams() ? Fn->getParamDecl(I)->getName() : StringRef();
    const Value *V = value(A, St);
    if (Param == "copy" && V && V->K == Value::Kind::Integer && V->Number) {
      New = Evidence::Proven;
      Asked = true;
    }
    if (Types.isTensor(A->getType())) {
      Moves = true;
      Typed = true;
      if (const TensorFacts *Other = tensor(A, St)) {
        R.Device = Other->Device;
        R.Types = Other->Types;
      } else {
        R.Device = opaqueFact(A, 13, "the device of another tensor", Evidence::Possible, St);
        R.Types = UnknownElementType;
      }
      continue;
    }
    bool Found = false;
    FactId Device = deviceOf(A, St, &Found);
    if (Found) {
      Moves = true;
      R.Device = Device;
    }
    const TypeKind ArgKind = Types.kind(A->getType());
    if (V && V->K == Value::Kind::Options && V->Options.Types)
      R.Types = V->Options.Types;
    else if (V && V->K == Value::Kind::ElementType)
      R.Types = V->Types;
    else if (!V && (ArgKind == TypeKind::ElementType || ArgKind == TypeKind::Options))
      R.Types = UnknownElementType;
    else
      continue;
    Typed = true;
  }
  if (Moves) {
    Evidence Was = St.evaluate(T.Facts, Self.Device), Is = St.evaluate(T.Facts, R.Device);
    Evidence Move;
    if (Is == Evidence::None)
      Move = Was; // to the host: a copy as surely as it was on an accelerator
    else if (Was == Evidence::None)
      Move = Is; // from the host
    else
      Move = Self.Device == R.Device ? Evidence::None : Evidence::Possible;
    New = maxEvidence(New, Move);
  }
  if (Typed) {
    // A copy unless the tensor has the type already.
    const ElementTypes Unknowns = (R.Types | Self.Types) & UnknownElementType;
    const ElementTypes Was = Self.Types & ~TypesFromTest, Is = R.Types & ~TypesFromTest;
    const bool Single = !(Is & (Is - 1));
    if (!(Is & Was) && !Unknowns)
      New = Evidence::Proven;
    else if (Is != Was || !Single || Unknowns)
      New = maxEvidence(New, Evidence::Possible);
    if (R.Types != Self.Types || !Self.TypeFrom)
      R.TypeFrom = Call;
  }
  // Integers and bool carry no gradient.
  constexpr ElementTypes Floating = (1u << 5) | (1u << 6) | (1u << 7) | (1u << 8) | (1u << 9) |
                                    (1u << 10) | (1u << 15) |
                                    (~ElementTypes(0) << 16 & ~TypesFromTest);
  if (!(R.Types & Floating) || (St.Mode == GradMode::Off && New >= Evidence::Likely))
    R.Grad = FactTable::Host;
  convertFacts(R, Self, New, Call);
  switch (memoryFormat(Args)) {
  case 0:
    R.Order = LayoutContiguous;
    break;
  case 2:
  case 3:
    R.Order = LayoutPermuted;
    R.LayoutFrom = Call;
    break;
  case -2:
    R.Order = LayoutUnknown;
    break;
  default:
    break;
  }
  if (memoryFormat(Args) != -1)
    New = maxEvidence(New, Evidence::Possible);
  R.Storages = maybeSame(Self.Storages, Call, New, St);
  if (!Asked)
    copyMade(Call, Self, New);
  R.Impls = maybeSameHandle(Self.Impls, Call, New, St);
  if (Moves && St.evaluate(T.Facts, R.Device) == Evidence::None)
    transfer(Call, Self, St);
  if (Moves)
    startsCopy(Call, Fn, Args, Self, R, St);
  return tensorValue(std::move(R));
}

} // namespace torch_tidy::flow
