//===--- Calls.cpp - what a call does --------------------------------------===//
#include "../model/Sinks.h"
#include "../model/TensorMethods.h"
#include "../support/Compat.h"
#include "EngineImpl.h"
#include "TranslationUnit.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::qualifiedName;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

const Value *Engine::call(const CallExpr *E, State &St) {
  llvm::SmallVector<const Expr *, 6> Args;
  for (const Expr *A : E->arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Args.push_back(A);
  readLvalues(Args, E, St);
  if (const auto *K = dyn_cast<CUDAKernelCallExpr>(E)) {
    useAll(Args, UseKind::Device, K, St);
    return nullptr;
  }
  const FunctionDecl *Fn = E->getDirectCallee();
  const Expr *Object = nullptr;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
    Object = M->getImplicitObjectArgument();
  if (!Fn) {
    // Through a function pointer or a member pointer.
    return opaqueCall(nullptr, E, Args, Object, St);
  }
  if (Fn->getBuiltinID() && Fn->getIdentifier() && !Args.empty() &&
      support::startsWith(Fn->getName(), "__builtin_expect"))
    return value(Args[0], St);
  const auto *Method = dyn_cast<CXXMethodDecl>(Fn);
  if (Method && !Method->isStatic() && isa<CXXOperatorCallExpr>(E) && !Args.empty()) {
    Object = Args.front();
    Args.erase(Args.begin());
  }

  noteCall(Fn, Object);
  if (!St.Pending.empty() || !PinnedVariables.empty() || !Object)
    pinnedMemory(Fn, E, Args, St);
  if (!St.Pending.empty())
    mayWait(Fn, St);

  const Value *Result = nullptr;
  if (userTaught(Fn, E, Args, St, Result))
    return Result;

  bool Done = false;
  if (Method && Object) {
    if (Method->getParent()->isLambda()) {
      const Value *V = value(Object, St);
      if (V && V->K == Value::Kind::Lambda) {
        llvm::SmallVector<const Value *, 4> Values;
        for (unsigned I = 0; I < Args.size(); ++I) {
          bool Ref = I < Fn->getNumParams() && Fn->getParamDecl(I)->getType()->isReferenceType();
          Values.push_back(Ref ? raw(Args[I], St) : value(Args[I], St));
        }
        return callLambda(V, E, Values, St, Method);
      }
    }
    QualType ObjectType = Object->getType();
    if (ObjectType->isPointerType())
      ObjectType = ObjectType->getPointeeType();
    TypeKind Kind = Types.kind(Method->getParent());
    if (Kind == TypeKind::Other)
      Kind = Types.kind(ObjectType);
    switch (Kind) {
    case TypeKind::Tensor:
    case TypeKind::Storage:
      Result = tensorMethod(Method, E, Object, Args, St, Done);
      break;
    case TypeKind::Device:
    case TypeKind::DeviceType:
    case TypeKind::Options:
    case TypeKind::ElementType:
      Result = deviceCall(Method, E, Object, Args, St, Done);
      break;
    case TypeKind::Module:
    case TypeKind::JitModule:
      Result = moduleCall(Method, E, Object, Args, St, Done);
      break;
    case TypeKind::Pointer:
      Result = pointerCall(Method, E, Object, Args, St, Done);
      break;
    case TypeKind::IValue:
      Result = ivalueCall(Method, E, Object, St, Done);
      break;
    default:
      Result = containerCall(Method, E, Object, Args, St, Done);
      break;
    }
    if (Done)
      return Result;
  }
  Result = standardCall(Fn, E, Args, St, Done);
  if (Done)
    return Result;
  if (sink(Fn, qualifiedName(Fn), E, Args, Object, St))
    return opaqueResult(E, E->getType(), Fn->getNameAsString(), St);
  if (!Scope.isUserCode(Fn)) {
    Result = tensorFunction(Fn, E, Args, St, Done);
    if (Done)
      return Result;
  }
  const Value *This = nullptr;
  if (Object)
    This = Object->getType()->isPointerType() ? value(Object, St) : raw(Object, St);
  Result = inlineCall(Fn, E, Args, This, St, Done);
  if (Done)
    return Result;
  return opaqueCall(Fn, E, Args, Object, St);
}

/// Elements of tensors that are handed over by reference: `std::min(low, a[i])` reads one.
void Engine::readLvalues(llvm::ArrayRef<const Expr *> Args, const Expr *Call, State &St) {
  const auto *C = dyn_cast<CallExpr>(Call);
  const FunctionDecl *Fn = C ? C->getDirectCallee() : nullptr;
  const bool Operator = isa<CXXOperatorCallExpr>(Call) && dyn_cast_or_null<CXXMethodDecl>(Fn);
  // A body that is visible tells itself what it does with its parameter.
  if (Fn && Fn->hasBody() && Scope.isUserCode(Fn))
    return;
  for (unsigned I = 0; I < Args.size(); ++I) {
    const Value *V = Args[I]->isGLValue() ? raw(Args[I], St) : nullptr;
    if (!V || V->K != Value::Kind::DataLvalue)
      continue;
    UseKind Kind = UseKind::Read;
    if (Operator && I == 0) {
      const std::string Name = Fn->getNameAsString();
      if (support::endsWith(Name, "=") && Name != "operator==" && Name != "operator!=" &&
          Name != "operator<=" && Name != "operator>=")
        Kind = UseKind::Write;
    } else if (Fn && !Operator && I < Fn->getNumParams()) {
      QualType P = Fn->getParamDecl(I)->getType();
      if (P->isLValueReferenceType() && !P->getPointeeType().isConstQualified())
        Kind = Fn->isTemplateInstantiation() ? UseKind::Read : UseKind::Write;
    }
    use(V, Kind, Call, St, V->Number == 1);
  }
}

//===----------------------------------------------------------------------===//
// Functions that the user named in the options
//===----------------------------------------------------------------------===//

bool Engine::matches(const std::vector<std::string> &Names, const FunctionDecl *Fn) const {
  if (Names.empty())
    return false;
  std::string Name = qualifiedName(Fn);
  for (const std::string &Pattern : Names) {
    if (Pattern == Name || Pattern == Fn->getNameAsString())
      return true;
    if (llvm::Regex("^(" + Pattern + ")$").match(Name))
      return true;
  }
  return false;
}

bool Engine::userTaught(const FunctionDecl *Fn, const Expr *Call, llvm::ArrayRef<const Expr *> Args,
                        State &St, const Value *&Result) {
  if (matches(Options.HostFunctions, Fn)) {
    useAll(Args, UseKind::Read, Call, St);
    return true;
  }
  if (matches(Options.DeviceFunctions, Fn)) {
    useAll(Args, UseKind::Device, Call, St);
    return true;
  }
  const bool Cpu = matches(Options.CpuGuards, Fn);
  if (!Cpu && !matches(Options.CudaGuards, Fn))
    return false;
  llvm::SmallVector<const TensorFacts *, 4> Tensors;
  for (const Expr *A : Args)
    tensorsIn(A, St, Tensors);
  const Condition *All = nullptr;
  for (const TensorFacts *X : Tensors) {
    Condition C;
    C.Op = Cpu ? Condition::OnHost : Condition::OnAccelerator;
    C.Fact = X->Device;
    const Condition *One = Arena.condition(C);
    Condition Both;
    Both.Op = Condition::And;
    Both.L = All;
    Both.R = One;
    All = All ? Arena.condition(Both) : One;
  }
  if (!All)
    return true;
  // A predicate tells; a function that returns nothing returns only if it holds.
  if (Fn->getReturnType()->isBooleanType()) {
    Value *V = Arena.make(Value::Kind::Condition);
    V->Cond = All;
    Result = V;
  } else {
    assume(All, true, St);
    if (!Args.empty() && Context.hasSameUnqualifiedType(Call->getType(), Args[0]->getType()))
      Result = raw(Args[0], St);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Visible callees
//===----------------------------------------------------------------------===//

const Value *Engine::runBody(const FunctionDecl *Fn, Stmt *Body, const Value *This, State &St,
                             bool &Done) {
  FunctionGraph *G = graphOf(Fn, Body);
  if (!G || G->Elements > maxInlineSize(Depth))
    return nullptr;
  Done = true;
  Frame F;
  F.Function = Fn;
  F.Graph = G;
  F.This = This;
  const Stmt *Root = St.Root;
  const GradMode Mode = St.Mode;
  LocationId Slot = T.Locations.root(returnSlot(Fn));
  St.erase(Slot);
  const bool WasEmitting = Emitting;
  ++Depth;
  bool Finished = run(F, St);
  --Depth;
  Emitting = WasEmitting;
  if (!Finished) {
    Budget = 0;
    return nullptr;
  }
  if (!F.Exit.Reachable) {
    St.Reachable = false;
    return nullptr;
  }
  St = std::move(F.Exit);
  St.Root = Root;
  St.Mode = Mode;
  const Value *Result = St.lookup(Slot);
  St.erase(Slot);
  if (Result && Result->K == Value::Kind::Reference)
    for (LocationId L : Result->Locations)
      if (isLocal(L, Fn)) {
        // A reference parameter that stands for itself: its value is what is known.
        Result = load(Result, Fn->getReturnType(), St);
        break;
      }
  if (Result && Result->K == Value::Kind::Condition) {
    Value *V = Arena.copy(*Result);
    V->Cond = settle(Result->Cond, St);
    Result = V;
  }
  dropLocals(Fn, St);
  return Result;
}

/// Notes what a call passes for \p P.
void Engine::passes(const ParmVarDecl *P, const Value *V, const State &St) {
  Given &G = GivenFor[P];
  const bool Tensor = V && V->K == Value::Kind::Tensor;
  if (!Tensor || St.evaluate(T.Facts, V->Tensor.Device) != Evidence::None)
    G.Host = false;
  else
    G.Guarded |= V->Tensor.Device != FactTable::Host;
}

const Value *Engine::inlineCall(const FunctionDecl *Fn, const Expr *Call,
                                llvm::ArrayRef<const Expr *> Args, const Value *Object, State &St,
                                bool &Done) {
  const FunctionDecl *Definition = nullptr;
  if (!Fn->hasBody(Definition) || !Scope.isUserCode(Definition))
    return nullptr;
  if (Definition->isDependentContext() || Definition->isVariadic())
    return nullptr;
  auto Skip = [&]() -> const Value * {
    NotInlined.insert(Definition->getCanonicalDecl());
    return nullptr;
  };
  // Nothing in, nothing out: not worth the time.
  bool Interesting = Types.holdsTensor(Fn->getReturnType()) || Object || !St.Pending.empty();
  for (const Expr *A : Args)
    if (const Value *V = raw(A, St))
      Interesting |= (V->K != Value::Kind::Integer && V->K != Value::Kind::Extent) ||
                     !A->getType()->isArithmeticType();
  if (!Interesting && !Args.empty())
    return nullptr;
  if (Depth >= CallDepth || Current->contains(Definition))
    return Skip();

  // The arguments first: a parameter's location may be what an argument refers to.
  llvm::SmallVector<std::pair<const ParmVarDecl *, const Value *>, 6> Bound;
  for (unsigned I = 0; I < Definition->getNumParams() && I < Args.size(); ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I);
    Bound.emplace_back(P, P->getType()->isReferenceType() ? raw(Args[I], St) : value(Args[I], St));
  }
  FunctionGraph *G = graphOf(Definition, Definition->getBody());
  if (!G || G->Elements > maxInlineSize(Depth))
    return Skip();
  for (auto [P, V] : Bound) {
    if (!Types.isTensor(P->getType()))
      continue;
    const Value *Passed = load(V, P->getType(), St);
    if (logging())
      passes(P, Passed, St);
    // A function that is named after the CPU is taken at its word where nothing else is known.
    auto Named = ParameterFacts.find(P);
    if (Named != ParameterFacts.end() && Named->second.Level == Evidence::None && Passed &&
        Passed->K == Value::Kind::Tensor &&
        St.evaluate(T.Facts, Passed->Tensor.Device) == Evidence::Possible)
      St.refine(Passed->Tensor.Device, Evidence::None);
  }
  for (auto [P, V] : Bound) {
    LocationId L = T.Locations.variable(P);
    eraseTree(L, St);
    if (logging())
      Log->inActive([&, Local = L](LoopRun &Run) { Run.Declared.insert(Local); });
    if (!V)
      continue;
    if (P->getType()->isReferenceType() &&
        (V->K == Value::Kind::Reference || V->K == Value::Kind::DataLvalue))
      St.set(L, V);
    else
      store(L, V, St, nullptr);
  }
  // Parameters that the call leaves to their defaults.
  for (unsigned I = Args.size(); I < Definition->getNumParams(); ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I);
    LocationId L = T.Locations.variable(P);
    eraseTree(L, St);
    const Value *V = P->hasDefaultArg() && !P->hasUninstantiatedDefaultArg()
                         ? constant(P->getDefaultArg())
                         : nullptr;
    if (!V && Types.isTensor(P->getType()))
      V = Arena.make(Value::Kind::Undefined);
    if (V)
      store(L, V, St, nullptr);
  }
  if (!Object)
    Object = reference(T.Locations.root({PathStep::Temporary, Call, UnknownObject}));
  const Value *Result = runBody(Definition, Definition->getBody(), Object, St, Done);
  if (!Done)
    return Skip();
  InlinedNow.insert(Definition->getCanonicalDecl());
  if (!Result && St.Reachable)
    Result = opaqueResult(Call, Call->getType(), Fn->getNameAsString(), St);
  return Result;
}

const Value *Engine::callLambda(const Value *Closure, const Expr *Call,
                                llvm::ArrayRef<const Value *> Args, State &St,
                                const CXXMethodDecl *Operator) {
  const LambdaExpr *L = Closure->Lambda;
  if (!Operator)
    Operator = L->getCallOperator();
  if (Operator->isDependentContext() || Depth >= CallDepth + 3 || Current->contains(Operator))
    return nullptr;
  Stmt *Body = Operator->getBody();
  if (!Body)
    return nullptr;
  for (unsigned I = 0; I < Operator->getNumParams(); ++I) {
    const ParmVarDecl *P = Operator->getParamDecl(I);
    LocationId Loc = T.Locations.variable(P);
    eraseTree(Loc, St);
    const Value *V = I < Args.size() ? Args[I] : nullptr;
    if (!V)
      continue;
    if (P->getType()->isReferenceType() &&
        (V->K == Value::Kind::Reference || V->K == Value::Kind::DataLvalue))
      St.set(Loc, V);
    else if (const Value *Copy = load(V, P->getType(), St))
      store(Loc, Copy, St, nullptr);
  }
  // In the body the names of what was captured by copy mean the copies.
  llvm::SmallVector<std::pair<LocationId, const Value *>, 4> Outside;
  for (const auto &[Step, Captured] : Closure->Parts) {
    const LocationId Loc =
        T.Locations.variable(static_cast<const VarDecl *>(static_cast<const Decl *>(Step.Key)));
    const Value *Now = St.lookup(Loc);
    if (Now && equal(Now, Captured))
      continue;
    Outside.emplace_back(Loc, Now);
    St.set(Loc, Captured);
  }
  bool Done = false;
  const bool Before = St.Reachable;
  const Value *Result = runBody(Operator, Body, Current->This, St, Done);
  for (const auto &[Loc, Was] : Outside) {
    if (Was)
      St.set(Loc, Was);
    else
      St.erase(Loc);
  }
  // A lambda that always throws does not say when it is called.
  if (!isa<CXXOperatorCallExpr>(Call))
    St.Reachable = Before;
  return Result;
}

void Engine::runLambdas(llvm::ArrayRef<const Expr *> Args, const Expr *Call, State &St) {
  // Elements of the container that an algorithm goes through are what the lambda gets.
  llvm::SmallVector<const Value *, 2> Elements;
  for (const Expr *A : Args)
    if (const Value *V = value(A, St);
        V && V->K == Value::Kind::Reference && !V->Locations.empty() && Elements.empty() &&
        T.Locations[V->Locations.front()].Step.Op == PathStep::Element)
      Elements.push_back(element(V, A, nullptr, QualType(), St));
  for (const Expr *A : Args) {
    const Value *V = value(A, St);
    if (V && V->K == Value::Kind::Lambda) {
      State Before = St;
      callLambda(V, Call, Elements, St);
      // It may be called any number of times, also never.
      if (!St.Reachable)
        St = std::move(Before);
      else
        St.join(Before, T, Arena);
    }
  }
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

FactId Engine::opaqueFact(const Expr *Call, unsigned Variant, StringRef Text, Evidence Level,
                          State &St) {
  SymbolId S = T.Facts.symbol(Call, Variant * 8 + unsigned(Level), Level, Call->getExprLoc(), Text);
  renew(S, St);
  return T.Facts.fact(S);
}

const Value *Engine::opaqueResult(const Expr *Call, QualType Type, StringRef Name, State &St,
                                  bool OnHost) {
  TypeKind Kind = Types.kind(Type);
  const bool ByReference = Call->isGLValue();
  auto Opaque = [&](bool Owned) {
    TensorFacts R;
    if (!OnHost)
      R.Device = opaqueFact(
          Call, 1, "nothing is known about the device of the result of '" + Name.str() + "'",
          Evidence::Possible, St);
    R.Grad = opaqueFact(
        Call, 2, "nothing is known about whether the result of '" + Name.str() + "' requires grad",
        Evidence::Possible, St);
    // Getters hand out a handle of something that lives on.
    const auto *C = dyn_cast<CallExpr>(Call);
    const bool Getter = !C || C->getNumArgs() == 0 || isa<MemberExpr>(Call);
    ObjectId S = T.Objects.get(Call, 0x20, Call->getExprLoc(), !Owned || Getter);
    ObjectId I = T.Objects.get(Call, 0x21, Call->getExprLoc(), !Owned || Getter);
    R.Storages.push_back({S, Evidence::Possible});
    R.Impls.push_back({I, Evidence::Possible});
    if (!CreatedSites.insert(Call).second) {
      renewObject(S, St);
      renewObject(I, St);
    }
    created(S);
    if (C && logging())
      for (const Expr *A : C->arguments())
        objectsIn(load(raw(A, St), A->getType(), St), Log->Inputs[S]);
    return tensorValue(std::move(R));
  };
  auto AtTemporary = [&](const Value *V) {
    LocationId L = T.Locations.root({PathStep::Temporary, Call, 2});
    eraseTree(L, St);
    if (V)
      store(L, V, St, Call);
    return reference(L);
  };
  switch (Kind) {
  case TypeKind::Tensor:
    return ByReference ? AtTemporary(Opaque(false)) : Opaque(true);
  case TypeKind::IValue:
    return Opaque(false);
  case TypeKind::Device:
  case TypeKind::DeviceType: {
    Value *V = Arena.make(Value::Kind::Device);
    V->Fact = opaqueFact(Call, 3, "the device is chosen at run time, by '" + Name.str() + "'",
                         Evidence::Likely, St);
    return V;
  }
  case TypeKind::Options: {
    Value *V = Arena.make(Value::Kind::Options);
    V->Options.HasDevice = true;
    V->Options.Types = UnknownElementType;
    V->Options.Device = opaqueFact(
        Call, 4, "nothing is known about the device of the options that '" + Name.str() + "' gives",
        Evidence::Possible, St);
    return V;
  }
  case TypeKind::Container:
  case TypeKind::Pointer:
    if (Types.holdsTensor(Type)) {
      if (Types.isTensor(model::Types::elementOf(Type)) && !ByReference) {
        Value *V = Arena.make(Value::Kind::Aggregate);
        V->Parts.emplace_back(
            PathStep{Kind == TypeKind::Container ? PathStep::Element : PathStep::Pointee, nullptr,
                     0},
            Opaque(false));
        return V;
      }
      return AtTemporary(nullptr);
    }
    return nullptr;
  case TypeKind::Module:
  case TypeKind::JitModule:
    return AtTemporary(nullptr);
  default:
    break;
  }
  if (Type->isPointerType() && (Types.holdsTensor(Type->getPointeeType()) ||
                                Types.kind(Type->getPointeeType()) == TypeKind::Module))
    return AtTemporary(nullptr);
  if (Types.holdsTensor(Type))
    return AtTemporary(nullptr);
  return nullptr;
}

const Value *Engine::opaqueCall(const FunctionDecl *Fn, const Expr *Call,
                                llvm::ArrayRef<const Expr *> Args, const Expr *Object, State &St) {
  runLambdas(Args, Call, St);
  noteUnseenCall(Fn, Args, St);
  const bool Users = !Fn || Scope.isUserCode(Fn);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Fn);
  for (unsigned I = 0; I < Args.size(); ++I) {
    const Expr *A = Args[I];
    const Value *V = raw(A, St);
    if (!V)
      continue;
    QualType Param = Fn && I < Fn->getNumParams() ? Fn->getParamDecl(I)->getType() : QualType();
    const Value *Here = A->isGLValue() ? load(V, A->getType(), St) : V;
    if (Here && (Here->K == Value::Kind::Pointer || Here->K == Value::Kind::DataLvalue)) {
      use(Here, UseKind::Escape, Call, St);
      continue;
    }
    // Whoever gets the handle may keep it.
    if (Here && Here->K == Value::Kind::Tensor && Users &&
        (Method || Param.isNull() || !Param->isReferenceType()))
      escape(Here, St);
    const bool ByReference = Param.isNull() ? A->isLValue()
                                            : Param->isLValueReferenceType() &&
                                                  !Param->getPointeeType().isConstQualified();
    const bool ByPointer =
        !Param.isNull() && Param->isPointerType() && !Param->getPointeeType().isConstQualified();
    if ((ByReference || ByPointer) && V->K == Value::Kind::Reference && !(!Users && Param.isNull()))
      for (LocationId L : std::vector<LocationId>(V->Locations.begin(), V->Locations.end()))
        havoc(L, Call, St);
  }
  const Value *This = nullptr;
  if (Object && Method && !Method->isStatic())
    This = Object->getType()->isPointerType() ? value(Object, St) : raw(Object, St);
  // An element of a tensor: `p[0].real()`, and what makes a float of a half.
  const bool Arrow = Object && Object->getType()->isPointerType();
  if (This && This->K == (Arrow ? Value::Kind::Pointer : Value::Kind::DataLvalue))
    use(This, Method->isConst() ? UseKind::Read : UseKind::Write, Call, St, This->Number == 1);
  const Value *Owner =
      This && This->K == Value::Kind::Reference && This->Locations.size() == 1 ? This : nullptr;
  if (Owner && Users && model::keepsArgument(Fn->getNameAsString()) &&
      outlives(Owner->Locations.front()))
    for (const Expr *A : Args)
      blobLeaves(value(A, St), BlobLeaves::HandedOver, Call, St);
  // A method that is not const may change what its object holds.
  if (This && This->K == Value::Kind::Reference && Users && !Method->isConst())
    for (LocationId L : std::vector<LocationId>(This->Locations.begin(), This->Locations.end()))
      for (LocationId Child :
           std::vector<LocationId>(T.Locations[L].Children.begin(), T.Locations[L].Children.end()))
        if (const Value *V = load(Child, QualType(), St)) {
          escape(V, St);
          changedIn(V);
          if (V->K != Value::Kind::Module && V->K != Value::Kind::Reference)
            eraseTree(Child, St);
        }
  // `image.ptr()`: memory that belongs to the object.
  QualType Pointee =
      Call->getType()->isPointerType() ? Call->getType()->getPointeeType() : QualType();
  const bool HandsOut = !Pointee.isNull() &&
                        (Pointee->isArithmeticType() || Pointee->isVoidType()) && Fn &&
                        model::givesOwnMemory(Fn->getNameAsString());
  const bool OfString = Owner && Call->isGLValue() && Call->getType()->isArithmeticType() &&
                        qualifiedName(Method->getParent()) == "std::basic_string";
  if (Owner && (HandsOut || OfString))
    return reference(T.Locations.child(Owner->Locations.front(), PointeeStep));
  const std::string Name = Fn ? Fn->getNameAsString() : "a call";
  bool OnHost = Users ? Options.TrustCpuNames && givesCpu(Name)
                      : Fn && model::givesHostTensor(qualifiedName(Fn));
  // What the forward function of a CPU file saved, its backward function gets.
  if (Owner && Name == "get_saved_variables")
    OnHost |= outside(Owner->Locations.front()).Level == Evidence::None;
  return opaqueResult(Call, Call->getType(), Name, St, OnHost);
}

} // namespace torch_tidy::flow
