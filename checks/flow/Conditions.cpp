//===--- Conditions.cpp - what guards prove --------------------------------===//
#include "EngineImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

bool copiesToHost(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (!Method || !Method->getIdentifier())
    return false;
  if (Method->getName() == "cpu")
    return true;
  if (Method->getName() != "to" || !Call->getNumArgs())
    return false;
  std::vector<const Stmt *> Work{Call->getArg(0)};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      return Ref->getDecl()->getIdentifier() &&
             (Ref->getDecl()->getName() == "kCPU" || Ref->getDecl()->getName() == "CPU");
    if (const auto *Text = dyn_cast<StringLiteral>(S))
      return Text->getCharByteWidth() == 1 && Text->getString() == "cpu";
    if (isa<CallExpr>(S))
      return false;
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return false;
}

/// The variable or member of device type that \p Condition asks, or null.
const Expr *Engine::deviceAsked(const Expr *Cond) const {
  std::vector<const Stmt *> Work{Cond};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (isa<DeclRefExpr>(S) || isa<MemberExpr>(S)) {
      const auto *E = cast<Expr>(S);
      const TypeKind Kind = Types.kind(E->getType());
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      const bool Constant = Ref && (!Var || Var->isConstexpr());
      if ((Kind == TypeKind::Device || Kind == TypeKind::DeviceType) && !Constant)
        return E;
    }
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return nullptr;
}

/// `if (!device.is_cpu()) t = t.cpu();`: the program says that `t` is where `device` is, so on the
/// other way \p St it is on the host, unless something else is known.
void Engine::copiedOtherwise(const CFGBlock &B, bool Branch, State &St) {
  const Stmt *Term = B.getTerminatorStmt();
  const Stmt *Otherwise = nullptr;
  const Expr *Cond = nullptr;
  if (const auto *If = dyn_cast_or_null<IfStmt>(Term)) {
    Otherwise = Branch ? If->getElse() : If->getThen();
    Cond = If->getCond();
  } else if (const auto *Choice = dyn_cast_or_null<ConditionalOperator>(Term)) {
    Otherwise = Branch ? Choice->getFalseExpr() : Choice->getTrueExpr();
    Cond = Choice->getCond();
  }
  const Expr *Asked = Otherwise && Cond ? deviceAsked(Cond) : nullptr;
  if (!Asked)
    return;
  const Value *Device = value(Asked, St);
  if (!Device || Device->K != Value::Kind::Device ||
      St.evaluate(T.Facts, Device->Fact) != Evidence::None)
    return;
  std::vector<const Stmt *> Work{Otherwise};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
    const auto *Copy = dyn_cast<CXXMemberCallExpr>(S);
    if (!Copy || !copiesToHost(Copy))
      continue;
    const Expr *Of = Copy->getImplicitObjectArgument();
    while (const auto *Call = dyn_cast<CXXMemberCallExpr>(strip(Of)))
      Of = Call->getImplicitObjectArgument();
    const auto *Ref = dyn_cast<DeclRefExpr>(strip(Of));
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const Value *V = Var ? load(reference(T.Locations.variable(Var)), Var->getType(), St) : nullptr;
    if (V && V->K == Value::Kind::Reference)
      V = load(V, Var->getType(), St);
    if (V && V->K == Value::Kind::Tensor &&
        St.evaluate(T.Facts, V->Tensor.Device) == Evidence::Possible)
      St.refine(V->Tensor.Device, Evidence::None);
  }
}

const Value *Engine::makeCondition(Condition C) {
  Value *V = Arena.make(Value::Kind::Condition);
  V->Cond = Arena.condition(C);
  return V;
}

const Condition *Engine::condition(const Value *V) {
  if (!V)
    return nullptr;
  if (V->K == Value::Kind::Condition)
    return V->Cond;
  if (V->K == Value::Kind::Integer) {
    Condition C;
    C.Op = V->Number ? Condition::True : Condition::False;
    return Arena.condition(C);
  }
  return nullptr;
}

const Condition *Engine::condition(const Expr *E, State &St, unsigned Nesting) {
  if (Nesting > 200)
    return nullptr;
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  if (!B || !B->isLogicalOp())
    return condition(value(E, St));
  const Condition *L = condition(B->getLHS(), St, Nesting + 1);
  const Condition *R = condition(B->getRHS(), St, Nesting + 1);
  if (!L && !R)
    return nullptr;
  Condition Any;
  Any.Op = Condition::Opaque;
  Condition C;
  C.Op = B->getOpcode() == BO_LAnd ? Condition::And : Condition::Or;
  C.L = L ? L : Arena.condition(Any);
  C.R = R ? R : Arena.condition(Any);
  return Arena.condition(C);
}

const Condition *Engine::settle(const Condition *C, const State &St) {
  Condition N = *C;
  switch (C->Op) {
  case Condition::Opaque: {
    int Known = evaluate(C, St);
    if (Known < 0)
      return C;
    N = Condition();
    N.Op = Known ? Condition::True : Condition::False;
    return Arena.condition(N);
  }
  case Condition::Not:
    N.L = settle(C->L, St);
    return N.L == C->L ? C : Arena.condition(N);
  case Condition::And:
  case Condition::Or:
    N.L = settle(C->L, St);
    N.R = settle(C->R, St);
    return N.L == C->L && N.R == C->R ? C : Arena.condition(N);
  default:
    return C;
  }
}

const Condition *Engine::negate(const Condition *C) {
  if (C->Op == Condition::Not)
    return C->L;
  Condition N;
  N.Op = Condition::Not;
  N.L = C;
  return Arena.condition(N);
}

int Engine::evaluate(const Condition *C, const State &St) const {
  switch (C->Op) {
  case Condition::True:
    return 1;
  case Condition::False:
    return 0;
  case Condition::Not: {
    int L = evaluate(C->L, St);
    return L < 0 ? -1 : !L;
  }
  case Condition::And:
  case Condition::Or: {
    const int Deciding = C->Op == Condition::Or;
    int L = evaluate(C->L, St);
    if (L == Deciding)
      return L;
    int R = evaluate(C->R, St);
    if (R == Deciding)
      return R;
    return L < 0 || R < 0 ? -1 : !Deciding;
  }
  case Condition::OnHost:
  case Condition::OnAccelerator:
  case Condition::NeedsGrad: {
    Evidence E = St.evaluate(T.Facts, C->Fact);
    if (E == Evidence::None)
      return C->Op == Condition::OnHost;
    if (E == Evidence::Proven)
      return C->Op != Condition::OnHost;
    return -1;
  }
  case Condition::HasType: {
    const ElementTypes Has = C->Of->Types & ~TypesFromTest;
    if (!(Has & ~C->Types))
      return 1;
    return Has & (C->Types | UnknownElementType) ? -1 : 0;
  }
  case Condition::IsContiguous:
  case Condition::HasSize:
    return -1;
  case Condition::Opaque: {
    auto It = St.Known.find(C->Key);
    return It == St.Known.end() ? -1 : It->second;
  }
  }
  return -1;
}

void Engine::assume(const Condition *C, bool Truth, State &St) {
  assumeOne(C, Truth, St);
  // A proof may decide what was assumed before: `!opt || opt->is_cpu()`, then `if (opt)`.
  for (bool Again = true; Again && St.Reachable;) {
    Again = false;
    for (const Condition *A : std::vector<const Condition *>(St.Assumed)) {
      const int L = evaluate(A->L, St), R = evaluate(A->R, St);
      const Condition *Left = L == 0 && R != 1 ? A->R : R == 0 && L != 1 ? A->L : nullptr;
      if (!Left)
        continue;
      // The assumption stays: where the branches meet again it still holds.
      const bool Undecided = evaluate(Left, St) < 0;
      assumeOne(Left, true, St);
      if (!Undecided || evaluate(Left, St) < 0)
        continue;
      Again = true;
      break;
    }
  }
}

void Engine::assumeOne(const Condition *C, bool Truth, State &St) {
  switch (C->Op) {
  case Condition::True:
  case Condition::False:
    if ((C->Op == Condition::True) != Truth)
      St.Reachable = false;
    return;
  case Condition::Not:
    return assumeOne(C->L, !Truth, St);
  case Condition::And:
  case Condition::Or: {
    // Both sides are as told by `a && b` being true and by `a || b` being false.
    if ((C->Op == Condition::And) == Truth) {
      assumeOne(C->L, Truth, St);
      if (St.Reachable)
        assumeOne(C->R, Truth, St);
      return;
    }
    const int Excluded = !Truth;
    if (evaluate(C->L, St) == Excluded)
      return assumeOne(C->R, Truth, St);
    if (evaluate(C->R, St) == Excluded)
      return assumeOne(C->L, Truth, St);
    State Other = St;
    assumeOne(C->L, Truth, St);
    assumeOne(C->R, Truth, Other);
    St.join(Other, T, Arena);
    if (St.Assumed.size() < 8) {
      Condition Either;
      Either.Op = Condition::Or;
      Either.L = Truth ? C->L : negate(C->L);
      Either.R = Truth ? C->R : negate(C->R);
      St.Assumed.push_back(Arena.condition(Either));
    }
    return;
  }
  case Condition::OnHost:
  case Condition::OnAccelerator:
  case Condition::NeedsGrad: {
    const bool No = (C->Op == Condition::OnHost) == Truth;
    int Known = evaluate(C, St);
    if (Known >= 0) {
      if (Known != Truth)
        St.Reachable = false;
      return;
    }
    St.refine(C->Fact, No ? Evidence::None : Evidence::Proven);
    if (!No)
      ProvenAt[C->Fact] = GuardLoc;
    return;
  }
  case Condition::HasType:
  case Condition::IsContiguous:
  case Condition::HasSize:
    if (!refineFacts(C, Truth, St))
      St.Reachable = false;
    return;
  case Condition::Opaque:
    if (!C->Key)
      return;
    if (auto It = St.Known.find(C->Key); It != St.Known.end() && It->second != Truth) {
      St.Reachable = false;
      return;
    }
    St.Known[C->Key] = Truth;
    return;
  }
}

void Engine::refineTensor(const TensorFacts &Of, bool SameStorage,
                          llvm::function_ref<void(TensorFacts &)> Change, State &St) {
  const Alternatives &Key = SameStorage ? Of.Storages : Of.Impls;
  if (Key.empty())
    return;
  auto IsIt = [&](const TensorFacts &X) { return (SameStorage ? X.Storages : X.Impls) == Key; };
  std::vector<std::pair<LocationId, const Value *>> Updates;
  for (const auto &[L, V] : St.environment()) {
    Value *Copy = nullptr;
    if (V->K == Value::Kind::Tensor && IsIt(V->Tensor)) {
      Copy = Arena.copy(*V);
      Change(Copy->Tensor);
    } else if (V->K == Value::Kind::ElementType && V->OfTensor && IsIt(V->Tensor)) {
      Copy = Arena.copy(*V);
      Change(Copy->Tensor);
      Copy->Types = Copy->Tensor.Types;
    }
    for (size_t I = 0; I < V->Origins.size(); ++I) {
      if (!IsIt(*V->Origins[I].Tensor))
        continue;
      if (!Copy)
        Copy = Arena.copy(*V);
      TensorFacts X = *V->Origins[I].Tensor;
      Change(X);
      Copy->Origins[I].Tensor = Arena.tensor(std::move(X));
    }
    if (Copy)
      Updates.emplace_back(L, Copy);
  }
  for (auto &[L, V] : Updates)
    St.set(L, V);
}

/// What a test of the element type, the layout or a size tells. False where it cannot come out so.
bool Engine::refineFacts(const Condition *C, bool Truth, State &St) {
  switch (C->Op) {
  case Condition::HasType: {
    if (int Known = evaluate(C, St); Known >= 0)
      return Known == Truth;
    auto Change = [&](TensorFacts &X) {
      if (!Truth)
        X.Types &= ~C->Types;
      else
        X.Types = X.Types & UnknownElementType ? C->Types | TypesFromTest
                                               : X.Types & (C->Types | TypesFromTest);
    };
    refineTensor(*C->Of, true, Change, St);
    return true;
  }
  case Condition::IsContiguous:
    refineTensor(
        *C->Of, false,
        [&](TensorFacts &X) {
          if (Truth)
            X.Order = LayoutContiguous;
          else if (X.Order != LayoutContiguous)
            X.Order &= ~LayoutContiguous;
        },
        St);
    return true;
  case Condition::HasSize:
    if (!Truth)
      return true;
    refineTensor(
        *C->Of, false,
        [&](TensorFacts &X) {
          if (C->Dim == Condition::AllElements) {
            X.OneElement |= C->Size == 1;
            return;
          }
          if (C->Dim == Condition::Rank) {
            if (!X.Sizes && C->Size >= 0 && C->Size < 10)
              X.Sizes = std::make_shared<const std::vector<int64_t>>(size_t(C->Size), int64_t(-1));
            return;
          }
          std::vector<int64_t> Sizes;
          if (X.Sizes)
            Sizes = *X.Sizes;
          int64_t Dim = C->Dim < 0 ? C->Dim + int64_t(Sizes.size()) : C->Dim;
          if (Dim < 0 || Dim >= int64_t(Sizes.size()) || Sizes[size_t(Dim)] == C->Size)
            return;
          Sizes[size_t(Dim)] = C->Size;
          X.Sizes = std::make_shared<const std::vector<int64_t>>(std::move(Sizes));
        },
        St);
    return true;
  default:
    return true;
  }
}

const Value *Engine::compare(BinaryOperatorKind Op, const Expr *L, const Expr *R, State &St) {
  const Value *A = value(L, St), *B = value(R, St);
  if (!A || !B)
    return nullptr;
  // `t.scalar_type() == torch::kFloat`, `t.size(1) == 3`
  if (B->OfTensor || B->K == Value::Kind::Extent)
    std::swap(A, B);
  if ((A->K == Value::Kind::ElementType && B->K == Value::Kind::ElementType) ||
      (A->K == Value::Kind::Extent && B->K == Value::Kind::Integer)) {
    if (Op != BO_EQ && Op != BO_NE)
      return nullptr;
    Condition Is;
    if (A->K == Value::Kind::Extent) {
      Is.Op = Condition::HasSize;
      Is.Of = Arena.tensor(A->Tensor);
      Is.Dim = A->Number;
      Is.Size = B->Number;
    } else {
      // Two tensors: what is known of one of them holds for the other.
      const auto IsOne = [](ElementTypes X) {
        X &= ~TypesFromTest;
        return X && !(X & (X - 1)) && X != UnknownElementType;
      };
      if (!IsOne(B->Types) && B->OfTensor && IsOne(A->Types))
        std::swap(A, B);
      if (!IsOne(B->Types))
        return nullptr;
      TensorFacts Of = A->Tensor;
      Of.Types = A->Types;
      if (!A->OfTensor)
        Of.Storages.clear();
      Is.Op = Condition::HasType;
      Is.Of = Arena.tensor(std::move(Of));
      Is.Types = B->Types & ~TypesFromTest;
    }
    const Value *Test = makeCondition(Is);
    if (Op == BO_EQ)
      return Test;
    Value *N = Arena.make(Value::Kind::Condition);
    N->Cond = negate(Test->Cond);
    return N;
  }
  if (B->K == Value::Kind::Device && A->K != Value::Kind::Device) {
    std::swap(A, B);
    Op = BinaryOperator::reverseComparisonOp(Op);
  }
  Condition C;
  if (A->K == Value::Kind::Device && B->K == Value::Kind::Device) {
    if (Op != BO_EQ && Op != BO_NE)
      return nullptr;
    Evidence EA = St.evaluate(T.Facts, A->Fact), EB = St.evaluate(T.Facts, B->Fact);
    // Compare with what is known: `t.device() == torch::kCPU`, `b.device() == a.device()`.
    if (EB != Evidence::None && EB != Evidence::Proven) {
      std::swap(A, B);
      std::swap(EA, EB);
    }
    if (EB == Evidence::None)
      C.Op = Condition::OnHost;
    else if (EB == Evidence::Proven)
      C.Op = Condition::OnAccelerator;
    else
      return nullptr;
    C.Fact = A->Fact;
  } else if (A->K == Value::Kind::Device && B->K == Value::Kind::Integer) {
    // get_device() is -1 for host tensors.
    C.Fact = A->Fact;
    const bool Negative = B->Number < 0;
    if (Op == BO_EQ || Op == BO_NE) {
      C.Op = Negative ? Condition::OnHost : Condition::OnAccelerator;
    } else if (Op == BO_LT || Op == BO_LE) {
      C.Op = Condition::OnHost;
      Op = BO_EQ;
    } else if (Op == BO_GE || Op == BO_GT) {
      C.Op = Condition::OnAccelerator;
      Op = BO_EQ;
    } else {
      return nullptr;
    }
  } else if (A->K == Value::Kind::Condition && B->K == Value::Kind::Condition) {
    // `a.is_cuda() == b.is_cuda()`: both or neither.
    if (Op != BO_EQ && Op != BO_NE)
      return nullptr;
    Condition Both, Neither, Same;
    Both.Op = Neither.Op = Condition::And;
    Both.L = A->Cond;
    Both.R = B->Cond;
    Neither.L = negate(A->Cond);
    Neither.R = negate(B->Cond);
    Same.Op = Condition::Or;
    Same.L = Arena.condition(Both);
    Same.R = Arena.condition(Neither);
    Value *V = Arena.make(Value::Kind::Condition);
    V->Cond = Arena.condition(Same);
    if (Op == BO_NE)
      V->Cond = negate(V->Cond);
    return V;
  } else if ((A->K == Value::Kind::Condition && B->K == Value::Kind::Integer) ||
             (B->K == Value::Kind::Condition && A->K == Value::Kind::Integer)) {
    if (Op != BO_EQ && Op != BO_NE)
      return nullptr;
    if (B->K == Value::Kind::Condition)
      std::swap(A, B);
    const bool Same = (B->Number != 0) == (Op == BO_EQ);
    Value *V = Arena.make(Value::Kind::Condition);
    V->Cond = Same ? A->Cond : negate(A->Cond);
    return V;
  } else {
    return nullptr;
  }
  const Value *V = makeCondition(C);
  if (Op == BO_EQ)
    return V;
  Value *N = Arena.make(Value::Kind::Condition);
  N->Cond = negate(V->Cond);
  return N;
}

void Engine::assumeTypeCase(const SwitchStmt *Switch, const CFGBlock *Target, const Value *V,
                            State &St) {
  auto TypeOf = [&](const SwitchCase *Case) -> ElementTypes {
    const auto *C = dyn_cast<CaseStmt>(Case);
    const auto N = C ? integerOf(C->getLHS()) : decltype(integerOf(nullptr))();
    return N && *N >= 0 && *N < 62 ? elementType(int(*N)) : 0;
  };
  TensorFacts Of = V->Tensor;
  Of.Types = V->Types;
  if (!V->OfTensor)
    Of.Storages.clear();
  Condition C;
  C.Op = Condition::HasType;
  C.Of = Arena.tensor(std::move(Of));
  const auto *Label = dyn_cast_or_null<SwitchCase>(Target->getLabel());
  const bool Named = Label && isa<CaseStmt>(Label);
  if (Named) {
    for (const Stmt *At = Label; const auto *Case = dyn_cast_or_null<CaseStmt>(At);
         At = Case->getSubStmt()) {
      C.Types |= TypeOf(Case);
      if (isa_and_nonnull<DefaultStmt>(Case->getSubStmt()))
        return;
    }
  } else {
    for (const SwitchCase *Case = Switch->getSwitchCaseList(); Case;
         Case = Case->getNextSwitchCase())
      C.Types |= TypeOf(Case);
  }
  if (C.Types)
    assume(Arena.condition(C), Named, St);
}

void Engine::assumeCase(const SwitchStmt *Switch, const CFGBlock *Target, State &St) {
  const Value *V = value(Switch->getCond(), St);
  if (V && V->K == Value::Kind::ElementType)
    return assumeTypeCase(Switch, Target, V, St);
  if (!V || V->K != Value::Kind::Device)
    return;
  auto LabelValue = [&](const SwitchCase *Case) -> int64_t {
    const auto *C = dyn_cast<CaseStmt>(Case);
    return C ? integerOf(C->getLHS()).value_or(-1) : -1;
  };
  Condition C;
  C.Fact = V->Fact;
  const auto *Label = dyn_cast_or_null<SwitchCase>(Target->getLabel());
  if (Label && isa<CaseStmt>(Label)) {
    // Several labels of one block: only what they agree on.
    bool Host = false, Other = false;
    for (const Stmt *At = Label; const auto *Case = dyn_cast_or_null<CaseStmt>(At);
         At = Case->getSubStmt())
      (LabelValue(Case) == 0 ? Host : Other) = true;
    if (Host == Other)
      return;
    C.Op = Host ? Condition::OnHost : Condition::OnAccelerator;
  } else {
    bool Host = false, Other = false;
    for (const SwitchCase *Case = Switch->getSwitchCaseList(); Case;
         Case = Case->getNextSwitchCase())
      if (isa<CaseStmt>(Case))
        (LabelValue(Case) == 0 ? Host : Other) = true;
    if (Host == Other)
      return;
    C.Op = Host ? Condition::OnAccelerator : Condition::OnHost;
  }
  int Known = evaluate(Arena.condition(C), St);
  if (Known == 0)
    St.Reachable = false;
  else
    assume(Arena.condition(C), true, St);
}

} // namespace torch_tidy::flow
