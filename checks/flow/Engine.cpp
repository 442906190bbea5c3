//===--- Engine.cpp - blocks, edges and lifetimes --------------------------===//
#include "EngineImpl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>
#include <utility>

using namespace clang;

namespace torch_tidy::flow {

Engine::Engine(ASTContext &Context, const SourceScope &Scope, const Settings &Options)
    : Context(Context), Scope(Scope), Options(Options), Unknown(Arena.make(Value::Kind::Unknown)),
      Log(std::make_unique<Journal>()) {}

Engine::~Engine() = default;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {

/// Walks a body without recursion (expressions nest deeply in generated code) and notes for each
/// expression its full expression and the `try` blocks around it, and where arrays end.
struct RootCollector {
  llvm::DenseMap<const Stmt *, const Stmt *> &Roots;
  llvm::DenseMap<const VarDecl *, const CompoundStmt *> &ArrayScopes;
  llvm::DenseMap<const Stmt *, const CXXTryStmt *> TryOf;

  RootCollector(llvm::DenseMap<const Stmt *, const Stmt *> &Roots,
                llvm::DenseMap<const VarDecl *, const CompoundStmt *> &ArrayScopes)
      : Roots(Roots), ArrayScopes(ArrayScopes) {}

  void collect(const Stmt *Body) {
    struct Item {
      const Stmt *S;
      const Stmt *Root;
      const CXXTryStmt *Try;
    };
    std::vector<Item> Work{{Body, nullptr, nullptr}};
    while (!Work.empty()) {
      Item I = Work.back();
      Work.pop_back();
      const Stmt *Root = I.Root;
      if (isa<DeclStmt>(I.S) || isa<ReturnStmt>(I.S) || isa<CoreturnStmt>(I.S))
        Root = I.S;
      else if (!isa<Expr>(I.S))
        Root = nullptr;
      else if (!Root)
        Root = I.S;
      if (Root)
        Roots[I.S] = Root;
      if (I.Try)
        TryOf[I.S] = I.Try;
      if (const auto *Block = dyn_cast<CompoundStmt>(I.S))
        for (const Stmt *Inner : Block->body())
          if (const auto *Decls = dyn_cast<DeclStmt>(Inner))
            for (const Decl *D : Decls->decls())
              if (const auto *V = dyn_cast<VarDecl>(D);
                  V && V->hasLocalStorage() && V->getType()->isConstantArrayType())
                ArrayScopes[V] = Block;
      if (const auto *L = dyn_cast<LambdaExpr>(I.S)) {
        for (const Expr *Init : L->capture_inits())
          if (Init)
            Work.push_back({Init, Root, I.Try});
        continue;
      }
      if (const auto *T = dyn_cast<CXXTryStmt>(I.S)) {
        Work.push_back({T->getTryBlock(), nullptr, T});
        for (unsigned H = 0; H < T->getNumHandlers(); ++H)
          Work.push_back({T->getHandler(H)->getHandlerBlock(), nullptr, I.Try});
        continue;
      }
      for (const Stmt *Child : I.S->children())
        if (Child)
          Work.push_back({Child, Root, I.Try});
    }
  }
};

} // namespace

/// The blocks that can be reached, each before its successors (but for back edges) and the body of
/// a loop before what follows it: the journal is written in this order. LLVM's PostOrderCFGView
/// puts what follows first in the versions before it had CFGLoopBodyFirstTraits, and knows no way
/// from a `try` to its handlers.
static std::vector<const CFGBlock *>
bodiesFirst(const CFG &Graph, llvm::ArrayRef<llvm::SmallVector<const CFGBlock *, 1>> Handlers) {
  struct Item {
    const CFGBlock *B;
    llvm::SmallVector<const CFGBlock *, 4> Left; ///< Successors, the last one next.
  };
  std::vector<const CFGBlock *> Order;
  std::vector<bool> Seen(Graph.getNumBlockIDs());
  std::vector<Item> Path;
  auto Enter = [&](const CFGBlock *B) {
    if (!B || Seen[B->getBlockID()])
      return;
    Seen[B->getBlockID()] = true;
    Path.push_back({B, {}});
    for (const CFGBlock *Succ : B->succs())
      Path.back().Left.push_back(Succ);
    Path.back().Left.append(Handlers[B->getBlockID()].begin(), Handlers[B->getBlockID()].end());
  };
  Enter(&Graph.getEntry());
  while (!Path.empty()) {
    Item &Top = Path.back();
    if (!Top.Left.empty()) {
      Enter(Top.Left.pop_back_val());
      continue;
    }
    Order.push_back(Top.B);
    Path.pop_back();
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

Engine::FunctionGraph *Engine::graphOf(const Decl *D, Stmt *Body) {
  std::unique_ptr<FunctionGraph> &Slot = Graphs[Body];
  if (Slot)
    return Slot->Graph ? Slot.get() : nullptr;
  Slot = std::make_unique<FunctionGraph>();
  CFG::BuildOptions Build;
  Build.setAllAlwaysAdd();
  Build.PruneTriviallyFalseEdges = true;
  Build.AddInitializers = true;
  Build.AddImplicitDtors = true;
  Build.AddTemporaryDtors = true;
  Build.AddCXXDefaultInitExprInCtors = true;
  Slot->Graph = CFG::buildCFG(D, Body, &Context, Build);
  if (!Slot->Graph)
    return nullptr;
  FunctionGraph &G = *Slot;
  RootCollector Roots(G.Roots, G.ArrayScopes);
  Roots.collect(Body);
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(D))
    for (const CXXCtorInitializer *Init : Ctor->inits())
      if (Init->getInit())
        Roots.collect(Init->getInit());
  G.Handlers.resize(G.Graph->getNumBlockIDs());
  llvm::DenseMap<const Stmt *, const CFGBlock *> TryBlocks;
  for (const CFGBlock *B : *G.Graph) {
    G.Elements += B->size();
    if (const Stmt *T = B->getTerminatorStmt())
      if (isa<CXXTryStmt>(T))
        TryBlocks[T] = B;
  }
  if (!TryBlocks.empty())
    for (const CFGBlock *B : *G.Graph)
      for (const CFGElement &E : *B)
        if (auto S = E.getAs<CFGStmt>())
          if (const CXXTryStmt *T = Roots.TryOf.lookup(S->getStmt()))
            if (const CFGBlock *Handler = TryBlocks.lookup(T))
              if (!llvm::is_contained(G.Handlers[B->getBlockID()], Handler))
                G.Handlers[B->getBlockID()].push_back(Handler);
  G.Order = bodiesFirst(*G.Graph, G.Handlers);
  G.Position.assign(G.Graph->getNumBlockIDs(), 0);
  for (size_t I = 0; I < G.Order.size(); ++I)
    G.Position[G.Order[I]->getBlockID()] = I;
  findLoops(G);
  return &G;
}

//===----------------------------------------------------------------------===//
// The fixpoint
//===----------------------------------------------------------------------===//

bool Engine::analyse(const FunctionDecl *Fn) {
  // Too much to do: with fewer calls analysed in place, what those do is unknown.
  for (unsigned Limit : {MaxCallDepth, 1u, 0u}) {
    CallDepth = Limit;
    InlinedNow.clear();
    if (analyseOnce(Fn)) {
      Inlined.insert(InlinedNow.begin(), InlinedNow.end());
      return true;
    }
  }
  return false;
}

bool Engine::analyseOnce(const FunctionDecl *Fn) {
  Stmt *Body = Fn->getBody();
  if (!Body)
    return true;
  FunctionGraph *G = graphOf(Fn, Body);
  if (!G)
    return true;
  size_t EventsBefore = Events.size(), BlobsBefore = BlobEvents.size(),
         EarlyBefore = EarlyUses.size();
  Budget = std::max<uint64_t>(MinBudget, uint64_t(G->Elements) * 16);
  CreatedSites.clear();
  Frame F;
  F.Function = Fn;
  F.Graph = G;
  F.This = reference(T.Locations.root({PathStep::This, nullptr, 0}));
  State Entry;
  Entry.Reachable = true;
  bindUnknownParameters(Fn, Entry);
  Current = nullptr;
  Depth = 0;
  Emitting = false;
  bool Done = run(F, std::move(Entry));
  if (Done) {
    Current = &F;
    copiesAtExit(F.Exit);
    if (!RecordEvents)
      storesAtExit(Fn, F.Exit);
    Current = nullptr;
    if (RecordEvents)
      settleLoops(Fn);
  } else {
    EarlyUses.erase(EarlyUses.begin() + EarlyBefore, EarlyUses.end());
    Events.erase(Events.begin() + EventsBefore, Events.end());
    BlobEvents.erase(BlobEvents.begin() + BlobsBefore, BlobEvents.end());
  }
  reset();
  return Done;
}

void Engine::reset() {
  Arena.clear();
  Unknown = Arena.make(Value::Kind::Unknown);
  Graphs.clear();
  Releases.clear();
  SiteIds.clear();
  Sites.clear();
  IndexedBy.clear();
  Blobs.clear();
  WrapsTensors = false;
  Allocated.clear();
  BlobGone.clear();
  Copies.clear();
  OriginalOf.clear();
  StoredAt.clear();
  FirstWrites.clear();
  CopiesRead.clear();
  OriginalsUsed.clear();
  Log = std::make_unique<Journal>();
  Pinned.clear();
  PinnedVariables.clear();
  WrappedVariables.clear();
  TakenPending.clear();
  Unextended.clear();
}

void Engine::analyseInitializer(const FieldDecl *Field) {
  Expr *Init = Field->getInClassInitializer();
  FunctionGraph *G = graphOf(Field, Init);
  if (!G)
    return;
  Budget = MinBudget;
  CallDepth = MaxCallDepth;
  CreatedSites.clear();
  Frame F;
  F.Function = Field;
  F.Graph = G;
  F.This = reference(T.Locations.root({PathStep::This, nullptr, 0}));
  State Entry;
  Entry.Reachable = true;
  Current = nullptr;
  Depth = 0;
  if (run(F, std::move(Entry)) && F.Exit.Reachable) {
    Current = &F;
    Emitting = true;
    const Value *V = value(Init, F.Exit);
    store(T.Locations.child(F.This->Locations.front(),
                            {PathStep::Field, Field->getCanonicalDecl(), 0}),
          V ? V : unknown(), F.Exit, Init);
    Emitting = false;
    Current = nullptr;
  }
  reset();
}

/// `for (int i = 0; i < 3; ++i)`: the condition holds before the first turn.
static bool hasFirstTurn(const Stmt *Loop, ASTContext &Context) {
  const auto *For = dyn_cast_or_null<ForStmt>(Loop);
  const auto *Init = For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  const auto *Cond =
      For && For->getCond() ? dyn_cast<BinaryOperator>(For->getCond()->IgnoreImpCasts()) : nullptr;
  const auto *Var =
      Init && Init->isSingleDecl() ? dyn_cast<VarDecl>(Init->getSingleDecl()) : nullptr;
  if (!Cond || !Var || !Var->getInit() || !Var->getType()->isIntegerType())
    return false;
  const auto *Left = dyn_cast<DeclRefExpr>(Cond->getLHS()->IgnoreParenImpCasts());
  Expr::EvalResult First, Bound;
  if (!Left || Left->getDecl() != Var || Var->getInit()->isValueDependent() ||
      Cond->getRHS()->isValueDependent() || !Var->getInit()->EvaluateAsInt(First, Context) ||
      !Cond->getRHS()->EvaluateAsInt(Bound, Context))
    return false;
  const llvm::APSInt &A = First.Val.getInt(), &B = Bound.Val.getInt();
  const int Order = llvm::APSInt::compareValues(A, B);
  switch (Cond->getOpcode()) {
  case BO_LT:
    return Order < 0;
  case BO_LE:
    return Order <= 0;
  case BO_GT:
    return Order > 0;
  case BO_GE:
    return Order >= 0;
  case BO_NE:
    return Order != 0;
  default:
    return false;
  }
}

static const CFGBlock *onlySuccessor(const CFGBlock &B) {
  return B.succ_size() == 1 ? B.succ_begin()->getReachableBlock() : nullptr;
}

bool Engine::run(Frame &F, State Entry) {
  F.Caller = Current;
  Current = &F;
  const bool Emit = Depth == 0 || Emitting;
  const FunctionGraph &G = *F.Graph;
  std::vector<State> In(G.Graph->getNumBlockIDs());
  std::vector<unsigned> Visits(In.size(), 0);
  std::set<unsigned> Work;
  auto Enqueue = [&](const CFGBlock *To, State &&S) {
    State &Target = In[To->getBlockID()];
    if (Visits[To->getBlockID()] > 24)
      return; // Joins grow monotonically; this is only a guard against a surprise.
    const void *Point = Depth == 0 && G.Loops[To->getBlockID()].empty() ? To : nullptr;
    if (Target.join(S, T, Arena, Point))
      Work.insert(G.Position[To->getBlockID()]);
  };
  // What the turns of a loop leave at its condition.
  auto TurnEnds = [&](const CFGBlock *Header, const State &S) {
    if (hasFirstTurn(Header->getTerminatorStmt(), Context) &&
        F.Turned[Header].join(S, T, Arena, nullptr))
      Work.insert(G.Position[Header->getBlockID()]);
  };
  const CFGBlock &EntryBlock = G.Graph->getEntry();
  In[EntryBlock.getBlockID()] = std::move(Entry);
  Work.insert(G.Position[EntryBlock.getBlockID()]);

  Emitting = false;
  bool Done = true;
  for (;;) {
    // Loops of which no turn ends.
    if (Work.empty())
      for (const CFGBlock *Header : std::exchange(F.Waiting, {})) {
        F.HostElements.try_emplace(Header->getTerminatorStmt(), Frame::Elements::Unknown);
        Work.insert(G.Position[Header->getBlockID()]);
      }
    if (Work.empty() || !Done)
      break;
    const CFGBlock *B = G.Order[*Work.begin()];
    Work.erase(Work.begin());
    ++Visits[B->getBlockID()];
    State S = In[B->getBlockID()];
    transferBlock(F, *B, S);
    Done = Budget > 0;
    // A call of the block may throw before it has done or proven anything: the guard itself does.
    for (const CFGBlock *Handler : G.Handlers[B->getBlockID()])
      Enqueue(Handler, State(In[B->getBlockID()]));
    if (const CFGBlock *Header = B->getLoopTarget() && S.Reachable ? onlySuccessor(*B) : nullptr)
      TurnEnds(Header, S);
    propagate(F, *B, std::move(S), Enqueue);
  }
  if (Done && Emit) {
    Emitting = true;
    const size_t Outer = Log->Active.size();
    for (const CFGBlock *B : G.Order) {
      State S = In[B->getBlockID()];
      if (RecordEvents)
        enterLoops(F, *B, Outer);
      if (S.Reachable)
        transferBlock(F, *B, S);
      if (!Budget)
        Done = false;
    }
    Log->Active.resize(Outer);
  }
  F.Exit = std::move(In[G.Graph->getExit().getBlockID()]);
  if (Done && F.Exit.Reachable) {
    Emitting = Emit;
    localsGone(F.Function, F.Exit);
  }
  Emitting = Emit && Depth > 0;
  Current = F.Caller;
  return Done;
}

void Engine::transferBlock(Frame &F, const CFGBlock &B, State &S) {
  (void)F;
  for (const CFGElement &E : B) {
    if (!Budget)
      return;
    --Budget;
    transferElement(E, S);
    if (!S.Reachable)
      return;
  }
  if (B.hasNoReturnElement())
    S.Reachable = false;
}

void Engine::transferElement(const CFGElement &E, State &S) {
  switch (E.getKind()) {
  case CFGElement::Statement:
  case CFGElement::Constructor:
  case CFGElement::CXXRecordTypedCall: {
    const Stmt *St = E.castAs<CFGStmt>().getStmt();
    enterRoot(St, S);
    evaluate(St, S);
    break;
  }
  case CFGElement::Initializer: {
    const CXXCtorInitializer *Init = E.castAs<CFGInitializer>().getInitializer();
    const FieldDecl *Field = Init->getAnyMember();
    if (!Field || !Init->getInit())
      break;
    if (!Current->This || Current->This->Locations.size() != 1)
      break;
    LocationId L = T.Locations.child(Current->This->Locations.front(),
                                     {PathStep::Field, Field->getCanonicalDecl(), 0});
    const Value *V =
        Field->getType()->isReferenceType() ? raw(Init->getInit(), S) : value(Init->getInit(), S);
    store(L, V ? V : unknown(), S, Init->getInit());
    break;
  }
  case CFGElement::AutomaticObjectDtor:
    leaveScope(E.castAs<CFGAutomaticObjDtor>().getVarDecl(), S);
    break;
  default:
    break;
  }
}

void Engine::enterRoot(const Stmt *S, State &St) {
  auto It = Current->Graph->Roots.find(S);
  if (It == Current->Graph->Roots.end())
    return;
  if (St.Root == It->second)
    return;
  St.Root = It->second;
  // The operands of callers that are still being evaluated stay.
  if (Depth == 0) {
    St.Exprs.clear();
    return;
  }
  for (auto I = St.Exprs.begin(); I != St.Exprs.end();)
    I = Current->Graph->Roots.count(I->first) ? St.Exprs.erase(I) : std::next(I);
}

void Engine::propagate(Frame &F, const CFGBlock &B, State &&Out,
                       llvm::function_ref<void(const CFGBlock *, State &&)> To) {
  for (const CFGBlock *Handler : F.Graph->Handlers[B.getBlockID()])
    if (Out.Reachable)
      To(Handler, State(Out));
  if (!Out.Reachable)
    return;
  const Stmt *Term = B.getTerminatorStmt();
  if (const auto *Switch = dyn_cast_or_null<SwitchStmt>(Term)) {
    for (const CFGBlock *Succ : B.succs())
      if (Succ) {
        State S = Out;
        assumeCase(Switch, Succ, S);
        if (S.Reachable)
          To(Succ, std::move(S));
      }
    return;
  }
  const Expr *Cond = nullptr;
  if (Term && B.succ_size() == 2 && B.getTerminator().isStmtBranch() && !isa<CXXTryStmt>(Term))
    Cond = dyn_cast_or_null<Expr>(B.getTerminatorCondition());
  const Condition *C = nullptr;
  if (Cond && !isa<CXXForRangeStmt>(Term))
    C = condition(Cond, Out);
  if (Cond)
    GuardLoc = Cond->getExprLoc();
  bool Truth = true;
  for (const CFGBlock *Succ : B.succs()) {
    bool Branch = Truth;
    Truth = false;
    if (!Succ)
      continue;
    State S = Out;
    const Condition *Here = C;
    // The first turn happens: whoever leaves the loop has been through it.
    if (!Branch && hasFirstTurn(Term, Context)) {
      auto It = F.Turned.find(&B);
      if (It == F.Turned.end())
        continue;
      S = It->second;
      transferBlock(F, B, S);
      Here = C ? condition(Cond, S) : nullptr;
    }
    if (Here) {
      int Known = evaluate(Here, S);
      if (Known == (Branch ? 0 : 1))
        continue;
      assume(Here, Branch, S);
      if (!S.Reachable)
        continue;
    }
    if (C)
      copiedOtherwise(B, Branch, S);
    if (Cond && !S.Pending.empty())
      waitedBy(Cond, Branch, S);
    if (const Stmt *Loop = Succ->getLoopTarget())
      turnEnds(F, Loop, S);
    if (!Branch && !leavesLoop(F, B, S))
      continue;
    To(Succ, std::move(S));
  }
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

void Engine::leaveScope(const VarDecl *D, State &S) {
  LocationId L = T.Locations.variable(D);
  if (const Value *V = S.lookup(L))
    if (V->K == Value::Kind::GradScope)
      S.Mode = GradMode(V->Number);
  // A variable that is bound to an object of its own ends with the scope, a reference does not end
  // what it refers to.
  if (const Value *V = S.lookup(L); V && V->K == Value::Kind::Reference)
    return S.erase(L);
  if (const Value *V = S.lookup(L))
    released(V, OwnerGone::ScopeEnd, D->getLocation(), S);
  if (!Blobs.empty())
    memoryGone(L, OwnerGone::ScopeEnd, D->getLocation(), S);
  eraseTree(L, S);
}

bool Engine::isLocal(LocationId L, const Decl *Function) const {
  const auto *D = dyn_cast_or_null<VarDecl>(T.Locations.rootVariable(L));
  if (!D || !D->hasLocalStorage())
    return false;
  const auto *Owner = dyn_cast<Decl>(D->getDeclContext());
  return Owner && Owner->getCanonicalDecl() == Function->getCanonicalDecl();
}

void Engine::dropLocals(const Decl *Function, State &S) {
  std::vector<LocationId> Gone;
  for (const auto &[L, V] : S.environment())
    if (isLocal(L, Function))
      Gone.push_back(L);
  for (LocationId L : Gone)
    S.erase(L);
  // What was known about them speaks for the next call's locals no more.
  auto OfLocal = [&](const void *Key) {
    return Key && isLocal(LocationId(reinterpret_cast<uintptr_t>(Key)), Function);
  };
  for (auto It = S.Known.begin(); It != S.Known.end();)
    It = OfLocal(It->first) ? S.Known.erase(It) : std::next(It);
  std::function<bool(const Condition *)> Mentions = [&](const Condition *C) {
    return C &&
           ((C->Op == Condition::Opaque && OfLocal(C->Key)) || Mentions(C->L) || Mentions(C->R));
  };
  S.Assumed.erase(std::remove_if(S.Assumed.begin(), S.Assumed.end(), Mentions), S.Assumed.end());
}

void Engine::bindUnknownParameters(const FunctionDecl *Fn, State &S) {
  // Parameters get their values when they are first read; here only what must not stay from an
  // earlier call is dropped.
  for (const ParmVarDecl *P : Fn->parameters()) {
    eraseTree(T.Locations.variable(P), S);
    // A parameter that one path changes is what it was on the other.
    if (Types.isTensor(P->getType()))
      load(T.Locations.variable(P), P->getType(), S);
  }
}

} // namespace torch_tidy::flow
