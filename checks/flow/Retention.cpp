//===--- Retention.cpp - what keeps autograd history -------------------------===//
//
// A tensor that was computed while gradients are recorded holds the whole graph behind it. What is
// collected in a container or added up in a loop is noted here, with what every backward() goes
// through; when the function is done, what no later backward() needs is reported.
//
//===----------------------------------------------------------------------===//
#include "../model/Synchronisation.h"
#include "../support/Compat.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::ArgKind;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

static void append(llvm::SmallVectorImpl<ObjectId> &Out, const TensorFacts &X) {
  for (const Alternative &A : X.Storages)
    Out.push_back(A.Object);
  if (X.Element)
    Out.push_back(X.Element);
}

void Engine::objectsIn(const Value *V, llvm::SmallVectorImpl<ObjectId> &Out,
                       unsigned Nesting) const {
  if (!V || Nesting > 6)
    return;
  if (V->K == Value::Kind::Tensor)
    append(Out, V->Tensor);
  if (V->K == Value::Kind::Aggregate)
    for (const auto &[Step, Part] : V->Parts)
      objectsIn(Part, Out, Nesting + 1);
}

Summand Engine::summand(const Expr *Operand, const TensorFacts &X, const State &St) const {
  Summand S;
  S.Operand = Operand;
  append(S.Objects, X);
  S.Grad = St.evaluate(T.Facts, X.Grad);
  if (S.Grad != Evidence::None)
    S.GradFrom = T.Facts[St.strongest(T.Facts, X.Grad)];
  return S;
}

//===----------------------------------------------------------------------===//
// What results come from
//===----------------------------------------------------------------------===//

void Engine::computedFrom(const TensorFacts &Result, llvm::ArrayRef<const TensorFacts *> Inputs,
                          bool Recorded, bool MaybeSame) {
  for (const Alternative &A : Result.Storages) {
    const bool OfInput = MaybeSame && llvm::any_of(Inputs, [&](const TensorFacts *X) {
                           return holds(X->Storages, A.Object);
                         });
    if (OfInput)
      continue;
    if (Recorded)
      Log->Recorded.insert(A.Object);
    if (logging())
      for (const TensorFacts *X : Inputs)
        append(Log->Inputs[A.Object], *X);
  }
}

void Engine::computedFrom(const TensorFacts &Result, const Operands &B, bool MaybeSame, State &St) {
  const bool Leaf = B.HasOptions && B.Options.Grad != FactTable::Host;
  computedFrom(Result, B.Tensors, Result.Grad != FactTable::Host && !Leaf, MaybeSame);
  if (!logging() || !B.Op || Result.Storages.empty())
    return;
  const bool Accumulates = model::accumulates(B.Op->name());
  if (!Accumulates && !(model::scales(B.Op->name()) && B.Tensors.size() == 1))
    return;
  std::vector<Summand> Operands;
  auto Add = [&](const Expr *E, const TensorFacts &X) { Operands.push_back(summand(E, X, St)); };
  for (size_t N = 0; N < B.TensorsOf.size(); ++N) {
    const Expr *E = B.ByNumber[N];
    if (!E)
      if (const auto *M = dyn_cast<CXXMemberCallExpr>(B.Call))
        E = M->getImplicitObjectArgument();
    // `torch::cat({all, one})`: each by itself.
    if (E && B.Op->args()[N].Kind == ArgKind::TensorList) {
      std::vector<const Stmt *> Work{E};
      size_t Before = Operands.size();
      while (!Work.empty()) {
        const Stmt *S = Work.back();
        Work.pop_back();
        if (const auto *List = dyn_cast<InitListExpr>(S)) {
          for (const Expr *Each : List->inits())
            if (const TensorFacts *X = Types.isTensor(Each->getType()) ? tensor(Each, St) : nullptr)
              Add(Each, *X);
          continue;
        }
        for (const Stmt *Child : S->children())
          if (Child)
            Work.push_back(Child);
      }
      if (Operands.size() != Before)
        continue;
    }
    for (const TensorFacts *X : B.TensorsOf[N])
      Add(E, *X);
  }
  for (const Alternative &A : Result.Storages)
    Log->Sums[Log->newest(A.Object)] = Operands;
}

//===----------------------------------------------------------------------===//
// What holds tensors
//===----------------------------------------------------------------------===//

ObjectId Engine::elementsOf(LocationId Elements) {
  ObjectId O = T.Objects.get(reinterpret_cast<const void *>(uintptr_t(Elements)), 4, {}, true);
  holderOf(Elements, O);
  return O;
}

const Value *Engine::heldIn(const Value *V, ObjectId Elements) {
  if (!V || (V->K != Value::Kind::Tensor && V->K != Value::Kind::Aggregate))
    return V;
  Value *Copy = Arena.copy(*V);
  if (V->K == Value::Kind::Tensor)
    Copy->Tensor.Element = Elements;
  for (auto &[Step, Part] : Copy->Parts)
    Part = heldIn(Part, Elements);
  return Copy;
}

const ValueDecl *Engine::holderOf(LocationId L) const {
  for (LocationId At = L; At != LocationTable::None; At = T.Locations[At].Parent)
    if (const PathStep &Step = T.Locations[At].Step; Step.Op == PathStep::Field)
      return static_cast<const ValueDecl *>(static_cast<const Decl *>(Step.Key));
  const auto *V = dyn_cast_or_null<VarDecl>(T.Locations.rootVariable(L));
  return V && !V->hasLocalStorage() ? V : nullptr;
}

void Engine::holderOf(LocationId L, ObjectId O) {
  if (const ValueDecl *D = holderOf(L))
    Log->Holders[O] = D;
}

bool Engine::carriesHistory(const TensorFacts &X, const State &St) const {
  return St.evaluate(T.Facts, X.Grad) != Evidence::None &&
         llvm::any_of(X.Storages, [&](const Alternative &A) {
           return Log->Recorded.count(A.Object) || Log->Recorded.count(Log->newest(A.Object));
         });
}

/// The tensors with history in \p E: `loss`, `{step, loss}`, `std::make_pair(step, loss)`.
void Engine::historyIn(const Expr *E, State &St,
                       llvm::SmallVectorImpl<std::pair<const Expr *, const TensorFacts *>> &Out,
                       unsigned Nesting) {
  if (Nesting > 8)
    return;
  const Value *V = value(E, St);
  if (V && V->K == Value::Kind::Tensor) {
    if (carriesHistory(V->Tensor, St))
      Out.emplace_back(E, &V->Tensor);
    return;
  }
  const size_t Before = Out.size();
  for (const Stmt *Child : strip(E)->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child); Sub && Types.holdsTensor(Sub->getType()))
      historyIn(Sub, St, Out, Nesting + 1);
  if (Out.size() != Before || !V || V->K != Value::Kind::Aggregate)
    return;
  std::vector<const Value *> Work{V};
  while (!Work.empty()) {
    const Value *At = Work.back();
    Work.pop_back();
    if (At->K == Value::Kind::Tensor && carriesHistory(At->Tensor, St))
      return Out.emplace_back(E, &At->Tensor), void();
    for (const auto &[Step, Part] : At->Parts)
      Work.push_back(Part);
  }
}

//===----------------------------------------------------------------------===//
// What keeps them
//===----------------------------------------------------------------------===//

void Engine::keeps(const Expr *At, const Expr *Holder, LocationId L, bool Container,
                   ObjectList Held, llvm::ArrayRef<Summand> Added) {
  Journal::Keeping K;
  for (const Summand &S : Added) {
    if (S.Grad == Evidence::None)
      continue;
    K.Event.Tensors.push_back(S.Operand);
    K.Collected.append(S.Objects.begin(), S.Objects.end());
    if (S.Grad > K.Event.Grad) {
      K.Event.Grad = S.Grad;
      K.Event.GradFrom = S.GradFrom;
    }
  }
  if (K.Event.Tensors.empty())
    return;
  K.Event.At = At;
  K.Event.Holder = Holder;
  K.Event.Sum = !Container;
  K.Event.Function = dyn_cast<FunctionDecl>(Current->Function);
  K.Event.Member = holderOf(L);
  K.Place = L;
  K.Container = Container;
  K.Held = std::move(Held);
  K.Loops = Log->Active;
  Log->Keepings.push_back(std::move(K));
}

void Engine::collects(const Expr *Call, const Expr *Container, LocationId L,
                      llvm::ArrayRef<const Expr *> Args, State &St) {
  if (!logging())
    return;
  llvm::SmallVector<std::pair<const Expr *, const TensorFacts *>, 2> Tensors;
  for (const Expr *A : Args)
    historyIn(A, St, Tensors);
  llvm::SmallVector<Summand, 2> Added;
  for (const auto &[E, X] : Tensors)
    Added.push_back(summand(E, *X, St));
  keeps(Call, Container, L, true, {elementsOf(T.Locations.child(L, ElementStep))}, Added);
}

/// `total += loss`, `all[i] = loss`: the tensor's history grows.
void Engine::addsInPlace(const Expr *Call, const Expr *Object, const TensorFacts &Self,
                         StringRef Name, llvm::ArrayRef<const Expr *> Args, State &St) {
  const Value *Target = raw(baseTensor(Object), St);
  const bool OneLocation =
      Target && Target->K == Value::Kind::Reference && Target->Locations.size() == 1;
  if (logging() && OneLocation && model::forgetsHistory(Name))
    Log->inActive([&](LoopRun &Run) { Run.Cleared.insert(Target->Locations.front()); });
  if (St.Mode == GradMode::Off)
    return;
  ObjectList Own;
  append(Own, Self);
  llvm::SmallVector<Summand, 2> Added;
  for (const Expr *A : Args) {
    const TensorFacts *X = Types.isTensor(A->getType()) ? tensor(A, St) : nullptr;
    if (!X || St.evaluate(T.Facts, X->Grad) == Evidence::None)
      continue;
    for (const Alternative &Each : Self.Storages)
      Log->Recorded.insert(Each.Object);
    if (!logging())
      continue;
    Summand S = summand(A, *X, St);
    // `state += update(state)` is a state that goes on, not a collection.
    std::set<ObjectId> History = Log->history(S.Objects);
    for (const Alternative &Each : Self.Storages)
      append(Log->Inputs[Log->newest(Each.Object)], *X);
    if (llvm::none_of(Own, [&](ObjectId O) { return History.count(Log->newest(O)); }))
      Added.push_back(std::move(S));
  }
  // copy_() of the whole tensor keeps the newest value only.
  const bool Whole = strip(Object) == baseTensor(Object);
  if (!logging() || !OneLocation || Added.empty() || (Whole && Name == "copy_"))
    return;
  keeps(Call, baseTensor(Object), Target->Locations.front(), false, Own, Added);
}

bool Engine::summands(llvm::ArrayRef<ObjectId> Sum, const std::set<ObjectId> &Old,
                      llvm::SmallVectorImpl<Summand> &Added, unsigned Nesting) const {
  bool Running = false;
  if (Nesting > 12)
    return false;
  for (ObjectId O : Sum) {
    O = Log->newest(O);
    if (auto Copied = Log->CopiedFrom.find(O); Copied != Log->CopiedFrom.end())
      Running |= summands(Copied->second, Old, Added, Nesting + 1);
    auto It = Log->Sums.find(O);
    if (It == Log->Sums.end())
      continue;
    for (const Summand &S : It->second) {
      if (llvm::any_of(S.Objects, [&](ObjectId Each) { return Old.count(Log->newest(Each)); })) {
        Running = true;
        continue;
      }
      llvm::SmallVector<Summand, 2> Inner;
      if (summands(S.Objects, Old, Inner, Nesting + 1)) {
        Running = true;
        Added.append(Inner.begin(), Inner.end());
      } else {
        Added.push_back(S);
      }
    }
  }
  return Running;
}

/// Whether a subscript in \p E picks another element in each turn, as far as its text tells; the
/// variables that pick it go to \p Variables.
static bool picks(const Expr *E, llvm::SmallVectorImpl<const ValueDecl *> &Variables) {
  const Expr *Index = nullptr;
  for (unsigned I = 0; I < 20 && !Index; ++I) {
    E = strip(E);
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      E = M->getBase();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      Index = A->getIdx();
    } else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (O->getOperator() == OO_Subscript)
        Index = O->getArg(1);
      else if (O->getNumArgs() == 1)
        E = O->getArg(0);
      else
        return false;
    } else if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) {
      if (C->getNumArgs() != 1)
        return false;
      Index = C->getArg(0);
    } else {
      return false;
    }
  }
  std::vector<const Stmt *> Work;
  if (Index)
    Work.push_back(Index);
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    // A ring keeps as many as it has places.
    if (const auto *B = dyn_cast<BinaryOperator>(S);
        B && (B->getOpcode() == BO_Rem || B->getOpcode() == BO_And))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
        Variables.push_back(V);
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return !Variables.empty();
}

/// `total = total + loss`, `losses[i] = loss`; returns what is stored.
const Value *Engine::assigned(const Expr *Call, const Expr *Target, const Value *To,
                              const Value *Right, const Expr *RightExpr, State &St) {
  if (To->Locations.size() != 1)
    return Right;
  const LocationId L = To->Locations.front();
  LocationId Elements = LocationTable::None;
  for (LocationId At = L; At != LocationTable::None; At = T.Locations[At].Parent)
    if (T.Locations[At].Step.Op == PathStep::Element)
      Elements = At;
  if (Elements != LocationTable::None) {
    const ObjectId Held = elementsOf(Elements);
    if (logging() && Right->K == Value::Kind::Tensor && carriesHistory(Right->Tensor, St)) {
      llvm::SmallVector<const ValueDecl *, 2> Variables;
      const LocationId Container = T.Locations[Elements].Parent;
      auto Varies = [&](const ValueDecl *V) {
        const LoopRun &Run = Log->Loops[Log->Active.back()];
        const LocationId Index = T.Locations.variable(V);
        // What happens later in the loop is not written down yet.
        return Index != T.Locations.rootOf(Container) &&
               (Run.Declared.count(Index) || !V->getType().isConstQualified());
      };
      if (picks(Target, Variables) && llvm::any_of(Variables, Varies))
        collects(Call, Target, Container, {RightExpr}, St);
    }
    return heldIn(Right, Held);
  }
  if (!logging())
    return Right;
  const Value *Before = St.lookup(L);
  std::set<ObjectId> Old;
  ObjectList Held;
  if (Before && Before->K == Value::Kind::Tensor) {
    append(Held, Before->Tensor);
    for (ObjectId O : Held)
      Old.insert(Log->newest(O));
  }
  ObjectList New;
  if (Right->K == Value::Kind::Tensor && St.evaluate(T.Facts, Right->Tensor.Grad) != Evidence::None)
    append(New, Right->Tensor);
  auto MeetsOld = [&](llvm::ArrayRef<ObjectId> From) {
    std::set<ObjectId> History = Log->history(From);
    return llvm::any_of(Old, [&](ObjectId O) { return History.count(O); });
  };
  llvm::SmallVector<Summand, 2> Added;
  if (!New.empty() && !Old.empty() && summands(New, Old, Added)) {
    Held.append(New.begin(), New.end());
    // `state = state + update(state)` is a state that goes on, not a collection.
    llvm::erase_if(Added, [&](const Summand &S) { return MeetsOld(S.Objects); });
    keeps(Call, Target, L, false, Held, Added);
  } else if (New.empty() || !MeetsOld(New)) {
    Log->inActive([&](LoopRun &Run) { Run.Cleared.insert(L); });
  }
  return Right;
}

const ValueDecl *Engine::returnedHolder(const Expr *E) {
  const Expr *Core = strip(E);
  while (const auto *C = dyn_cast<CXXConstructExpr>(Core)) {
    if (C->getNumArgs() != 1)
      break;
    Core = strip(C->getArg(0));
  }
  const ValueDecl *D = nullptr;
  if (const auto *U = dyn_cast<UnaryOperator>(Core); U && U->getOpcode() == UO_AddrOf)
    Core = strip(U->getSubExpr());
  if (const auto *M = dyn_cast<MemberExpr>(Core))
    D = M->getMemberDecl();
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(Core))
    D = Ref->getDecl();
  return D ? cast<ValueDecl>(D->getCanonicalDecl()) : nullptr;
}

void Engine::returned(const Value *V, State &St) {
  if (logging())
    objectsIn(load(V, QualType(), St), Log->Returned);
}

//===----------------------------------------------------------------------===//
// The verdict
//===----------------------------------------------------------------------===//

void Engine::settleKeepings(const FunctionDecl *Fn) {
  std::set<ObjectId> Consumed;
  for (const ObjectList &From : Log->Backwards) {
    std::set<ObjectId> History = Log->history(From);
    Consumed.insert(History.begin(), History.end());
  }
  const std::set<ObjectId> Returned = Log->history(Log->Returned);
  const std::set<ObjectId> HandedOut = Log->history(Log->HandedOut);
  for (const auto &[O, D] : Log->Holders) {
    if (Consumed.count(Log->newest(O)))
      ConsumedHolders.insert(D);
    if (Returned.count(Log->newest(O)))
      ReturnedHolders.insert(D);
  }
  auto Meets = [&](const ObjectList &List, const std::set<ObjectId> &Set) {
    return llvm::any_of(List, [&](ObjectId O) { return Set.count(Log->newest(O)); });
  };
  for (Journal::Keeping &K : Log->Keepings) {
    const LoopRun &Run = Log->Loops[K.Loops.back()];
    const LocationId Root = T.Locations.rootOf(K.Place);
    const PathStep::Kind RootKind = T.Locations[Root].Step.Op;
    const auto *Variable = dyn_cast_or_null<VarDecl>(T.Locations.rootVariable(K.Place));
    const bool Lasting = RootKind == PathStep::This || (Variable && !Variable->hasLocalStorage());
    if (!Run.Loop && !Lasting)
      continue;
    bool Renewed = !Lasting && Run.Declared.count(Root);
    for (LocationId L = K.Place; L != LocationTable::None; L = T.Locations[L].Parent)
      Renewed |= Run.Cleared.count(L) || ((K.Container || L != K.Place) && Run.Stored.count(L));
    if (Renewed)
      continue;
    K.Event.Loop = Run.Loop;
    K.Event.BackwardDone = Meets(K.Collected, Consumed);
    K.Event.Consumed = Meets(K.Held, Consumed);
    const bool OutParameter = isa_and_nonnull<ParmVarDecl>(Variable) &&
                              Variable->getDeclContext() == Fn &&
                              (Variable->getType()->isReferenceType() ||
                               T.Locations[Root].Step.Op != PathStep::Variable || K.Place != Root);
    const bool Leaves = OutParameter || RootKind == PathStep::Temporary ||
                        Meets(K.Held, Returned) || Meets(K.Held, HandedOut);
    if (K.Event.Consumed || !Leaves || K.Event.BackwardDone)
      Kept.push_back(K.Event);
  }
}

} // namespace torch_tidy::flow
