//===--- Uses.cpp - events -------------------------------------------------===//
#include "../model/Sinks.h"
#include "../support/Compat.h"
#include "EngineImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::Sink;
using torch_tidy::model::SinkKind;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

void Engine::use(const Value *Pointer, UseKind Kind, const Expr *At, State &St, bool FirstElement) {
  if (!Pointer)
    return;
  if (Kind == UseKind::Write || Emitting)
    for (const PointerOrigin &O : Pointer->Origins)
      pointerUsed(O, Kind, At, St);
  if (!Emitting || !RecordEvents)
    return;
  for (const PointerOrigin &O : Pointer->Origins)
    use(O, Kind, At, St, FirstElement);
}

void Engine::use(const PointerOrigin &O, UseKind Kind, const Expr *At, State &St,
                 bool FirstElement) {
  if (Kind == UseKind::Write || Kind == UseKind::Device || Kind == UseKind::Escape)
    changed(*O.Tensor);
  if (!St.Pending.empty())
    earlyUse(O, Kind, At, St);
  PointerUse U;
  U.Site = Sites[O.Site];
  U.Kind = Kind;
  U.Use = At;
  U.UseLoc = At->getExprLoc();
  U.UseRoot = Current->Graph->Roots.lookup(At);
  U.Tensor = *O.Tensor;
  U.Device = St.evaluate(T.Facts, O.Tensor->Device);
  if (U.Device != Evidence::None) {
    U.DeviceFrom = T.Facts[St.strongest(T.Facts, O.Tensor->Device)];
    auto Guard = ProvenAt.find(O.Tensor->Device);
    if (U.Device == Evidence::Proven && U.DeviceFrom.Base != Evidence::Proven &&
        Guard != ProvenAt.end()) {
      U.DeviceFrom.Loc = Guard->second;
      U.DeviceFrom.Text = "this condition holds only for a tensor on an accelerator";
    }
  }
  if (U.Device == Evidence::Possible && copiedElsewhere(U.Site.Receiver, U.DeviceFrom))
    U.Device = Evidence::Likely;
  U.Grad = St.evaluate(T.Facts, O.Tensor->Grad);
  if (U.Grad != Evidence::None)
    U.GradFrom = T.Facts[St.strongest(T.Facts, O.Tensor->Grad)];
  // `if (x.requires_grad()) computeGradient(x);`: whoever asks does by hand what autograd would.
  if (U.Grad == Evidence::Proven && U.GradFrom.Base == Evidence::Possible)
    U.Grad = Evidence::Possible;
  U.Recording = O.Recording;
  U.FirstElement = FirstElement;
  if (const auto *C = dyn_cast<CallExpr>(At))
    U.AnyOrder =
        C->getDirectCallee() && model::anyOrder(model::qualifiedName(C->getDirectCallee()));
  ObjectId Which = 0;
  if (Kind == UseKind::Return)
    U.Dangling = dangling(O, St, Which, Current->Function, Current->Leaving);
  else
    U.Dangling = dangling(O, St, Which);
  if (U.Dangling != Evidence::None) {
    auto It = Releases.find(Which);
    if (Kind == UseKind::Return && (It == Releases.end() || It->second.first == OwnerGone::No))
      U.Gone = OwnerGone::ScopeEnd;
    else if (It != Releases.end())
      std::tie(U.Gone, U.GoneLoc) = It->second;
    else
      U.Gone = OwnerGone::EndOfExpression;
  }
  Events.push_back(std::move(U));
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

ElementTypes misfits(ElementTypes Have, int As, bool Cast) {
  ElementTypes Fits = elementType(As) | UnknownElementType | TypesFromTest;
  // Quantized types are read as the integers below them.
  if (As == 1)
    Fits |= elementType(12);
  if (As == 0)
    Fits |= elementType(13) | elementType(16) | elementType(17);
  if (As == 3)
    Fits |= elementType(14);
  if (Cast) {
    switch (As) {
    case 0:
    case 1:
      return 0; // bytes
    case 2:
      Fits |= elementType(5) | elementType(15) | elementType(27); // the bits of a half
      break;
    case 3:
    case 4:
      Fits |= elementType(As + 25); // unsigned
      break;
    case 11:
      Fits |= elementType(0) | elementType(1);
      break;
    case 5:
    case 6:
    case 7:
      Fits |= elementType(As + 3); // real and imaginary parts in turn
      break;
    case 9:
    case 10:
      Fits |= elementType(As - 3);
      break;
    default:
      break;
    }
  }
  return Have & ~Fits;
}

void Engine::taken(const Value *Pointer, const Expr *At, State &) {
  if (!Emitting || !RecordEvents || !Pointer || Pointer->K != Value::Kind::Pointer)
    return;
  for (const PointerOrigin &O : Pointer->Origins) {
    const AccessSite &Site = Sites[O.Site];
    if (O.Kind == ViewKind::Shape || O.Kind == ViewKind::Object)
      continue;
    const bool Cast = At != Site.Call;
    // The pointer of a typed accessor is right; a cast of it looks at the bits.
    if (Cast && Site.Typed)
      continue;
    const int As =
        Cast ? model::Types::scalarTypeOf(At->getType()->getPointeeType().getUnqualifiedType())
             : Site.ElementType;
    const ElementTypes Wrong = As < 0 ? 0 : misfits(O.Tensor->Types, As, Cast);
    if (!Wrong)
      continue;
    // `isFloatingType(t.scalar_type())`: a test for a kind of type, this one among them, is no
    // evidence that the tensor has another. One that names two types is.
    ElementTypes More = O.Tensor->Types & ~(TypesFromTest | UnknownElementType);
    const bool Fits = Wrong != More;
    More &= More - 1;
    if (O.Tensor->Types & TypesFromTest && Fits && (More & (More - 1)))
      continue;
    PointerUse U;
    U.Site = Site;
    U.Kind = UseKind::Taken;
    U.Use = At;
    U.UseLoc = At->getExprLoc();
    U.UseRoot = Current->Graph->Roots.lookup(At);
    U.Tensor = *O.Tensor;
    U.TakenAs = As;
    U.Misfits = Wrong;
    U.Mistyped = Wrong == (O.Tensor->Types & ~TypesFromTest) ? Evidence::Proven : Evidence::Likely;
    Events.push_back(std::move(U));
  }
}

/// Whoever copies a tensor to the host on another path expects it elsewhere.
bool Engine::copiedElsewhere(const Expr *Receiver, Symbol &From) const {
  const auto *Ref =
      dyn_cast_or_null<DeclRefExpr>(Receiver ? Receiver->IgnoreParenImpCasts() : nullptr);
  auto It = Ref ? ConvertedToHost.find(dyn_cast<VarDecl>(Ref->getDecl())) : ConvertedToHost.end();
  if (It == ConvertedToHost.end())
    return false;
  From.Loc = It->second;
  From.Text = "the tensor is copied to the host here, so it may be elsewhere";
  return true;
}

Evidence Engine::dangling(const PointerOrigin &O, const State &St, ObjectId &Which,
                          const Decl *LeavingFunction, const Value *LeavingWith) const {
  const Alternatives &Owned = O.Kind == ViewKind::Shape ? O.Tensor->Impls : O.Tensor->Storages;
  if (Owned.empty())
    return Evidence::None;
  const bool Shape = O.Kind == ViewKind::Shape;
  struct Holder {
    bool Sure = false;
    Evidence Doubt = Evidence::None; ///< That a handle which may hold it holds another instead.
    bool Any = false;
  };
  llvm::SmallVector<Holder, 2> Held(Owned.size());
  bool Whole = false;
  auto Consider = [&](const TensorFacts &X, bool Summary) {
    const Alternatives &Has = Shape ? X.Impls : X.Storages;
    // Another element may hold the same.
    if (Summary && O.Overwritten) {
      for (size_t I = 0; I < Owned.size(); ++I)
        if (holds(Has, Owned[I].Object) && !Held[I].Any) {
          Held[I].Any = true;
          Held[I].Doubt = Evidence::Possible;
        }
      return;
    }
    if (Has == Owned)
      Whole = true;
    // What the pointer was taken from holds no other thing than the pointer points to.
    const bool Origin = llvm::all_of(Has, [&](const Alternative &A) { return holdsToo(Owned, A); });
    for (size_t I = 0; I < Owned.size(); ++I) {
      Evidence Others = Evidence::None;
      bool Found = false;
      for (const Alternative &A : Has) {
        if (A.Object == Owned[I].Object)
          Found = true;
        else
          Others = maxEvidence(Others, A.Weight);
      }
      if (!Found)
        continue;
      if (Has.size() == 1 || Summary || Origin)
        Held[I].Sure = true;
      else if (!Held[I].Any || Others < Held[I].Doubt)
        Held[I].Doubt = Others;
      Held[I].Any = true;
    }
  };
  std::vector<const Value *> Work;
  auto ConsiderValue = [&](const Value *V, bool Summary) {
    Work.push_back(V);
    while (!Work.empty()) {
      const Value *At = Work.back();
      Work.pop_back();
      if (At->K == Value::Kind::Tensor)
        Consider(At->Tensor, Summary);
      if (At->K == Value::Kind::Aggregate || At->K == Value::Kind::Lambda)
        for (const auto &[Step, Part] : At->Parts)
          Work.push_back(Part);
    }
  };
  for (const auto &[L, V] : St.environment()) {
    if (V->K != Value::Kind::Tensor && V->K != Value::Kind::Aggregate &&
        V->K != Value::Kind::Lambda)
      continue;
    // What a reference parameter names lives on with the caller.
    const ValueDecl *Root = T.Locations.rootVariable(L);
    if (Unextended.count(Root))
      continue;
    if (LeavingFunction && isLocal(L, LeavingFunction) &&
        !(isa<ParmVarDecl>(Root) && Root->getType()->isReferenceType()))
      continue;
    // An element picked out of a container is one of the container's.
    ConsiderValue(V, T.Locations[L].Summary ||
                         (O.Overwritten && T.Locations[L].Step.Op == PathStep::Instance));
    if (Whole)
      return Evidence::None;
  }
  if (LeavingFunction) {
    if (LeavingWith)
      ConsiderValue(LeavingWith, false);
  } else {
    for (const auto &[E, V] : St.Exprs)
      if (V->K == Value::Kind::Tensor || V->K == Value::Kind::Aggregate)
        ConsiderValue(V, false);
  }
  if (Whole)
    return Evidence::None;
  Evidence Result = Evidence::None;
  for (size_t I = 0; I < Owned.size(); ++I) {
    if (Held[I].Sure || T.Objects[Owned[I].Object].External || St.Escaped.count(Owned[I].Object))
      continue;
    Evidence Here = Owned[I].Weight;
    if (Held[I].Any)
      Here = minEvidence(Here, Held[I].Doubt);
    if (Here > Result) {
      Result = Here;
      Which = Owned[I].Object;
    }
  }
  return Result;
}

void Engine::useAll(llvm::ArrayRef<const Expr *> Args, UseKind Kind, const Expr *At, State &St) {
  for (const Expr *A : Args) {
    const Value *V = value(A, St);
    if (V && (V->K == Value::Kind::Pointer || V->K == Value::Kind::DataLvalue))
      use(V, Kind, At, St);
    // Arrays and lists of pointers: `void *bindings[] = {a.data_ptr(), ...}`.
    if (V && V->K == Value::Kind::Reference)
      V = load(V, QualType(), St);
    if (V && V->K == Value::Kind::Aggregate)
      for (const auto &[Step, Part] : V->Parts)
        if (Part->K == Value::Kind::Pointer)
          use(Part, Kind, At, St);
  }
}

bool Engine::sink(const FunctionDecl *Fn, StringRef Name, const Expr *Call,
                  llvm::ArrayRef<const Expr *> Args, const Expr *Object, State &St) {
  (void)Object;
  Sink S = model::findSink(Name);
  switch (S.Kind) {
  case SinkKind::None:
    return false;
  case SinkKind::Device:
    useAll(Args, UseKind::Device, Call, St);
    return true;
  case SinkKind::Neutral:
    // Functions of the standard library without an entry; lambdas given to them run.
    runLambdas(Args, Call, St);
    for (const Expr *A : Args)
      if (const Value *V = value(A, St); V && V->K == Value::Kind::DataLvalue)
        use(V, UseKind::Read, Call, St, V->Number == 1);
    return false;
  case SinkKind::Copy: {
    // dst, src: with the kind known, one of them may be host memory.
    int64_t Kind = -1;
    for (const Expr *A : Args) {
      if (A->getType()->isEnumeralType())
        Kind = integerOf(A).value_or(Kind);
    }
    const unsigned Source = S.Direction == 6 ? 2 : 1;
    for (unsigned I = 0; I < Args.size(); ++I) {
      const Value *V = value(Args[I], St);
      if (!V || V->K != Value::Kind::Pointer)
        continue;
      // 0: host to host, 1: host to device, 2: device to host, 3: device to device
      if (I == Source && (Kind == 0 || Kind == 1))
        use(V, UseKind::Read, Call, St);
      else if (I == 0 && (Kind == 0 || Kind == 2))
        use(V, UseKind::Write, Call, St);
      else
        use(V, UseKind::Device, Call, St);
    }
    return true;
  }
  case SinkKind::Host:
  case SinkKind::Algorithm:
    break;
  }
  for (unsigned I = 0; I < Args.size() && I < 32; ++I) {
    const Value *V = value(Args[I], St);
    if (!V || (V->K != Value::Kind::Pointer && V->K != Value::Kind::DataLvalue))
      continue;
    if (S.Writes >> I & 1)
      use(V, UseKind::Write, Call, St);
    else if (S.Reads >> I & 1)
      use(V, UseKind::Read, Call, St);
  }
  (void)Fn;
  if (S.Kind == SinkKind::Algorithm) {
    runLambdas(Args, Call, St);
    // std::copy into a container of the program, std::find: the result is a position again.
    for (const Expr *A : Args)
      if (const Value *V = value(A, St);
          V && V->K == Value::Kind::Pointer && Call->getType()->isPointerType())
        St.Exprs[Call] = V;
  }
  return true;
}

} // namespace torch_tidy::flow
