//===--- AsyncCopies.cpp - copies that are not waited for --------------------===//
//
// A non-blocking copy returns before it is done. The state holds the copies that are under way, by
// the storage on the host; any wait ends them all, whichever stream it names: telling streams apart
// would need to know on which one each copy runs.
//
//===----------------------------------------------------------------------===//
#include "../model/Sinks.h"
#include "../model/Synchronisation.h"
#include "../support/Compat.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy::flow {

bool Engine::nonBlocking(const FunctionDecl *Fn, llvm::ArrayRef<const Expr *> Args, State &St) {
  for (unsigned I = 0; I < Args.size() && I < Fn->getNumParams(); ++I) {
    StringRef Param = Fn->getParamDecl(I)->getName();
    if (Param != "non_blocking" && Param != "async")
      continue;
    const Value *V = value(Args[I], St);
    return V && V->K == Value::Kind::Integer && V->Number;
  }
  return false;
}

void Engine::startsCopy(const Expr *Call, const FunctionDecl *Fn, llvm::ArrayRef<const Expr *> Args,
                        const TensorFacts &From, const TensorFacts &To, State &St) {
  const Evidence Source = St.evaluate(T.Facts, From.Device),
                 Target = St.evaluate(T.Facts, To.Device);
  if (!nonBlocking(Fn, Args, St)) {
    // A blocking copy to the host waits for the device, and so for all copies before it.
    if (Target == Evidence::None && Source >= Evidence::Likely)
      St.Pending.clear();
    return;
  }
  PendingCopy Copy;
  Copy.Call = Call;
  if (Source != Evidence::None && Target < Evidence::Likely) {
    // Nobody writes `non_blocking` for a tensor that is on the host already.
    Copy.Level = Target == Evidence::None ? maxEvidence(Source, Evidence::Likely) : Target;
    Copy.From = St.strongest(T.Facts, From.Device);
    for (const Alternative &A : To.Storages)
      if (!holds(From.Storages, A.Object))
        St.Pending[{false, A.Object}] = Copy;
  } else if (Source == Evidence::None && Target != Evidence::None) {
    Copy.Level = Target;
    Copy.From = St.strongest(T.Facts, To.Device);
    // Pageable memory is staged before the call returns.
    for (const Alternative &A : From.Storages)
      if (Pinned.count(A.Object) || Pinned.count(Log->newest(A.Object)))
        St.Pending[{true, A.Object}] = Copy;
  }
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

void Engine::mayWait(const FunctionDecl *Fn, State &St) {
  if (!Fn->getDeclName().isIdentifier())
    return;
  if (model::waitsForDevice(Fn->getName())) {
    // The body of a function of this file tells whether it does.
    if (!(Fn->hasBody() && Scope.isUserCode(Fn)))
      St.Pending.clear();
    return;
  }
  if (!Scope.isUserCode(Fn) || Fn->hasBody() || !model::saysItWaits(Fn->getName()))
    return;
  // `stream.wait(event)` holds back the stream, not the host.
  const std::string Name = model::qualifiedName(Fn);
  for (StringRef Space : {"at::", "c10::", "torch::", "cuda"})
    if (support::startsWith(Name, Space))
      return;
  St.Pending.clear();
}

void Engine::waitedBy(const Expr *Condition, bool Truth, State &St) {
  for (unsigned I = 0; I < 40; ++I) {
    Condition = strip(Condition);
    if (const auto *C = dyn_cast<ExplicitCastExpr>(Condition)) {
      Condition = C->getSubExpr();
    } else if (const auto *U = dyn_cast<UnaryOperator>(Condition); U && U->getOpcode() == UO_LNot) {
      Condition = U->getSubExpr();
      Truth = !Truth;
    } else {
      break;
    }
  }
  auto Asks = [](const Expr *E) {
    const auto *C = dyn_cast<CallExpr>(strip(E));
    const FunctionDecl *Fn = C ? C->getDirectCallee() : nullptr;
    return Fn && Fn->getIdentifier() ? model::asksForCompletion(Fn->getName()) : model::Query::None;
  };
  if (const auto *B = dyn_cast<BinaryOperator>(Condition)) {
    if ((B->getOpcode() == BO_LAnd && Truth) || (B->getOpcode() == BO_LOr && !Truth)) {
      waitedBy(B->getLHS(), Truth, St);
      waitedBy(B->getRHS(), Truth, St);
    } else if (B->isEqualityOp()) {
      const bool Left = Asks(B->getLHS()) != model::Query::None;
      const model::Query Q = Asks(Left ? B->getLHS() : B->getRHS());
      const auto N = integerOf(Left ? B->getRHS() : B->getLHS());
      if (Q == model::Query::None || !N)
        return;
      // `== cudaSuccess`, `!= cudaErrorNotReady`, `== true`
      const bool SaysDone = (Q == model::Query::Zero) == (*N == 0);
      if ((B->getOpcode() == BO_EQ) == SaysDone ? Truth : !Truth)
        St.Pending.clear();
    }
    return;
  }
  const model::Query Q = Asks(Condition);
  if ((Q == model::Query::True && Truth) || (Q == model::Query::Zero && !Truth))
    St.Pending.clear();
}

//===----------------------------------------------------------------------===//
// Uses before the wait
//===----------------------------------------------------------------------===//

EarlyUse Engine::during(const PendingCopy &Copy, EarlyUse::Kind Op, const Expr *At) const {
  EarlyUse U;
  U.Op = Op;
  U.At = U.Use = At;
  U.Copy = Copy.Call;
  U.Device = Copy.Level;
  U.DeviceFrom = T.Facts[Copy.From];
  return U;
}

void Engine::earlyUse(const TensorFacts &X, EarlyUse::Kind Op, const Expr *At, const Expr *Tensor,
                      State &St) {
  if (!logging() || St.Pending.empty())
    return;
  for (const Alternative &A : X.Storages) {
    auto It = St.Pending.find({Op != EarlyUse::Read, A.Object});
    if (It == St.Pending.end())
      continue;
    EarlyUse U = during(It->second, Op, At);
    U.Tensor = Tensor ? baseTensor(Tensor) : nullptr;
    U.Root = Current->Graph->Roots.lookup(At);
    EarlyUses.push_back(std::move(U));
    return;
  }
}

void Engine::earlyUse(const PointerOrigin &O, UseKind Kind, const Expr *At, State &St) {
  const bool Reads = Kind == UseKind::Read || Kind == UseKind::Write || Kind == UseKind::Blob ||
                     (Kind == UseKind::Escape && O.Kind == ViewKind::Object);
  if (O.Kind == ViewKind::Shape)
    return;
  for (bool Source : {false, true}) {
    if (Source ? Kind != UseKind::Write : !Reads)
      continue;
    for (const Alternative &A : O.Tensor->Storages) {
      auto It = St.Pending.find({Source, A.Object});
      if (It == St.Pending.end())
        continue;
      EarlyUse U = during(It->second, Source ? EarlyUse::Write : EarlyUse::Read, At);
      const AccessSite &Site = Sites[O.Site];
      // A pointer from before the copy was right when it was taken.
      if (TakenPending.count({O.Site, It->second.Call}))
        U.At = Site.Call;
      U.Tensor = baseTensor(Site.Receiver);
      U.Root = U.At == Site.Call ? Site.Root : Current->Graph->Roots.lookup(At);
      U.Access = Site.Call;
      EarlyUses.push_back(std::move(U));
      break;
    }
  }
}

/// Operators that read their operands on the host.
void Engine::earlyOperands(const Operands &B, State &St) {
  if (!logging() || St.Pending.empty() || !B.Op)
    return;
  // Views, factories that only take the sizes, and what mostly returns the tensor itself.
  if (B.Op->findArg("options") >= 0)
    return;
  for (const model::OutputInfo &Out : B.Op->outputs())
    if (Out.Storage == model::StorageRule::View || Out.Storage == model::StorageRule::MaybeSame)
      return;
  for (size_t N = 0; N < B.TensorsOf.size(); ++N) {
    const Expr *E = B.ByNumber[N];
    if (!E)
      if (const auto *M = dyn_cast<CXXMemberCallExpr>(B.Call))
        E = M->getImplicitObjectArgument();
    for (const TensorFacts *X : B.TensorsOf[N])
      earlyUse(*X, EarlyUse::Read, B.Call, E, St);
  }
}

//===----------------------------------------------------------------------===//
// Page-locked memory of the program
//===----------------------------------------------------------------------===//

/// The variable whose memory \p E points to: `p`, `&p[4]`, `(char *)p + n`, `v.data()`.
static const VarDecl *memoryVariable(const Expr *E) {
  for (unsigned I = 0; I < 40 && E; ++I) {
    E = strip(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(Ref->getDecl());
    if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
      E = C->getSubExpr();
    else if (const auto *U = dyn_cast<UnaryOperator>(E))
      E = U->getSubExpr();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp())
      E = B->getLHS();
    else if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
      E = M->getImplicitObjectArgument();
    else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E))
      E = O->getArg(0);
    else
      return nullptr;
  }
  return nullptr;
}

void Engine::rawWrite(const Expr *Place, const Expr *At, EarlyUse::Kind Op, State &St) {
  if (!logging() || WrappedVariables.empty())
    return;
  Place = strip(Place);
  // The pointer itself may get another value.
  if (Op == EarlyUse::Write && isa<DeclRefExpr>(Place) && isa<BinaryOperator>(At))
    return;
  const VarDecl *V = memoryVariable(Place);
  for (const auto &[What, Copy] : St.Pending) {
    auto It = WrappedVariables.find(Log->newest(What.second));
    if (!V || !What.first || It == WrappedVariables.end() || It->second != V)
      continue;
    EarlyUse U = during(Copy, Op, At);
    U.Tensor = Place;
    EarlyUses.push_back(std::move(U));
    return;
  }
}

void Engine::pinnedMemory(const FunctionDecl *Fn, const Expr *Call,
                          llvm::ArrayRef<const Expr *> Args, State &St) {
  if (!Fn->getDeclName().isIdentifier() || Args.empty())
    return;
  const StringRef Name = Fn->getName();
  if (Name == "from_blob") {
    const VarDecl *V = memoryVariable(Args[0]);
    if (!V || !PinnedVariables.count(V))
      return;
    const ObjectId O = T.Objects.get(Call, 0, Call->getExprLoc(), false);
    Pinned.insert(O);
    WrappedVariables[O] = V;
    return;
  }
  switch (model::hostMemoryFunction(Name)) {
  case model::HostMemory::Allocates:
  case model::HostMemory::Pins:
    if (const VarDecl *V = memoryVariable(Args[0]))
      PinnedVariables.insert(V);
    return;
  case model::HostMemory::Frees:
    rawWrite(Args[0], Call, EarlyUse::Free, St);
    return;
  case model::HostMemory::None:
    break;
  }
  if (St.Pending.empty() || WrappedVariables.empty())
    return;
  const model::Sink S = model::findSink(model::qualifiedName(Fn));
  if (S.Kind != model::SinkKind::Host && S.Kind != model::SinkKind::Algorithm)
    return;
  for (unsigned I = 0; I < Args.size() && I < 32; ++I)
    if (S.Writes >> I & 1)
      rawWrite(Args[I], Call, EarlyUse::Write, St);
}

} // namespace torch_tidy::flow
