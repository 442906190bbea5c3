//===--- Expressions.cpp - one expression from its operands ----------------===//
#include "../support/Compat.h"
#include "EngineImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

/// The operand of a node that only passes it on, or null.
static const Expr *passedOn(const Expr *E) {
  if (const auto *P = dyn_cast<ParenExpr>(E))
    return P->getSubExpr();
  if (const auto *F = dyn_cast<FullExpr>(E))
    return F->getSubExpr();
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return M->getSubExpr();
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return B->getSubExpr();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return S->getReplacement();
  if (const auto *I = dyn_cast<CXXStdInitializerListExpr>(E))
    return I->getSubExpr();
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr();
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return D->getExpr();
  return nullptr;
}

const Expr *strip(const Expr *E) {
  for (;;) {
    if (const Expr *Inner = passedOn(E)) {
      E = Inner;
      continue;
    }
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
      E = C->getSubExpr();
      continue;
    }
    return E;
  }
}

const Value *Engine::raw(const Expr *E, State &St) {
  while (E) {
    auto It = St.Exprs.find(E);
    if (It != St.Exprs.end())
      return It->second;
    const Expr *Inner = passedOn(E);
    if (!Inner)
      break;
    E = Inner;
  }
  if (!E)
    return nullptr;
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return constant(D->getExpr());
  return nullptr;
}

const Value *Engine::value(const Expr *E, State &St) {
  const Value *V = raw(E, St);
  if (V && V->K == Value::Kind::Reference && E->isGLValue())
    return load(V, E->getType(), St);
  return V;
}

std::optional<int64_t> Engine::integerOf(const Expr *E) const {
  Expr::EvalResult R;
  if (!E || E->isValueDependent() || E->isTypeDependent() ||
      !E->getType()->isIntegralOrEnumerationType() || !E->EvaluateAsInt(R, Context))
    return std::nullopt;
  const llvm::APSInt &N = R.Val.getInt();
  if (N.isUnsigned() ? N.getActiveBits() > 63 : N.getBitWidth() > 64)
    return std::nullopt;
  return N.isUnsigned() ? int64_t(N.getZExtValue()) : N.getSExtValue();
}

const Value *Engine::constant(const Expr *E) {
  if (!E || E->isValueDependent() || E->isTypeDependent())
    return nullptr;
  const Expr *Core = strip(E);
  if (const auto *S = dyn_cast<StringLiteral>(Core)) {
    if (S->getCharByteWidth() != 1)
      return nullptr;
    StringRef Text = S->getString();
    Value *V = Arena.make(Value::Kind::Device);
    if (Text == "cpu")
      return V;
    for (StringRef Prefix : {"cuda", "xpu", "mps", "hip", "hpu", "privateuseone", "npu"}) {
      if (Text != Prefix && !support::startsWith(Text, (Prefix + ":").str()))
        continue;
      V->Fact = T.Facts.fact(T.Facts.symbol(Core, 0, Evidence::Proven, Core->getExprLoc(),
                                            "the accelerator is chosen here"));
      return V;
    }
    return nullptr;
  }
  TypeKind Kind = Types.kind(E->getType());
  if (Kind != TypeKind::DeviceType && Kind != TypeKind::ElementType &&
      !E->getType()->isIntegralOrEnumerationType())
    return nullptr;
  auto N = integerOf(E);
  if (!N)
    return nullptr;
  if (Kind == TypeKind::DeviceType) {
    Value *V = Arena.make(Value::Kind::Device);
    if (*N != 0)
      V->Fact = T.Facts.fact(T.Facts.symbol(Core, 0, Evidence::Proven, E->getExprLoc(),
                                            "the accelerator is chosen here"));
    return V;
  }
  if (Kind == TypeKind::ElementType) {
    Value *V = Arena.make(Value::Kind::ElementType);
    V->Types = *N >= 0 && *N < 63 ? ElementTypes(1) << *N : UnknownElementType;
    return V;
  }
  Value *V = Arena.make(Value::Kind::Integer);
  V->Number = *N;
  return V;
}

void Engine::evaluate(const Stmt *S, State &St) {
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (const Value *V = expression(E, St))
      St.Exprs[E] = V;
    else
      St.Exprs.erase(E);
    return;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Each : D->decls())
      if (const auto *Var = dyn_cast<VarDecl>(Each))
        declare(Var, St);
    return;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S))
    returnStmt(R, St);
}

const Value *Engine::expression(const Expr *E, State &St) {
  if (const Expr *Inner = passedOn(E))
    return raw(Inner, St);
  switch (E->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::StringLiteralClass:
    return constant(E);
  case Stmt::DeclRefExprClass:
    return declRef(cast<DeclRefExpr>(E), St);
  case Stmt::MemberExprClass:
    return member(cast<MemberExpr>(E), St);
  case Stmt::UnaryOperatorClass:
    return unary(cast<UnaryOperator>(E), St);
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(cast<BinaryOperator>(E), St);
  case Stmt::ArraySubscriptExprClass: {
    const auto *A = cast<ArraySubscriptExpr>(E);
    return subscript(A, A->getBase(), A->getIdx(), St);
  }
  case Stmt::ConditionalOperatorClass: {
    const auto *C = cast<ConditionalOperator>(E);
    const Value *A = E->isGLValue() ? raw(C->getTrueExpr(), St) : value(C->getTrueExpr(), St);
    const Value *B = E->isGLValue() ? raw(C->getFalseExpr(), St) : value(C->getFalseExpr(), St);
    if (!A || !B) {
      // A `throw` gives no value; anything else that is not known makes the whole unknown.
      if (isa<CXXThrowExpr>(strip(C->getTrueExpr())))
        return B;
      return isa<CXXThrowExpr>(strip(C->getFalseExpr())) ? A : nullptr;
    }
    return chosen(C, A, B, St);
  }
  case Stmt::CXXThisExprClass:
    return Current->This;
  case Stmt::InitListExprClass:
    return initList(cast<InitListExpr>(E), St);
  case Stmt::LambdaExprClass:
    return lambda(cast<LambdaExpr>(E), St);
  case Stmt::CXXNewExprClass: {
    const auto *N = cast<CXXNewExpr>(E);
    LocationId L = T.Locations.root({PathStep::Temporary, E, 0});
    eraseTree(L, St);
    if (N->getAllocatedType()->isArithmeticType())
      Allocated.insert(L);
    if (N->getInitializer())
      if (const Value *V = value(N->getInitializer(), St))
        store(L, V, St, E);
    return reference(L);
  }
  case Stmt::CXXDeleteExprClass:
    memoryGone(value(cast<CXXDeleteExpr>(E)->getArgument(), St), OwnerGone::Reset, E->getExprLoc(),
               St);
    return nullptr;
  case Stmt::CXXThrowExprClass:
    St.Reachable = false;
    return nullptr;
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return construct(cast<CXXConstructExpr>(E), St);
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::CUDAKernelCallExprClass:
  case Stmt::UserDefinedLiteralClass: {
    const auto *C = cast<CallExpr>(E);
    const Value *V = call(C, St);
    contentUses(C, V, St);
    return V;
  }
  default:
    break;
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return conversionExpr(C, St);
  return nullptr;
}

const Value *Engine::declRef(const DeclRefExpr *E, State &St) {
  const ValueDecl *D = E->getDecl();
  if (isa<EnumConstantDecl>(D))
    return constant(E);
  if (const auto *B = dyn_cast<BindingDecl>(D)) {
    const auto *Whole = dyn_cast_or_null<VarDecl>(B->getDecomposedDecl());
    if (!Whole)
      return nullptr;
    LocationId L = T.Locations.variable(Whole);
    llvm::SmallVector<LocationId, 1> Bases{L};
    if (const Value *V = St.lookup(L); V && V->K == Value::Kind::Reference)
      Bases.assign(V->Locations.begin(), V->Locations.end());
    PathStep Step{PathStep::Index, nullptr, 0};
    const Expr *Binding = B->getBinding();
    if (const auto *M = dyn_cast_or_null<MemberExpr>(Binding ? strip(Binding) : nullptr)) {
      Step = {PathStep::Field, M->getMemberDecl()->getCanonicalDecl(), 0};
    } else {
      const auto *Decomposed = cast<DecompositionDecl>(Whole);
      for (const BindingDecl *Each : Decomposed->bindings()) {
        if (Each == B)
          break;
        ++Step.Number;
      }
    }
    Value *V = Arena.make(Value::Kind::Reference);
    for (LocationId Base : Bases)
      V->Locations.push_back(T.Locations.child(Base, Step));
    return V;
  }
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!Var)
    return nullptr;
  TypeKind Kind = Types.kind(Var->getType());
  if ((Kind == TypeKind::DeviceType || Kind == TypeKind::ElementType ||
       Var->getType()->isIntegralOrEnumerationType()) &&
      (Var->isConstexpr() || Var->getType().isConstQualified()))
    if (const Value *V = constant(E))
      return V;
  LocationId L = T.Locations.variable(Var);
  if (Var->getType()->isReferenceType())
    if (const Value *V = St.lookup(L);
        V && (V->K == Value::Kind::Reference || V->K == Value::Kind::DataLvalue))
      return V;
  return reference(L);
}

const Value *Engine::member(const MemberExpr *E, State &St) {
  if (isa<CXXMethodDecl>(E->getMemberDecl()))
    return nullptr;
  if (const auto *Var = dyn_cast<VarDecl>(E->getMemberDecl())) {
    if (const Value *V = constant(E))
      return V;
    return reference(T.Locations.variable(Var));
  }
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!Field)
    return nullptr;
  PathStep Step{PathStep::Field, Field->getCanonicalDecl(), 0};
  if (Types.kind(Field->getParent()) == TypeKind::Tuple && Field->getIdentifier())
    Step = {PathStep::Index, nullptr, Field->getName() == "second"};
  const Value *Base = E->isArrow() ? value(E->getBase(), St) : raw(E->getBase(), St);
  if (Base && Base->K == Value::Kind::Reference) {
    Value *V = Arena.make(Value::Kind::Reference);
    for (LocationId L : Base->Locations) {
      // The parts of an element and of what a module holds are found below it.
      const Value *Outer = St.lookup(L);
      if (!Outer)
        if (const Expr *B = E->getBase())
          load(L, E->isArrow() ? B->getType()->getPointeeType() : B->getType(), St);
      V->Locations.push_back(T.Locations.child(L, Step));
    }
    llvm::sort(V->Locations);
    if (Field->getType()->isReferenceType() && V->Locations.size() == 1)
      if (const Value *To = St.lookup(V->Locations.front()); To && To->K == Value::Kind::Reference)
        return To;
    return V;
  }
  if (Base && Base->K == Value::Kind::Aggregate)
    for (const auto &[Part, V] : Base->Parts)
      if (Part == Step)
        return V;
  if (Base && (Base->K == Value::Kind::Pointer || Base->K == Value::Kind::DataLvalue)) {
    Value *V = Arena.copy(*Base);
    V->K = Value::Kind::DataLvalue;
    V->Number = 0;
    return V;
  }
  return opaqueResult(E, E->getType(), Field->getNameAsString(), St);
}

const Value *Engine::conversionExpr(const CastExpr *E, State &St) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue: {
    const Value *V = raw(Sub, St);
    if (V && V->K == Value::Kind::DataLvalue) {
      use(V, UseKind::Read, E, St, V->Number == 1);
      return nullptr;
    }
    return load(V, Sub->getType(), St);
  }
  case CK_NullToPointer: {
    Value *V = Arena.make(Value::Kind::Integer);
    return V;
  }
  case CK_BitCast:
  case CK_ReinterpretMemberPointer:
  case CK_AddressSpaceConversion: {
    const Value *V = raw(Sub, St);
    taken(V, E, St);
    if (!V || V->K != Value::Kind::Pointer || !V->CastFrom.isNull())
      return V;
    Value *Cast = Arena.copy(*V);
    Cast->CastFrom = Sub->getType();
    return Cast;
  }
  case CK_ArrayToPointerDecay: {
    const Value *V = raw(Sub, St);
    if (V && V->K == Value::Kind::DataLvalue)
      return addressOf(V);
    return V ? V : constant(Sub);
  }
  case CK_PointerToBoolean: {
    const Value *V = value(Sub, St);
    if (!V || V->K != Value::Kind::Reference || V->Locations.size() != 1)
      return nullptr;
    Condition C;
    C.Op = Condition::Opaque;
    C.Key = reinterpret_cast<const void *>(uintptr_t(V->Locations.front()));
    return makeCondition(C);
  }
  case CK_ToVoid:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
    return nullptr;
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_BooleanToSignedIntegral:
  case CK_NoOp:
  default: {
    const Value *V = raw(Sub, St);
    if (!V && !isa<ImplicitCastExpr>(E))
      return constant(E);
    // A cast that makes a value of a glvalue reads it.
    if (V && V->K == Value::Kind::Reference && Sub->isGLValue() && !E->isGLValue())
      return load(V, Sub->getType(), St);
    return V;
  }
  }
}

const Value *Engine::unary(const UnaryOperator *E, State &St) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getOpcode()) {
  case UO_AddrOf: {
    const Value *V = raw(Sub, St);
    return V && V->K == Value::Kind::DataLvalue ? addressOf(V) : V;
  }
  case UO_Deref: {
    const Value *V = value(Sub, St);
    if (V && V->K == Value::Kind::Pointer) {
      Value *L = Arena.copy(*V);
      L->K = Value::Kind::DataLvalue;
      L->Number = !V->Moved;
      return L;
    }
    if (V && V->K == Value::Kind::Reference && V->Locations.size() == 1 &&
        T.Locations[V->Locations.front()].Step.Op == PathStep::Element)
      return element(V, E, nullptr, E->getType(), St);
    return V;
  }
  case UO_LNot: {
    const Condition *C = condition(Sub, St);
    if (!C)
      return nullptr;
    Value *V = Arena.make(Value::Kind::Condition);
    V->Cond = negate(C);
    return V;
  }
  case UO_Minus:
    return constant(E);
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    const Value *V = raw(Sub, St);
    if (V && V->K == Value::Kind::DataLvalue) {
      use(V, UseKind::Write, E, St);
      return V;
    }
    const Value *Before = load(V, Sub->getType(), St);
    if (Sub->getType()->isPointerType()) {
      // `*p++`: the pointer still points into the same memory.
      if (Before && Before->K == Value::Kind::Pointer && V->K == Value::Kind::Reference)
        store(V, moved(Before), St, E);
      else if (Before && Before->K == Value::Kind::Reference)
        store(V, someElement(Before), St, E);
      return E->isGLValue() ? V : Before;
    }
    store(V, unknown(), St, E);
    return E->isGLValue() ? V : nullptr;
  }
  default:
    return nullptr;
  }
}

/// The address of an element of a tensor.
const Value *Engine::addressOf(const Value *Element) {
  Value *P = Arena.copy(*Element);
  P->K = Value::Kind::Pointer;
  P->Moved = Element->Number != 1;
  P->Number = 0;
  return P;
}

/// \p Pointer, at another place of the same memory.
const Value *Engine::moved(const Value *Pointer) {
  if (Pointer->Moved)
    return Pointer;
  Value *P = Arena.copy(*Pointer);
  P->Moved = true;
  return P;
}

const Value *Engine::binary(const BinaryOperator *E, State &St) {
  const Expr *L = E->getLHS(), *R = E->getRHS();
  if (E->getOpcode() == BO_Assign)
    return assign(E, L, value(R, St), St);
  if (E->isCompoundAssignmentOp()) {
    const Value *Target = raw(L, St);
    if (Target && Target->K == Value::Kind::DataLvalue) {
      use(Target, UseKind::Write, E, St);
      return Target;
    }
    if (L->getType()->isPointerType()) {
      const Value *Before = load(Target, L->getType(), St);
      if (Before && Before->K == Value::Kind::Pointer && Target->K == Value::Kind::Reference)
        store(Target, moved(Before), St, E);
      else if (Before && Before->K == Value::Kind::Reference)
        store(Target, someElement(Before), St, E);
      return Target;
    }
    const Condition *A = condition(load(Target, L->getType(), St)), *B = condition(value(R, St));
    const Value *Result = unknown();
    if (A && B && (E->getOpcode() == BO_AndAssign || E->getOpcode() == BO_OrAssign)) {
      Condition C;
      C.Op = E->getOpcode() == BO_AndAssign ? Condition::And : Condition::Or;
      C.L = A;
      C.R = B;
      Result = makeCondition(C);
    }
    store(Target, Result, St, E);
    return Target;
  }
  if (E->isComparisonOp())
    return compare(E->getOpcode(), L, R, St);
  switch (E->getOpcode()) {
  case BO_Comma:
    return raw(R, St);
  case BO_LAnd:
  case BO_LOr: {
    const Condition *C = condition(E, St);
    if (!C)
      return nullptr;
    Value *V = Arena.make(Value::Kind::Condition);
    V->Cond = C;
    return V;
  }
  case BO_And:
  case BO_Or: {
    // `a.is_cpu() & b.is_cpu()`
    const Condition *A = condition(value(L, St)), *B = condition(value(R, St));
    if (!A || !B)
      return nullptr;
    Condition C;
    C.Op = E->getOpcode() == BO_And ? Condition::And : Condition::Or;
    C.L = A;
    C.R = B;
    return makeCondition(C);
  }
  case BO_Add:
  case BO_Sub: {
    const Value *A = value(L, St), *B = value(R, St);
    if (!E->getType()->isPointerType())
      return constant(E);
    auto IsPointer = [](const Value *V) {
      return V && (V->K == Value::Kind::Pointer || V->K == Value::Kind::Reference);
    };
    const Value *P = L->getType()->isPointerType() && IsPointer(A) ? A : IsPointer(B) ? B : nullptr;
    // Pointer arithmetic in an array of tensors.
    if (P && P->K == Value::Kind::Reference)
      return someElement(P);
    if (P && P->K == Value::Kind::Pointer && integerOf(P == A ? R : L) != 0)
      return moved(P);
    return P;
  }
  default:
    return nullptr;
  }
}

const Value *Engine::assign(const Expr *Whole, const Expr *L, const Value *Right, State &St) {
  const Value *Target = raw(L, St);
  if (!St.Pending.empty())
    rawWrite(L, Whole, EarlyUse::Write, St);
  if (!Target)
    return nullptr;
  if (Target->K == Value::Kind::DataLvalue) {
    use(Target, UseKind::Write, Whole, St);
    return Target;
  }
  if (!Blobs.empty() && L->getType()->isRecordType() && !Types.isTensor(L->getType()))
    memoryGone(Target, OwnerGone::Reassigned, Whole->getExprLoc(), St);
  if (!Right)
    Right = Types.isTensor(L->getType()) ? opaqueResult(Whole, L->getType(), "this expression", St)
                                         : unknown();
  // A pointer kept by something that outlives this function is handed out.
  if (Right->K == Value::Kind::Pointer && Target->K == Value::Kind::Reference)
    for (LocationId Loc : Target->Locations)
      if (T.Locations[T.Locations.rootOf(Loc)].Step.Op == PathStep::This)
        use(Right, UseKind::Escape, Whole, St);
  store(Target, Right, St, Whole);
  return Target;
}

const Value *Engine::subscript(const Expr *Whole, const Expr *Base, const Expr *Index, State &St) {
  const Value *V = Base->getType()->isPointerType() ? value(Base, St) : raw(Base, St);
  if (!V)
    return nullptr;
  if (V->K == Value::Kind::Pointer || V->K == Value::Kind::DataLvalue) {
    Value *L = Arena.copy(*V);
    L->K = Value::Kind::DataLvalue;
    const bool First = V->K == Value::Kind::Pointer ? !V->Moved : V->Number == 1;
    L->Number = First && integerOf(Index) == 0;
    return L;
  }
  return element(V, Whole, Index, Whole->getType(), St);
}

/// `flag ? torch::kCUDA : torch::kCPU`: what the flag says of the device stays known.
const Value *Engine::chosen(const ConditionalOperator *E, const Value *A, const Value *B,
                            State &St) {
  const Value *V = joinValues(A, B, St, T, Arena);
  if (A->K != B->K || A->K != V->K || !deviceFact(*V))
    return V;
  const FactId Devices[] = {*deviceFact(*A), *deviceFact(*B)};
  const Evidence Levels[] = {St.evaluate(T.Facts, Devices[0]), St.evaluate(T.Facts, Devices[1])};
  const bool Away = Levels[0] == Evidence::None;
  if (Levels[Away] != Evidence::Proven || Levels[!Away] != Evidence::None ||
      St.Assumed.size() >= MaxAssumed)
    return V;
  const Condition *IsAway = condition(value(E->getCond(), St));
  const bool Negated = IsAway && IsAway->Op == Condition::Not;
  const Condition *Flag = Negated ? IsAway->L : IsAway;
  if (!Flag || Flag->Op != Condition::Opaque || !isFlag(Flag->Key, T.Locations))
    return V;
  if (const int Known = evaluate(IsAway, St); Known >= 0)
    return Known ? A : B;
  if (Away)
    IsAway = negate(IsAway);
  const flow::Symbol From = T.Facts[St.strongest(T.Facts, Devices[Away])];
  const SymbolId S = T.Facts.symbol(E, 0x200, Evidence::Likely, From.Loc, From.Text);
  renew(S, St, /*Tied=*/true);
  const FactId Own = T.Facts.fact(S);
  llvm::erase_if(St.Assumed, [&](const Condition *C) { return mentionsFact(C, Own); });
  tieDevice(Own, IsAway, true, Arena, St.Assumed);
  Value *Copy = Arena.copy(*V);
  *deviceFact(*Copy) = Own;
  return Copy;
}

/// The elements of longer lists are not told apart.
static constexpr unsigned MaxListed = 16;

const Value *Engine::initList(const InitListExpr *E, State &St) {
  if (const InitListExpr *Semantic = E->getSemanticForm())
    E = Semantic;
  if (E->getNumInits() == 1 &&
      Context.hasSameUnqualifiedType(E->getType(), E->getInit(0)->getType()))
    return value(E->getInit(0), St);
  const auto *R = E->getType()->getAsCXXRecordDecl();
  // The elements of a std::array are those of its one member.
  if (R && R->isInStdNamespace() && R->getIdentifier() && R->getName() == "array" &&
      E->getNumInits() == 1)
    return value(E->getInit(0), St);
  Value *V = Arena.make(Value::Kind::Aggregate);
  if (R && R->hasDefinition() && R->isAggregate() && !R->getNumBases()) {
    unsigned I = 0;
    for (const FieldDecl *F : R->getDefinition()->fields()) {
      if (support::isUnnamedBitField(F) || I >= E->getNumInits())
        continue;
      if (const Value *Part = value(E->getInit(I), St))
        V->Parts.emplace_back(PathStep{PathStep::Field, F->getCanonicalDecl(), 0}, Part);
      ++I;
    }
  } else {
    const Value *All = nullptr;
    int64_t I = 0;
    for (const Expr *Init : E->inits()) {
      if (const Value *Part = value(Init, St)) {
        All = All ? joinValues(All, Part, St, T, Arena) : Part;
        if (Part->K == Value::Kind::Tensor && E->getNumInits() <= MaxListed)
          V->Parts.emplace_back(PathStep{PathStep::Instance, nullptr, I}, Part);
      }
      ++I;
    }
    if (All)
      V->Parts.emplace_back(ElementStep, All);
  }
  llvm::sort(V->Parts, [](const auto &X, const auto &Y) { return X.first < Y.first; });
  return V;
}

const Value *Engine::lambda(const LambdaExpr *E, State &St) {
  for (const LambdaCapture &C : E->captures()) {
    if (!E->isInitCapture(&C))
      continue;
    if (const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
      declare(Var, St);
  }
  if (Emitting && !Copies.empty())
    for (const LambdaCapture &C : E->captures())
      if (C.capturesVariable())
        if (const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
          copyKept(St.lookup(T.Locations.variable(Var)));
  Value *V = Arena.make(Value::Kind::Lambda);
  V->Lambda = E;
  // What is captured by copy stays what it is now.
  for (const LambdaCapture &C : E->captures()) {
    if (!C.capturesVariable() || C.getCaptureKind() != LCK_ByCopy || E->isInitCapture(&C))
      continue;
    const auto *Var = dyn_cast<VarDecl>(C.getCapturedVar());
    if (!Var || Var->getType()->isReferenceType())
      continue;
    if (Types.isTensor(Var->getType()))
      load(T.Locations.variable(Var), Var->getType(), St);
    const Value *Now = St.lookup(T.Locations.variable(Var));
    if (Now && (Now->K == Value::Kind::Tensor || Now->K == Value::Kind::Pointer ||
                Now->K == Value::Kind::Device || Now->K == Value::Kind::Options))
      V->Parts.emplace_back(
          PathStep{PathStep::Variable, static_cast<const Decl *>(Var->getCanonicalDecl()), 0}, Now);
  }
  llvm::sort(V->Parts, [](const auto &X, const auto &Y) { return X.first < Y.first; });
  return V;
}

/// `make().fill_(1)`: the object of the method ends with the full expression, whatever the result
/// is bound to.
static bool handedOutByTemporary(const Expr *E, const model::Types &Types) {
  for (E = strip(E); const auto *Call = dyn_cast<CXXMemberCallExpr>(E);) {
    const Expr *Object = Call->getImplicitObjectArgument();
    if (!Call->isGLValue() || !Object || !Types.isTensor(Object->getType()))
      return false;
    while (isa<ImplicitCastExpr>(Object) || isa<ParenExpr>(Object))
      Object = cast<Expr>(*Object->child_begin());
    if (isa<MaterializeTemporaryExpr>(Object))
      return true;
    E = strip(Object);
  }
  return false;
}

void Engine::declare(const VarDecl *D, State &St) {
  LocationId L = T.Locations.variable(D);
  if (logging())
    Log->inActive([&](LoopRun &Run) { Run.Declared.insert(L); });
  const Expr *Init = D->getInit();
  auto It = IndexedBy.find(cast<ValueDecl>(D->getCanonicalDecl()));
  if (It != IndexedBy.end())
    for (LocationId Picked : It->second)
      pickedAnew(Picked, St);
  // A plain array of a loop's body: the array of the turn before is gone.
  if (!Blobs.empty() && D->hasLocalStorage())
    memoryGone(L, OwnerGone::ScopeEnd, D->getLocation(), St);
  if (!Init) {
    eraseTree(L, St);
    if (Types.isTensor(D->getType()))
      St.set(L, Arena.make(Value::Kind::Undefined));
    return;
  }
  if (D->getType()->isReferenceType()) {
    const Value *V = raw(Init, St);
    eraseTree(L, St);
    if (handedOutByTemporary(Init, Types))
      Unextended.insert(D);
    if (V && (V->K == Value::Kind::Reference || V->K == Value::Kind::DataLvalue))
      St.set(L, V);
    else if (V)
      store(L, V, St, Init);
    else if (Types.isTensor(D->getType()))
      store(L, opaqueResult(Init, D->getType(), "this expression", St), St, Init);
    return;
  }
  const Value *V = value(Init, St);
  if (V && V->K == Value::Kind::GradScope) {
    // From here to the end of the variable's scope; the value keeps what was before.
    Value *Before = Arena.make(Value::Kind::GradScope);
    Before->Number = int64_t(St.Mode);
    St.Mode = GradMode(V->Number);
    St.set(L, Before);
    return;
  }
  eraseTree(L, St);
  if (V)
    store(L, V, St, Init);
  else if (Types.isTensor(D->getType()))
    store(L, opaqueResult(Init, D->getType(), "this expression", St), St, Init);
}

void Engine::returnStmt(const ReturnStmt *S, State &St) {
  const Expr *E = S->getRetValue();
  LocationId Slot = T.Locations.root(returnSlot(Current->Function));
  if (!E) {
    St.erase(Slot);
    return;
  }
  const Value *V = E->isGLValue() ? raw(E, St) : value(E, St);
  if (!V) {
    St.erase(Slot);
    return;
  }
  returned(V, St);
  if (V->K == Value::Kind::Lambda)
    callLambda(V, E, {}, St);
  if (!E->isGLValue())
    blobReturned(E, St);
  // Pointers that leave: alone, or as parts of what is returned.
  const Value *Whole = V;
  if (E->isGLValue() && V->K == Value::Kind::Reference)
    Whole = nullptr;
  else if (V->K == Value::Kind::Reference && V->Locations.size() == 1)
    Whole = load(V->Locations.front(), QualType(), St);
  if (Whole && Whole->K == Value::Kind::Pointer)
    use(Whole, UseKind::Return, E, St);
  if (Whole && Whole->K == Value::Kind::Aggregate) {
    Current->Leaving = Whole;
    for (const auto &[Step, Part] : Whole->Parts)
      if (Part->K == Value::Kind::Pointer)
        use(Part, UseKind::Return, E, St);
    Current->Leaving = nullptr;
  }
  St.set(Slot, V);
}

} // namespace torch_tidy::flow
