//===--- Memory.cpp - locations: initial values, loads and stores ----------===//
#include "EngineImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

static const void *keyOf(LocationId L) { return reinterpret_cast<const void *>(uintptr_t(L)); }

// Symbol variants of a location's initial value; the evidence level is added.
enum : unsigned {
  DeviceVariant = 0x100,
  GradVariant = 0x200,
  StorageVariant = 0,
  ImplVariant = 1,
  PickedVariant = 3
};

/// The value changed by \p Change, also in its parts; null where nothing changes.
template <typename Function>
static const Value *changedValue(const Value *V, Function Change, ValueArena &Arena) {
  if (V->K == Value::Kind::Unknown || V->K == Value::Kind::Reference ||
      V->K == Value::Kind::Integer || V->K == Value::Kind::Condition)
    return nullptr;
  Value Copy = *V;
  bool Changed = Change(Copy);
  for (auto &[Step, Part] : Copy.Parts)
    if (const Value *New = changedValue(Part, Change, Arena)) {
      Part = New;
      Changed = true;
    }
  return Changed ? Arena.copy(Copy) : nullptr;
}

template <typename Function> static void replaceIn(State &St, Function Change, ValueArena &Arena) {
  std::vector<std::pair<LocationId, const Value *>> Updates;
  for (const auto &[L, V] : St.environment())
    if (const Value *New = changedValue(V, Change, Arena))
      Updates.emplace_back(L, New);
  for (auto &[L, V] : Updates)
    St.set(L, V);
}

template <typename Function>
static bool renameOrigins(Value &V, Function Rename, ValueArena &Arena) {
  bool Changed = false;
  for (PointerOrigin &O : V.Origins) {
    TensorFacts X = *O.Tensor;
    if (!Rename(X))
      continue;
    O.Tensor = Arena.tensor(std::move(X));
    Changed = true;
  }
  return Changed;
}

std::string Engine::nameOf(LocationId L) const {
  const LocationTable::Entry &E = T.Locations[L];
  switch (E.Step.Op) {
  case PathStep::Variable:
    return T.Locations.rootVariable(L)->getNameAsString();
  case PathStep::This:
    return "this";
  case PathStep::Temporary:
    return "a temporary";
  case PathStep::Field: {
    const auto *F = static_cast<const FieldDecl *>(static_cast<const Decl *>(E.Step.Key));
    std::string Base = nameOf(E.Parent);
    return Base == "this" ? F->getNameAsString() : Base + "." + F->getNameAsString();
  }
  case PathStep::Index:
  case PathStep::Element:
    return "an element of " + nameOf(E.Parent);
  case PathStep::Instance:
  case PathStep::Pointee:
    return nameOf(E.Parent);
  }
  return "";
}

OutsideFacts Engine::outside(LocationId L) const {
  OutsideFacts R;
  // An element, a pointee or a field of a parameter comes from where the parameter comes from.
  for (LocationId At = L; At != LocationTable::None; At = T.Locations[At].Parent) {
    const PathStep &Step = T.Locations[At].Step;
    if (Step.Op == PathStep::Field) {
      const auto *F = static_cast<const FieldDecl *>(static_cast<const Decl *>(Step.Key));
      auto It = FieldFacts.find(F);
      if (It != FieldFacts.end())
        return It->second;
      R.Loc = F->getLocation();
      R.Text = "member '" + nameOf(L) + "'";
      break;
    }
    if (Step.Op != PathStep::Variable)
      continue;
    const ValueDecl *D = T.Locations.rootVariable(At);
    R.Loc = D->getLocation();
    if (const auto *P = dyn_cast<ParmVarDecl>(D)) {
      auto It = ParameterFacts.find(P);
      if (It != ParameterFacts.end())
        return It->second;
      R.Text = "parameter '" + P->getNameAsString() + "'";
    } else {
      R.Text = "'" + D->getNameAsString() + "'";
    }
  }
  return R;
}

const Value *Engine::reference(LocationId L) {
  Value *V = Arena.make(Value::Kind::Reference);
  V->Locations.push_back(L);
  return V;
}

const Value *Engine::tensorValue(TensorFacts Facts) {
  Value *V = Arena.make(Value::Kind::Tensor);
  V->Tensor = std::move(Facts);
  return V;
}

/// What the container holds at the place of \p L, which is a part of an element picked out of it.
const Value *Engine::summaryOf(LocationId L, const State &St) const {
  llvm::SmallVector<PathStep, 4> Below;
  for (LocationId At = L; At != LocationTable::None; At = T.Locations[At].Parent) {
    const LocationTable::Entry &E = T.Locations[At];
    if (E.Step.Op != PathStep::Instance) {
      Below.push_back(E.Step);
      continue;
    }
    LocationId In = E.Parent;
    for (auto Step = Below.rbegin(); Step != Below.rend() && In != LocationTable::None; ++Step)
      In = T.Locations.find(In, *Step);
    const Value *V = In == LocationTable::None ? nullptr : St.lookup(In);
    return V && V->K == Value::Kind::Tensor ? V : nullptr;
  }
  return nullptr;
}

const Value *Engine::initialTensor(LocationId L, State &St) {
  const LocationTable::Entry &E = T.Locations[L];
  const Value *Parent = St.lookup(E.Parent);
  TensorFacts R;
  OutsideFacts From = outside(L);
  const Value *Same = summaryOf(L, St);
  if (Same)
    R = Same->Tensor;

  auto Symbol = [&](unsigned Variant, Evidence Level, StringRef Text, SourceLocation Loc) {
    SymbolId S = T.Facts.symbol(keyOf(L), Variant + unsigned(Level), Level, Loc, Text);
    renew(S, St);
    return T.Facts.fact(S);
  };

  // The element picked out of a container is a tensor of its own: a guard speaks for it alone.
  if (Same) {
    for (auto [Fact, Variant] : {std::pair(&R.Device, unsigned(DeviceVariant)),
                                 std::pair(&R.Grad, unsigned(GradVariant))}) {
      Evidence Level = St.evaluate(T.Facts, *Fact);
      if (Level == Evidence::None) {
        *Fact = FactTable::Host;
        continue;
      }
      const flow::Symbol &S = T.Facts[St.strongest(T.Facts, *Fact)];
      *Fact = Symbol(Variant, Level, S.Text, S.Loc);
    }
    // Picked anew in each turn, it may be another one.
    const ObjectId Picked = T.Objects.get(keyOf(L), PickedVariant, From.Loc, true);
    objectsIn(Same, Log->Inputs[Picked]);
    R.Element = Picked;
    created(Picked);
    return tensorValue(std::move(R));
  }

  const bool OfModule = E.Step.Op == PathStep::Field && Parent && Parent->K == Value::Kind::Module;
  if (OfModule) {
    R.Device = Parent->Tensor.Device;
  } else if (From.Level == Evidence::None) {
    R.Device = FactTable::Host;
  } else {
    std::string Text = From.Level == Evidence::Possible
                           ? "nothing is known about the device of " + From.Text
                           : From.Text;
    R.Device = Symbol(DeviceVariant, From.Level, Text, From.Loc);
  }

  Evidence Grad = Evidence::Possible;
  std::string GradText = "nothing is known about whether " + From.Text + " requires grad";
  if (E.Step.Op == PathStep::Field) {
    const auto *F = static_cast<const FieldDecl *>(static_cast<const Decl *>(E.Step.Key));
    const auto *Class = dyn_cast<CXXRecordDecl>(F->getParent());
    if (Types.kind(Class) == TypeKind::Module) {
      StringRef Name = F->getName();
      const bool Parameter =
          Name.contains("weight") || Name.contains("bias") || Name.contains("alpha");
      // Modules of the program register what they like; LibTorch's have parameters and buffers.
      if (!Scope.isUserCode(Class)) {
        Grad = Parameter ? Evidence::Proven : Evidence::None;
        GradText = "'" + Name.str() + "' is a parameter of the module";
      }
    }
  }
  R.Grad = Grad == Evidence::None ? FactTable::Host : Symbol(GradVariant, Grad, GradText, From.Loc);

  // Whoever gave the function a const reference, or has the container, keeps the tensor alive.
  bool External =
      E.Summary || OfModule || E.Step.Op == PathStep::Instance || E.Step.Op == PathStep::Pointee;
  // So does an object behind a pointer, or one that nobody knows where it comes from.
  for (LocationId At = L; At != LocationTable::None; At = T.Locations[At].Parent) {
    const PathStep &Step = T.Locations[At].Step;
    External |= Step.Op == PathStep::Pointee ||
                (Step.Op == PathStep::Temporary && Step.Number == UnknownObject);
  }
  if (const ValueDecl *D = T.Locations.rootVariable(L); D && E.Step.Op == PathStep::Variable)
    External |=
        D->getType()->isReferenceType() && D->getType().getNonReferenceType().isConstQualified();
  R.Storages.push_back({T.Objects.get(keyOf(L), StorageVariant, From.Loc, External)});
  R.Impls.push_back({T.Objects.get(keyOf(L), ImplVariant, From.Loc, External)});
  created(R.Storages.back().Object);
  holderOf(L, R.Storages.back().Object);
  if (OfModule)
    Log->OfModules.insert(R.Storages.back().Object);
  return tensorValue(std::move(R));
}

const Value *Engine::initial(LocationId L, QualType Type, State &St) {
  TypeKind Kind = Types.kind(Type);
  QualType Canonical = Type.getNonReferenceType().getCanonicalType();
  switch (Kind) {
  case TypeKind::Tensor:
    return initialTensor(L, St);
  case TypeKind::Device:
  case TypeKind::DeviceType: {
    OutsideFacts From = outside(L);
    Value *V = Arena.make(Value::Kind::Device);
    if (From.Level == Evidence::None) {
      V->Fact = FactTable::Host;
      return V;
    }
    // Nobody writes a device variable for a tensor that always stays on the host.
    Evidence Level = maxEvidence(From.Level, Evidence::Likely);
    std::string Text = From.Level > Evidence::Possible
                           ? From.Text
                           : "the device is chosen at run time, by " + From.Text;
    SymbolId S = T.Facts.symbol(keyOf(L), DeviceVariant + unsigned(Level), Level, From.Loc, Text);
    renew(S, St);
    V->Fact = T.Facts.fact(S);
    return V;
  }
  case TypeKind::Options: {
    OutsideFacts From = outside(L);
    Value *V = Arena.make(Value::Kind::Options);
    V->Options.HasDevice = true;
    V->Options.Types = UnknownElementType;
    if (From.Level != Evidence::None)
      V->Options.Device = T.Facts.fact(
          T.Facts.symbol(keyOf(L), DeviceVariant, Evidence::Possible, From.Loc,
                         "nothing is known about the device of the options " + From.Text));
    return V;
  }
  case TypeKind::Module:
  case TypeKind::JitModule: {
    OutsideFacts From = outside(L);
    Value *V = Arena.make(Value::Kind::Module);
    const LocationTable::Entry &E = T.Locations[L];
    const Value *Parent = St.lookup(E.Parent);
    // A submodule is where its module is.
    if (E.Step.Op == PathStep::Field && Parent && Parent->K == Value::Kind::Module)
      V->Tensor.Device = Parent->Tensor.Device;
    else if (From.Level != Evidence::None)
      V->Tensor.Device = T.Facts.fact(
          T.Facts.symbol(keyOf(L), DeviceVariant + unsigned(From.Level), From.Level, From.Loc,
                         From.Level == Evidence::Possible
                             ? "nothing is known about the device of the module " + From.Text
                             : From.Text));
    V->Tensor.Grad = T.Facts.fact(T.Facts.symbol(
        keyOf(L), GradVariant, Kind == TypeKind::Module ? Evidence::Likely : Evidence::Possible,
        From.Loc, "the output of a module carries gradients of its parameters"));
    return V;
  }
  default:
    break;
  }
  if (Canonical->isBooleanType()) {
    Condition C;
    C.Op = Condition::Opaque;
    C.Key = keyOf(L);
    return makeCondition(C);
  }
  // The pointer member of an object that ends with the function: the memory may end with it.
  const LocationTable::Entry &Here = T.Locations[L];
  if (Here.Step.Op == PathStep::Field && Canonical->isPointerType() &&
      (Canonical->getPointeeType()->isArithmeticType() ||
       Canonical->getPointeeType()->isVoidType())) {
    const auto *F = static_cast<const FieldDecl *>(static_cast<const Decl *>(Here.Step.Key));
    const auto *Class = dyn_cast<CXXRecordDecl>(F->getParent());
    if (Class && Class->hasDefinition() && Class->hasNonTrivialDestructor() && !outlives(L))
      return reference(T.Locations.child(L, PointeeStep));
  }
  // A pointer to a tensor (a device, a module, a struct of such) points to a thing of its own.
  if (Canonical->isPointerType() && (Types.holdsTensor(Canonical->getPointeeType()) ||
                                     Types.kind(Canonical->getPointeeType()) != TypeKind::Other ||
                                     Canonical->getPointeeType()->isRecordType()))
    return reference(T.Locations.child(L, PointeeStep));
  return nullptr;
}

const Value *Engine::load(LocationId L, QualType Type, State &St) {
  if (const Value *V = St.lookup(L))
    return V;
  // A thing made of parts: gather those that are known.
  const LocationTable::Entry &E = T.Locations[L];
  Value *Parts = nullptr;
  for (LocationId Child : E.Children) {
    const PathStep Step = T.Locations[Child].Step;
    if (Step.Op == PathStep::Instance)
      continue;
    if (const Value *V = load(Child, QualType(), St)) {
      if (!Parts)
        Parts = Arena.make(Value::Kind::Aggregate);
      Parts->Parts.emplace_back(Step, V);
    }
    if (Step.Op != PathStep::Element || !Parts)
      continue;
    for (LocationId Picked : T.Locations[Child].Children) {
      const PathStep Place = T.Locations[Picked].Step;
      const Value *V = Place.Op == PathStep::Instance && !Place.Key ? St.lookup(Picked) : nullptr;
      if (V && V->K == Value::Kind::Tensor && !V->Initial)
        Parts->Parts.emplace_back(Place, V);
    }
  }
  if (Parts) {
    llvm::sort(Parts->Parts, [](const auto &X, const auto &Y) { return X.first < Y.first; });
    return Parts;
  }
  if (Type.isNull())
    return nullptr;
  const Value *V = initial(L, Type, St);
  if (!V)
    return nullptr;
  Value *First = Arena.copy(*V);
  First->Initial = true;
  St.set(L, First);
  return First;
}

const Value *Engine::load(const Value *V, QualType Type, State &St) {
  if (!V || V->K != Value::Kind::Reference)
    return V;
  const Value *Result = nullptr;
  for (LocationId L : V->Locations) {
    const Value *Here = load(L, Type, St);
    if (!Here)
      return nullptr;
    Result = Result ? joinValues(Result, Here, St, T, Arena) : Here;
  }
  return Result;
}

void Engine::released(const Value *V, OwnerGone Why, SourceLocation Loc, State &St) {
  (void)St;
  if (!V || V->K != Value::Kind::Tensor)
    return;
  for (const Alternatives *List : {&V->Tensor.Storages, &V->Tensor.Impls})
    for (const Alternative &A : *List)
      Releases[A.Object] = {Why, Loc};
}

void Engine::eraseTree(LocationId L, State &St) {
  std::vector<LocationId> Work{L};
  while (!Work.empty()) {
    LocationId At = Work.back();
    Work.pop_back();
    St.erase(At);
    // Another value may come under the same name.
    St.Known.erase(keyOf(At));
    llvm::erase_if(St.Assumed, [&](const Condition *C) { return mentions(C, keyOf(At)); });
    for (LocationId Child : T.Locations[At].Children)
      Work.push_back(Child);
  }
}

/// The element picked out at \p L may be another one from here on.
void Engine::pickedAnew(LocationId L, State &St) {
  eraseTree(L, St);
  if (!logging())
    return;
  std::vector<LocationId> Work{L};
  while (!Work.empty()) {
    LocationId At = Work.back();
    Work.pop_back();
    for (unsigned Variant : {unsigned(StorageVariant), unsigned(PickedVariant)})
      created(T.Objects.get(keyOf(At), Variant, {}, true));
    for (LocationId Child : T.Locations[At].Children)
      Work.push_back(Child);
  }
}

/// What a member is known to be while it has \p V.
Engine::Stored Engine::storedAs(const Value *V, SourceLocation Loc, const State &St) const {
  Stored S{Evidence::Possible, Loc, ""};
  FactId Fact = FactTable::Host;
  switch (V->K) {
  case Value::Kind::Tensor:
  case Value::Kind::Module:
    Fact = V->Tensor.Device;
    break;
  case Value::Kind::Device:
    Fact = V->Fact;
    break;
  case Value::Kind::Options:
    Fact = V->Options.Device;
    break;
  case Value::Kind::Undefined:
    break;
  default:
    return S;
  }
  S.Level = St.evaluate(T.Facts, Fact);
  const Symbol &From = T.Facts[St.strongest(T.Facts, Fact)];
  if (S.Level > Evidence::Possible) {
    S.Text = From.Text;
    S.Loc = From.Loc;
  }
  return S;
}

/// `m_ = net(x); m_ = m_.cpu();`: of what \p Function stores in a member of its object only that
/// counts which is there in the end.
void Engine::storesAtExit(const Decl *Function, const State &Exit) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  for (auto &[Field, Stores] : FieldStores) {
    LocationId Own = LocationTable::None;
    for (const Stored &S : Stores)
      if (S.At && T.Locations[T.Locations[S.At].Parent].Step.Op == PathStep::This)
        Own = S.At;
    const Value *V = Own && Method && Exit.Reachable ? Exit.lookup(Own) : nullptr;
    if (V && V->K == Value::Kind::Tensor) {
      Stored Last;
      for (const Stored &S : Stores)
        if (S.At == Own)
          Last = S;
      Stored Now = storedAs(V, Last.Loc, Exit);
      llvm::erase_if(Stores, [&](const Stored &S) { return S.At == Own; });
      Stores.push_back(std::move(Now));
    }
    for (Stored &S : Stores)
      S.At = LocationTable::None;
  }
}

void Engine::store(LocationId L, const Value *V, State &St, const Expr *At) {
  const PathStep Step = T.Locations[L].Step;
  SourceLocation Loc = At ? At->getExprLoc() : SourceLocation();

  if (Step.Op == PathStep::Field && Emitting) {
    const auto *F = static_cast<const FieldDecl *>(static_cast<const Decl *>(Step.Key));
    if (V->K != Value::Kind::Undefined &&
        (Types.holdsTensor(F->getType()) || Types.kind(F->getType()) != TypeKind::Other)) {
      Stored S = storedAs(V, Loc, St);
      S.At = L;
      FieldStores[F].push_back(std::move(S));
    }
  }

  if (V->K == Value::Kind::Tensor && !Blobs.empty() && Emitting)
    for (const Alternative &A : V->Tensor.Storages)
      if (auto It = Blobs.find(A.Object); It != Blobs.end())
        StoredAt[{L, It->second.Call}] = Loc;
  if (Emitting && (V->K == Value::Kind::Tensor || V->K == Value::Kind::Lambda) && outlives(L)) {
    copyKept(V);
    if (V->K == Value::Kind::Lambda && At)
      capturesLeave(V->Lambda, At, St);
  }

  if (logging())
    Log->inActive([&](LoopRun &Run) { Run.Stored.insert(L); });
  if (T.Locations[L].Summary) {
    const Value *Old = St.lookup(L);
    if (!Old && !isLocal(L, Current->Function) && V->K == Value::Kind::Tensor)
      Old = initialTensor(L, St);
    St.set(L, Old ? joinValues(Old, V, St, T, Arena) : V);
    return;
  }
  if (const Value *Old = St.lookup(L); Old && Old != V) {
    released(Old, OwnerGone::Reassigned, Loc, St);
    // The container's summary still has what the element held.
    if (Step.Op == PathStep::Instance && Old->K == Value::Kind::Tensor)
      replaceIn(
          St,
          [&](Value &P) {
            bool Changed = false;
            for (PointerOrigin &O : P.Origins)
              if (!O.Overwritten && O.Tensor->Storages == Old->Tensor.Storages)
                Changed = O.Overwritten = true;
            return Changed;
          },
          Arena);
  }
  eraseTree(L, St);
  if (const auto *D = T.Locations.rootVariable(L); D && Step.Op == PathStep::Variable) {
    auto It = IndexedBy.find(D);
    if (It != IndexedBy.end())
      for (LocationId Picked : It->second)
        pickedAnew(Picked, St);
  }
  if (V->K == Value::Kind::Aggregate) {
    // An optional that was given a tensor has one.
    if (V->Parts.size() == 1 && V->Parts.front().first.Op == PathStep::Pointee)
      St.Known[keyOf(L)] = true;
    for (const auto &[Part, PartValue] : V->Parts)
      if (Part.Op == PathStep::Instance)
        St.set(T.Locations.child(elementsAt(T.Locations, L), Part), PartValue);
      else
        store(T.Locations.child(L, Part), PartValue, St, At);
    return;
  }
  St.set(L, V);
  // What is stored into one element is in the container too.
  if (Step.Op == PathStep::Instance && V->K == Value::Kind::Tensor) {
    store(T.Locations[L].Parent, V, St, At);
    storedInSome(T.Locations[L].Parent, L, V, St);
  }
}

/// \p V is stored into one of \p Elements, by the name \p As where it has one: which of those that
/// are known by another name it is nobody knows, unless both names are constants.
void Engine::storedInSome(LocationId Elements, LocationId As, const Value *V, State &St) {
  const bool Constant = As != LocationTable::None && !T.Locations[As].Step.Key;
  for (LocationId Other : T.Locations[Elements].Children) {
    const PathStep &Step = T.Locations[Other].Step;
    if (Other == As || Step.Op != PathStep::Instance || (Constant && !Step.Key))
      continue;
    if (const Value *Old = St.lookup(Other))
      St.set(Other, joinValues(Old, V, St, T, Arena));
  }
}

/// Other elements take the places of those picked out of \p Container, or of its elements.
void Engine::elementsMove(const Value *Container, State &St) {
  if (!Container || Container->K != Value::Kind::Reference)
    return;
  for (LocationId L : Container->Locations)
    for (LocationId Picked : T.Locations[elementsAt(T.Locations, L)].Children)
      if (T.Locations[Picked].Step.Op == PathStep::Instance)
        pickedAnew(Picked, St);
}

void Engine::store(const Value *Target, const Value *V, State &St, const Expr *At) {
  if (!Target || Target->K != Value::Kind::Reference)
    return;
  if (!V)
    V = unknown();
  for (LocationId L : Target->Locations)
    if (T.Locations[L].Step.Op == PathStep::Element && V->K == Value::Kind::Tensor)
      storedInSome(L, LocationTable::None, V, St);
  if (Target->Locations.size() == 1)
    return store(Target->Locations.front(), V, St, At);
  for (LocationId L : Target->Locations) {
    const Value *Old = St.lookup(L);
    store(L, Old ? joinValues(Old, V, St, T, Arena) : V, St, At);
  }
}

void Engine::escape(const Value *V, State &St) {
  if (!V)
    return;
  if (Emitting)
    copyKept(V);
  switch (V->K) {
  case Value::Kind::Tensor:
    for (const Alternatives *List : {&V->Tensor.Storages, &V->Tensor.Impls})
      for (const Alternative &A : *List)
        St.Escaped.insert(A.Object);
    break;
  case Value::Kind::Aggregate:
    for (const auto &[Step, Part] : V->Parts)
      escape(Part, St);
    break;
  case Value::Kind::Reference:
    for (LocationId L : V->Locations)
      if (const Value *Here = load(L, QualType(), St))
        if (Here->K != Value::Kind::Reference)
          escape(Here, St);
    break;
  default:
    break;
  }
}

void Engine::havoc(LocationId L, const Expr *At, State &St, unsigned Level) {
  const Value *Old = St.lookup(L);
  if (Old && Old->K == Value::Kind::Module)
    return;
  if (Old && Old->K == Value::Kind::Reference) {
    if (Level < 2)
      for (LocationId To : Old->Locations)
        havoc(To, At, St, Level + 1);
    return;
  }
  if (Old && Old->K == Value::Kind::Tensor) {
    // The handle may have been given another tensor, or the same one back.
    escape(Old, St);
    changedIn(Old);
    if (logging())
      Log->inActive([&](LoopRun &Run) { Run.Stored.insert(L); });
    TensorFacts R;
    R.Device =
        opaqueFact(At, 0x10, "the device of '" + nameOf(L) + "' is not known after this call",
                   Evidence::Possible, St);
    R.Grad = opaqueFact(At, 0x11, "", Evidence::Possible, St);
    R.Storages = Old->Tensor.Storages;
    R.Impls = Old->Tensor.Impls;
    St.set(L, tensorValue(std::move(R)));
    return;
  }
  std::vector<LocationId> Children(T.Locations[L].Children.begin(), T.Locations[L].Children.end());
  for (LocationId Child : Children)
    if (const Value *V = load(Child, QualType(), St))
      escape(V, St);
  eraseTree(L, St);
}

const Value *Engine::element(const Value *Container, const Expr *At, const Expr *Index,
                             QualType Type, State &St) {
  if (!Container || Container->K != Value::Kind::Reference)
    return nullptr;
  (void)Type;
  const auto Constant = Index ? integerOf(Index) : std::nullopt;
  auto Variable = [](const Expr *E) -> const ValueDecl * {
    const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E ? E->IgnoreParenImpCasts() : nullptr);
    return Ref && isa<VarDecl>(Ref->getDecl()) ? cast<ValueDecl>(Ref->getDecl()->getCanonicalDecl())
                                               : nullptr;
  };
  const ValueDecl *By = Constant ? nullptr : Variable(Index);
  const auto *Subscript = dyn_cast<ArraySubscriptExpr>(At);
  Value *V = Arena.make(Value::Kind::Reference);
  for (LocationId L : Container->Locations) {
    // `p = v.data() + 1; p[0]`: which element that is depends on where the pointer is.
    const bool Within = T.Locations[L].Step.Op == PathStep::Element;
    if (Within && Constant)
      By = Variable(Subscript ? Subscript->getBase() : nullptr);
    PathStep Step{PathStep::Instance, At, 0};
    if (By)
      Step = {PathStep::Instance, By, Constant.value_or(0)};
    else if (Constant && !Within)
      Step = {PathStep::Instance, nullptr, *Constant};
    LocationId Picked = T.Locations.child(elementsAt(T.Locations, L), Step);
    if (By)
      IndexedBy[By].insert(Picked);
    else if (Step.Key)
      pickedAnew(Picked, St);
    V->Locations.push_back(Picked);
  }
  llvm::sort(V->Locations);
  return V;
}

/// Some element of \p Container, or another one than the iterator \p Container leads to.
const Value *Engine::someElement(const Value *Container) {
  if (Container->K == Value::Kind::Aggregate) {
    Value *V = Arena.copy(*Container);
    llvm::erase_if(V->Parts, [](const auto &P) { return P.first.Op == PathStep::Instance; });
    return V;
  }
  if (Container->K != Value::Kind::Reference || Container->Locations.empty())
    return nullptr;
  Value *V = Arena.make(Value::Kind::Reference);
  for (LocationId L : Container->Locations)
    V->Locations.push_back(elementsAt(T.Locations, L));
  return V;
}

//===----------------------------------------------------------------------===//
// Things made anew in a loop
//===----------------------------------------------------------------------===//

void Engine::renew(SymbolId S, State &St, bool Tied) {
  auto Refined = [&](SymbolId Of) {
    std::vector<FactId> Facts;
    for (const auto &[F, Level] : St.levels())
      if (T.Facts.contains(F, Of))
        Facts.push_back(F);
    return Facts;
  };
  const std::vector<FactId> Facts = Refined(S);
  if (Facts.empty() && !Tied)
    return;
  // What still holds the earlier thing keeps its proof under the older name.
  SymbolId Older = T.Facts.older(S);
  if (Facts.empty())
    for (FactId F : Refined(Older))
      St.refined().erase(F);
  for (FactId F : Facts) {
    Evidence Level = St.levels().at(F);
    St.refined().erase(F);
    FactId Renamed = T.Facts.replace(F, S, Older);
    auto It = St.levels().find(Renamed);
    St.refine(Renamed, It == St.levels().end() ? Level : joinEvidence(It->second, Level));
  }
  auto Rename = [&](TensorFacts &X) {
    if (!T.Facts.contains(X.Device, S) && !T.Facts.contains(X.Grad, S))
      return false;
    X.Device = T.Facts.replace(X.Device, S, Older);
    X.Grad = T.Facts.replace(X.Grad, S, Older);
    return true;
  };
  replaceIn(
      St,
      [&](Value &V) {
        bool Changed = Rename(V.Tensor);
        if (V.K == Value::Kind::Device && T.Facts.contains(V.Fact, S)) {
          V.Fact = T.Facts.replace(V.Fact, S, Older);
          Changed = true;
        }
        return renameOrigins(V, Rename, Arena) || Changed;
      },
      Arena);
}

void Engine::renewObject(ObjectId Id, State &St) {
  ObjectId Older = T.Objects.older(Id);
  if (Older != Id)
    Log->Newest[Older] = Id;
  for (bool Source : {false, true})
    if (auto It = St.Pending.find({Source, Id}); It != St.Pending.end()) {
      St.Pending.try_emplace({Source, Older}, It->second);
      St.Pending.erase(It);
    }
  auto RenameList = [&](Alternatives &List) {
    bool Changed = false;
    for (Alternative &A : List)
      if (A.Object == Id) {
        A.Object = Older;
        Changed = true;
      }
    return Changed;
  };
  auto Rename = [&](TensorFacts &X) {
    bool Changed = RenameList(X.Storages);
    return RenameList(X.Impls) || Changed;
  };
  replaceIn(
      St,
      [&](Value &V) {
        const bool Changed = Rename(V.Tensor);
        return renameOrigins(V, Rename, Arena) || Changed;
      },
      Arena);
  if (St.Escaped.count(Id))
    St.Escaped.insert(Older);
  if (St.Dead.erase(Id))
    St.Dead.insert(Older);
  if (auto It = Blobs.find(Id); It != Blobs.end())
    Blobs[Older] = It->second;
  if (auto It = BlobGone.find(Id); It != BlobGone.end())
    BlobGone[Older] = It->second;
  if (auto It = Copies.find(Id); It != Copies.end())
    Copies[Older] = It->second;
}

} // namespace torch_tidy::flow
