//===--- Loops.cpp - what happens in loops ---------------------------------===//
#include "../model/OperatorModel.h"
#include "../model/Synchronisation.h"
#include "../model/TensorMethods.h"
#include "../support/Compat.h"
#include "EngineImpl.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::MethodKind;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

std::set<ObjectId> Journal::history(llvm::ArrayRef<ObjectId> From) const {
  std::set<ObjectId> Seen;
  std::vector<ObjectId> Work;
  auto Reach = [&](ObjectId O) {
    if (Seen.insert(newest(O)).second)
      Work.push_back(newest(O));
  };
  for (ObjectId O : From)
    Reach(O);
  while (!Work.empty()) {
    ObjectId O = Work.back();
    Work.pop_back();
    for (const auto *Map : {&Inputs, &CopiedFrom})
      if (auto It = Map->find(O); It != Map->end())
        for (ObjectId Input : It->second)
          Reach(Input);
  }
  return Seen;
}

//===----------------------------------------------------------------------===//
// The loops of a graph
//===----------------------------------------------------------------------===//

void Engine::findLoops(FunctionGraph &G) {
  G.Loops.resize(G.Graph->getNumBlockIDs());
  auto Known = [&](const CFGBlock *B) {
    const unsigned At = B ? G.Position[B->getBlockID()] : 0;
    return B && At < G.Order.size() && G.Order[At] == B;
  };
  std::map<const Stmt *, std::set<const CFGBlock *>> Bodies;
  for (const CFGBlock *B : G.Order) {
    const Stmt *Loop = B->getLoopTarget();
    if (!Loop)
      continue;
    for (const CFGBlock *Header : B->succs()) {
      if (!Known(Header) || G.Position[Header->getBlockID()] > G.Position[B->getBlockID()])
        continue;
      // What leads to the back edge is repeated; what leaves before it is run once.
      std::set<const CFGBlock *> Body{B};
      std::vector<const CFGBlock *> Work;
      if (B != Header)
        Work.push_back(B);
      while (!Work.empty()) {
        const CFGBlock *At = Work.back();
        Work.pop_back();
        for (const CFGBlock *Before : At->preds())
          if (Known(Before) && Body.insert(Before).second && Before != Header)
            Work.push_back(Before);
      }
      if (Body.count(Header))
        Bodies[Loop].insert(Body.begin(), Body.end());
    }
  }
  std::vector<std::pair<const Stmt *, const std::set<const CFGBlock *> *>> Sorted;
  for (const auto &[Loop, Body] : Bodies)
    Sorted.emplace_back(Loop, &Body);
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return A.second->size() != B.second->size()
               ? A.second->size() > B.second->size()
               : A.first->getBeginLoc().getRawEncoding() < B.first->getBeginLoc().getRawEncoding();
  });
  for (const auto &[Loop, Body] : Sorted)
    for (const CFGBlock *B : *Body)
      G.Loops[B->getBlockID()].push_back(Loop);
}

void Engine::enterLoops(Frame &F, const CFGBlock &B, size_t Outer) {
  Log->Active.resize(Outer);
  for (const Stmt *Loop : F.Graph->Loops[B.getBlockID()]) {
    auto [It, New] = F.LoopRuns.try_emplace(Loop, unsigned(Log->Loops.size()));
    if (New) {
      Log->Loops.emplace_back();
      Log->Loops.back().Loop = Loop;
      Log->Loops.back().Function = dyn_cast<FunctionDecl>(F.Function);
    }
    Log->Active.push_back(It->second);
  }
}

//===----------------------------------------------------------------------===//
// Guards on every element: for (auto &t : tensors) TORCH_CHECK(t.is_cpu());
//===----------------------------------------------------------------------===//

/// Where \p Loop goes through all elements of a container: the variable that is (or picks) the
/// element of each turn, and the containers that it may be.
const VarDecl *Engine::everyElement(const Stmt *Loop, State &St,
                                    llvm::SmallVectorImpl<LocationId> &Containers,
                                    QualType &Element) {
  auto Add = [&](LocationId L) {
    const Value *V = St.lookup(L);
    if (V && V->K == Value::Kind::Reference)
      Containers.append(V->Locations.begin(), V->Locations.end());
    else
      Containers.push_back(L);
  };
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop)) {
    const VarDecl *Each = Range->getLoopVariable();
    const auto *Of = dyn_cast_or_null<VarDecl>(
        Range->getRangeStmt() ? Range->getRangeStmt()->getSingleDecl() : nullptr);
    if (!Each || !Of || !Types.isTensor(Each->getType()))
      return nullptr;
    Add(T.Locations.variable(Of));
    Element = Each->getType().getNonReferenceType();
    return Each;
  }
  // for (size_t i = 0; i < tensors.size(); ++i)
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *Init = For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  const auto *Index =
      Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl()) : nullptr;
  const auto *Less = For && For->getCond()
                         ? dyn_cast<BinaryOperator>(For->getCond()->IgnoreParenImpCasts())
                         : nullptr;
  const auto *Step = For ? dyn_cast_or_null<UnaryOperator>(For->getInc()) : nullptr;
  if (!Index || !Less || !Step || !Step->isIncrementOp() || integerOf(Index->getInit()) != 0 ||
      (Less->getOpcode() != BO_LT && Less->getOpcode() != BO_NE))
    return nullptr;
  const auto *Left = dyn_cast<DeclRefExpr>(Less->getLHS()->IgnoreParenImpCasts());
  const auto *Size = dyn_cast<CXXMemberCallExpr>(Less->getRHS()->IgnoreParenCasts());
  if (!Left || Left->getDecl() != Index || !Size || !Size->getMethodDecl()->getIdentifier() ||
      Size->getMethodDecl()->getName() != "size")
    return nullptr;
  const Expr *Object = Size->getImplicitObjectArgument()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Object);
  Element = model::Types::elementOf(Object->getType());
  if (!Ref || !isa<VarDecl>(Ref->getDecl()) || !Types.isTensor(Element))
    return nullptr;
  Add(T.Locations.variable(Ref->getDecl()));
  return Index;
}

/// The facts that \p Fact of the elements of \p List stands for: in `{a, b}` those of both.
llvm::SmallVector<FactId, 2> Engine::eachOf(const Expr *List, FactId Fact) {
  llvm::SmallVector<FactId, 2> Facts{Fact};
  bool Listed = false;
  std::vector<const Stmt *> Work{List};
  while (!Work.empty() && !Listed) {
    const Stmt *S = Work.back();
    Work.pop_back();
    Listed = isa<InitListExpr>(S);
    if (!isa<CallExpr>(S))
      for (const Stmt *Child : S->children())
        if (Child)
          Work.push_back(Child);
  }
  if (Listed)
    for (SymbolId S : T.Facts.symbols(Fact))
      Facts.push_back(T.Facts.fact(S));
  return Facts;
}

/// A turn of \p Loop ends in \p St.
void Engine::turnEnds(Frame &F, const Stmt *Loop, State &St) {
  llvm::SmallVector<LocationId, 2> Containers;
  QualType Element;
  const VarDecl *Each = everyElement(Loop, St, Containers, Element);
  if (!Each)
    return;
  auto OnHost = [&](const Value *V) {
    return V && V->K == Value::Kind::Tensor &&
           St.evaluate(T.Facts, V->Tensor.Device) == Evidence::None;
  };
  bool Host = false, Replaced = false;
  // The device of an element as it was picked has a name of its own.
  auto Differs = [&](const Value *V) {
    if (!V || V->K != Value::Kind::Tensor)
      return true;
    return llvm::any_of(T.Facts.symbols(V->Tensor.Device), [&](SymbolId S) {
      const auto Key = reinterpret_cast<uintptr_t>(T.Facts[S].Key);
      return Key == 0 || Key >= T.Locations.size() ||
             T.Locations[LocationId(Key)].Step.Op != PathStep::Instance;
    });
  };
  if (isa<CXXForRangeStmt>(Loop)) {
    const Value *V = St.lookup(T.Locations.variable(Each));
    V = load(V, Each->getType(), St);
    Replaced = Differs(V);
    // A copy that got another tensor says nothing of the element.
    Host = OnHost(V) && (Each->getType()->isReferenceType() || !Replaced);
  } else {
    Host = llvm::all_of(Containers, [&](LocationId L) {
      LocationId Elements = T.Locations.find(L, ElementStep);
      LocationId Picked =
          Elements ? T.Locations.find(Elements, {PathStep::Instance, Each->getCanonicalDecl(), 0})
                   : LocationTable::None;
      Replaced |= Picked && Differs(St.lookup(Picked));
      return Picked && OnHost(St.lookup(Picked));
    });
  }
  const Frame::Elements Turn = !Host      ? Frame::Elements::Unknown
                               : Replaced ? Frame::Elements::Replaced
                                          : Frame::Elements::OnHost;
  auto [It, New] = F.HostElements.try_emplace(Loop, Turn);
  if (Turn == Frame::Elements::Unknown || It->second == Frame::Elements::OnHost)
    It->second = Turn;
}

/// A loop is left at its condition: what every turn has proven of its element holds for all. False
/// where that is not known yet.
bool Engine::leavesLoop(Frame &F, const CFGBlock &Header, State &St) {
  const Stmt *Loop = Header.getTerminatorStmt();
  if (!Loop || (!isa<CXXForRangeStmt>(Loop) && !isa<ForStmt>(Loop)))
    return true;
  llvm::SmallVector<LocationId, 2> Containers;
  QualType Element;
  if (!everyElement(Loop, St, Containers, Element))
    return true;
  auto It = F.HostElements.find(Loop);
  if (It == F.HostElements.end()) {
    F.Waiting.insert(&Header);
    return false;
  }
  F.Waiting.erase(&Header);
  if (It->second == Frame::Elements::Unknown)
    return true;
  const auto *Range = dyn_cast<CXXForRangeStmt>(Loop);
  for (LocationId L : Containers) {
    const Value *V = St.lookup(L);
    // What the elements were before stays where it is.
    if (It->second == Frame::Elements::Replaced) {
      const LocationId Elements = T.Locations.child(L, ElementStep);
      V = load(Elements, Element, St);
      if (!V || V->K != Value::Kind::Tensor)
        continue;
      Value *OnHost = Arena.copy(*V);
      OnHost->Tensor.Device = FactTable::Host;
      eraseTree(Elements, St);
      St.set(Elements, OnHost);
      continue;
    }
    if (V && V->K == Value::Kind::Aggregate) {
      V = part(V, ElementStep, QualType(), St);
    } else {
      const LocationId Elements = T.Locations.child(L, ElementStep);
      V = load(Elements, Element, St);
      for (LocationId Picked : T.Locations[Elements].Children)
        if (const Value *One = St.lookup(Picked);
            One && One->K == Value::Kind::Tensor && One->Tensor.Device != FactTable::Host)
          St.refine(One->Tensor.Device, Evidence::None);
    }
    if (V && V->K == Value::Kind::Tensor && V->Tensor.Device != FactTable::Host)
      for (FactId F : Range ? eachOf(Range->getRangeInit(), V->Tensor.Device)
                            : llvm::SmallVector<FactId, 2>{V->Tensor.Device})
        St.refine(F, Evidence::None);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What changes
//===----------------------------------------------------------------------===//

void Engine::created(ObjectId O) {
  if (logging())
    Log->inActive([&](LoopRun &Run) { Run.Created.insert(Log->newest(O)); });
}

void Engine::changed(const TensorFacts &X) {
  if (!logging())
    return;
  Log->inActive([&](LoopRun &Run) {
    for (const Alternative &A : X.Storages)
      Run.Written.insert(Log->newest(A.Object));
  });
}

void Engine::changedIn(const Value *V, unsigned Nesting) {
  if (!V || Nesting > 4)
    return;
  if (V->K == Value::Kind::Tensor)
    changed(V->Tensor);
  for (const PointerOrigin &O : V->Origins)
    changed(*O.Tensor);
  for (const auto &[Step, Part] : V->Parts)
    changedIn(Part, Nesting + 1);
}

/// Calls that change tensors which they are not given.
void Engine::noteCall(const FunctionDecl *Fn, const Expr *Object) {
  if (!logging() || !Fn->getDeclName().isIdentifier() || !isa<CXXMethodDecl>(Fn) || !Object)
    return;
  const StringRef Name = Fn->getName();
  if (Name == "forward" || model::changesParameters(Name) || model::replaysGraph(Name))
    Log->inActive([&](LoopRun &Run) {
      Run.Steps |= model::changesParameters(Name);
      Run.Replays |= model::replaysGraph(Name);
      Run.Forwards |= Name == "forward";
    });
}

/// A function whose body is not visible may write to every tensor that it is given, or was given
/// earlier.
void Engine::noteUnseenCall(const FunctionDecl *Fn, llvm::ArrayRef<const Expr *> Args, State &St) {
  if (!logging())
    return;
  if (Fn && !Scope.isUserCode(Fn)) {
    for (unsigned I = 0; I < Args.size() && I < Fn->getNumParams(); ++I) {
      QualType P = Fn->getParamDecl(I)->getType();
      if ((P->isLValueReferenceType() || P->isPointerType()) &&
          !P->getPointeeType().isConstQualified())
        changedIn(load(raw(Args[I], St), QualType(), St));
    }
    return;
  }
  for (const Expr *A : Args) {
    const Value *V = load(raw(A, St), A->getType(), St);
    changedIn(V);
    objectsIn(V, Log->HandedOut);
  }
  Log->inActive([&](LoopRun &Run) {
    for (ObjectId O : St.Escaped)
      Run.Written.insert(Log->newest(O));
  });
}

/// LibTorch's functions write to what they take by reference, and where their name says so.
void Engine::noteLibraryCall(const FunctionDecl *Fn, llvm::ArrayRef<const Expr *> Args, State &St) {
  if (!logging())
    return;
  const std::string Name = Fn->getNameAsString();
  const bool InPlace = support::endsWith(Name, "_");
  const bool Backward = model::differentiates(model::qualifiedName(Fn));
  for (unsigned I = 0; I < Args.size() && I < Fn->getNumParams(); ++I) {
    QualType P = Fn->getParamDecl(I)->getType();
    const bool ByReference = P->isLValueReferenceType() && !P->getPointeeType().isConstQualified();
    if ((InPlace && I == 0) || (ByReference && Types.holdsTensor(Args[I]->getType()))) {
      llvm::SmallVector<const TensorFacts *, 4> Tensors;
      tensorsIn(Args[I], St, Tensors);
      for (const TensorFacts *X : Tensors) {
        changed(*X);
        earlyUse(*X, EarlyUse::Write, Args[I], Args[I], St);
      }
    }
    if (Backward && I == 0) {
      Log->Backwards.emplace_back();
      objectsIn(load(raw(Args[I], St), Args[I]->getType(), St), Log->Backwards.back());
    }
  }
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// The tensor that \p E is an element, a view or a converted copy of, as far as the expression
/// goes.
const Expr *Engine::baseTensor(const Expr *E) const {
  for (unsigned I = 0; I < 50; ++I) {
    E = strip(E);
    const Expr *Object = nullptr;
    std::string Name;
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (O->getOperator() == OO_Subscript)
        Object = O->getArg(0);
    } else if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
      const CXXMethodDecl *Method = M->getMethodDecl();
      if (Method && Method->getIdentifier() && !Scope.isUserCode(Method)) {
        Name = Method->getName().str();
        const MethodKind Kind = model::methodKind(Name, false);
        bool SameData = Kind == MethodKind::Conversion || Kind == MethodKind::Detach;
        if (Kind == MethodKind::Operator)
          for (const model::OperatorInfo &Op : model::lookupOperator(Name))
            for (const model::OutputInfo &Out : Op.outputs())
              SameData |= Out.Storage == model::StorageRule::View ||
                          Out.Storage == model::StorageRule::MaybeSame;
        if (SameData || Name == "index")
          Object = M->getImplicitObjectArgument();
      }
    }
    if (!Object || !Types.isTensor(Object->getType().getNonReferenceType()))
      break;
    E = Object;
  }
  return E;
}

void Engine::transfer(const Expr *Call, const TensorFacts &Self, State &St) {
  if (!logging() || Log->Active.size() < 2)
    return;
  const auto *C = dyn_cast<CXXMemberCallExpr>(Call);
  const Evidence Device = St.evaluate(T.Facts, Self.Device);
  if (!C || Device == Evidence::None)
    return;
  Journal::Transfer X;
  X.Tensor = Self;
  X.Loops = Log->Active;
  HostTransfer &E = X.Event;
  E.Call = Call;
  E.Receiver = C->getImplicitObjectArgument();
  E.Base = baseTensor(E.Receiver);
  E.Item = C->getMethodDecl() && model::fetchesNumber(C->getMethodDecl()->getNameAsString());
  E.Root = Current->Graph->Roots.lookup(Call);
  E.Function = dyn_cast<FunctionDecl>(Current->Function);
  E.Device = Device;
  E.DeviceFrom = T.Facts[St.strongest(T.Facts, Self.Device)];
  if (const Value *V = raw(E.Base, St);
      V && V->K == Value::Kind::Reference && V->Locations.size() == 1)
    X.Base = V->Locations.front();
  Log->Transfers.push_back(std::move(X));
}

/// Whether the elements in \p O of the tensor \p X are the same in every turn of \p Run.
bool Engine::unchanged(const TensorFacts &X, ObjectId O, const LoopRun &Run,
                       unsigned Nesting) const {
  O = Log->newest(O);
  if (Run.Written.count(O) || Nesting > 8)
    return false;
  if (Run.Steps && (Log->OfModules.count(O) || X.Grad != FactTable::Host))
    return false;
  if (Run.Forwards && Log->OfModules.count(O) && X.Grad == FactTable::Host)
    return false;
  if (!Run.Created.count(O))
    return true;
  auto Copied = Log->CopiedFrom.find(O);
  if (Copied == Log->CopiedFrom.end() || Copied->second.empty())
    return false;
  return llvm::all_of(Copied->second, [&](ObjectId From) {
    return Log->newest(From) != O && unchanged(X, From, Run, Nesting + 1);
  });
}

/// `while (!done.item<bool>())` with nothing in it that changes `done` waits for somebody else.
static bool waitsForOthers(const Stmt *Loop, const Expr *Call) {
  const Expr *Cond = nullptr;
  if (const auto *W = dyn_cast<WhileStmt>(Loop))
    Cond = W->getCond();
  else if (const auto *D = dyn_cast<DoStmt>(Loop))
    Cond = D->getCond();
  else if (const auto *F = dyn_cast<ForStmt>(Loop))
    Cond = F->getCond();
  std::set<const ValueDecl *> Variables;
  bool Inside = false;
  std::vector<const Stmt *> Work;
  if (Cond)
    Work.push_back(Cond);
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    Inside |= S == Call;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
          V && V->getType().getNonReferenceType()->isScalarType() &&
          !V->getType().isConstQualified())
        Variables.insert(V);
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return Inside && Variables.empty();
}

void Engine::settleLoops(const FunctionDecl *Fn) {
  for (Journal::Transfer &X : Log->Transfers) {
    auto Unchanged = [&](const LoopRun &Run) {
      if (X.Tensor.Element && Run.Created.count(Log->newest(X.Tensor.Element)))
        return false;
      for (LocationId L = X.Base; L != LocationTable::None; L = T.Locations[L].Parent)
        if (Run.Stored.count(L) && !Run.Declared.count(T.Locations.rootOf(L)))
          return false;
      return !X.Tensor.Storages.empty() && !Run.Replays &&
             llvm::all_of(X.Tensor.Storages,
                          [&](const Alternative &A) { return unchanged(X.Tensor, A.Object, Run); });
    };
    const LoopRun &Innermost = Log->Loops[X.Loops.back()];
    if (!Unchanged(Innermost) || waitsForOthers(Innermost.Loop, X.Event.Call))
      continue;
    X.Event.Loop = Innermost.Loop;
    size_t I = X.Loops.size() - 1;
    while (I > 1 && Unchanged(Log->Loops[X.Loops[I - 1]]))
      --I;
    const LoopRun &Outermost = Log->Loops[X.Loops[I]];
    if (Outermost.Function == X.Event.Function)
      X.Event.Outermost = Outermost.Loop;
    X.Event.SameBefore =
        X.Base != LocationTable::None && !Outermost.Declared.count(T.Locations.rootOf(X.Base));
    Transfers.push_back(X.Event);
  }
  settleKeepings(Fn);
}

} // namespace torch_tidy::flow
