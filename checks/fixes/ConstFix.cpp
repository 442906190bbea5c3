//===--- ConstFix.cpp - read-only accessors -----------------------------------===//
#include "ConstFix.h"
#include "../flow/EngineImpl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy::fixes {

using flow::Access;
using flow::inFile;
using flow::strip;

/// Calls \p Visit for \p Body and everything in it.
static void forEach(const Stmt *Body, llvm::function_ref<void(const Stmt *)> Visit) {
  std::vector<const Stmt *> Work{Body};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    Visit(S);
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
}

static bool names(const Expr *E, const VarDecl *V) {
  const auto *Ref = dyn_cast<DeclRefExpr>(strip(E));
  return Ref && Ref->getDecl() == V;
}

bool onlySubscripted(const VarDecl *V, const Stmt *Body) {
  if (!V->getType()->getContainedAutoType())
    return false;
  unsigned Mentions = 0, Harmless = 0;
  forEach(Body, [&](const Stmt *S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      Mentions += Ref->getDecl() == V;
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(S))
      Harmless += O->getOperator() == OO_Subscript && names(O->getArg(0), V);
    if (const auto *M = dyn_cast<MemberExpr>(S))
      Harmless += names(M->getBase(), V);
  });
  return Mentions == Harmless;
}

/// What one question about one access has found.
struct ConstFixer::Query {
  ParentMap Parents;
  const Stmt *Body;
  llvm::SmallVector<const Expr *, 2> Calls; ///< The accessor calls that change together.
  llvm::SmallVector<const VarDecl *, 2> Variables;
  Edit Fix;
  explicit Query(const Stmt *Body) : Parents(const_cast<Stmt *>(Body)), Body(Body) {}
};

bool ConstFixer::holdsAccess(const Expr *E, const Query &Q) const {
  bool Found = false;
  forEach(E, [&](const Stmt *S) { Found |= llvm::is_contained(Q.Calls, S); });
  return Found;
}

/// std::copy(p, p + n, out), std::vector<float>(p, p + n): the template takes the type it is given,
/// and the arguments that share a type parameter all come from the accessor.
bool ConstFixer::argumentTakesConst(const FunctionDecl *Fn, llvm::ArrayRef<const Expr *> Args,
                                    const Expr *E, const Query &Q) const {
  const FunctionTemplateDecl *Primary = Fn ? Fn->getPrimaryTemplate() : nullptr;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Fn);
  const Decl *Place = Method ? static_cast<const Decl *>(Method->getParent()) : Fn;
  if (!Primary || !Place->isInStdNamespace())
    return false;
  const FunctionDecl *Pattern = Primary->getTemplatedDecl();
  auto TypeParameter = [&](size_t I) {
    return I < Pattern->getNumParams()
               ? Pattern->getParamDecl(I)->getType()->getAs<TemplateTypeParmType>()
               : nullptr;
  };
  const TemplateTypeParmType *Mine = nullptr;
  for (size_t I = 0; I < Args.size(); ++I)
    if (Args[I] == E)
      Mine = TypeParameter(I);
  if (!Mine)
    return false;
  for (size_t I = 0; I < Args.size(); ++I)
    if (const TemplateTypeParmType *Other = TypeParameter(I);
        Other && Other->getIndex() == Mine->getIndex() && !holdsAccess(Args[I], Q))
      return false;
  return true;
}

bool ConstFixer::variableTakesConst(const VarDecl *V, Query &Q, unsigned Depth) const {
  QualType T = V->getType();
  if (!T->isPointerType())
    return false;
  if (T->getPointeeType().isConstQualified())
    return true;
  if (llvm::is_contained(Q.Variables, V))
    return true;
  Q.Variables.push_back(V);
  if (!T->getContainedAutoType()) {
    // `float *p = ...` becomes `const float *p = ...`, where it is declared alone.
    SourceLocation At = inFile(V->getTypeSpecStartLoc(), SM);
    bool Alone = false;
    forEach(Q.Body, [&](const Stmt *S) {
      if (const auto *D = dyn_cast<DeclStmt>(S))
        Alone |= D->isSingleDecl() && D->getSingleDecl() == V;
    });
    if (At.isInvalid() || !Alone)
      return false;
    Q.Fix.Hints.push_back(FixItHint::CreateInsertion(At, "const "));
  }
  bool Fits = true;
  forEach(Q.Body, [&](const Stmt *S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && Ref->getDecl() == V)
      Fits = Fits && takesConst(Ref, Q, Depth + 1);
  });
  return Fits;
}

bool ConstFixer::takesConst(const Expr *E, Query &Q, unsigned Depth) const {
  if (Depth > 8)
    return false;
  for (const Stmt *At = E;;) {
    const Stmt *Up = Q.Parents.getParent(At);
    if (!Up)
      return false;
    if (const auto *D = dyn_cast<DeclStmt>(Up)) {
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each); V && V->getInit() == At)
          return variableTakesConst(V, Q, Depth);
      return false;
    }
    if (isa<LambdaExpr>(Up)) // a capture; the uses in the body are seen on their own
      return true;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Up)) {
      QualType T = Cast->getType();
      if (T->isPointerType() && !T->isVoidPointerType()) {
        if (T->getPointeeType().isConstQualified())
          return true;
      } else {
        // The value of `p[i]`, `if (p)`, a const method of `p[i]`, or `const void *`.
        return Cast->getCastKind() == CK_LValueToRValue ||
               Cast->getCastKind() == CK_PointerToBoolean || T.isConstQualified() ||
               (T->isPointerType() && T->getPointeeType().isConstQualified());
      }
    } else if (const auto *B = dyn_cast<BinaryOperator>(Up)) {
      if (B->isComparisonOp() || (B->getOpcode() == BO_Sub && !B->getType()->isPointerType()))
        return true;
      if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign)
        return B->getLHS() == At && !isa_and_nonnull<Expr>(Q.Parents.getParent(B));
      if (B->getOpcode() != BO_Add && B->getOpcode() != BO_Sub)
        return false;
    } else if (const auto *U = dyn_cast<UnaryOperator>(Up)) {
      if (U->isIncrementDecrementOp()) {
        if (!U->getType()->isPointerType())
          return false;
        if (!isa_and_nonnull<Expr>(Q.Parents.getParent(U)))
          return true;
      } else if (U->getOpcode() != UO_Deref) {
        return false;
      }
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(Up)) {
      if (S->getBase() != At)
        return false;
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(Up)) {
      return argumentTakesConst(C->getConstructor(), {C->getArgs(), C->getNumArgs()},
                                cast<Expr>(At), Q);
    } else if (const auto *C = dyn_cast<CallExpr>(Up)) {
      return argumentTakesConst(C->getDirectCallee(), {C->getArgs(), C->getNumArgs()},
                                cast<Expr>(At), Q);
    } else if (!isa<ParenExpr>(Up) && !isa<FullExpr>(Up) && !isa<MaterializeTemporaryExpr>(Up)) {
      return false;
    }
    At = Up;
  }
}

Edit ConstFixer::readOnly(const Access &A, const std::vector<Access> &All) {
  const Stmt *Body = A.Site.Function ? A.Site.Function->getBody() : nullptr;
  if (!Body)
    return {};
  Query Q(Body);
  std::string Name = sourceText(A.Site.Receiver, Context, 400);
  for (const Access &Other : All)
    if (&Other == &A || (A.Site.Root && Other.Site.Root == A.Site.Root && !Name.empty() &&
                         sourceText(Other.Site.Receiver, Context, 400) == Name))
      Q.Calls.push_back(strip(Other.Site.Call));
  for (const Expr *Call : Q.Calls) {
    const auto *C = dyn_cast<CXXMemberCallExpr>(Call);
    const auto *M = C ? dyn_cast<MemberExpr>(C->getCallee()->IgnoreParens()) : nullptr;
    SourceLocation At = M ? inFile(M->getMemberLoc(), SM) : SourceLocation();
    if (At.isInvalid() || M->getMemberNameInfo().getAsString() != "data_ptr" ||
        !M->hasExplicitTemplateArgs() || !takesConst(Call, Q, 0))
      return {};
    // A replacement, not an insertion: other checks insert in front of the name.
    Q.Fix.Hints.push_back(FixItHint::CreateReplacement(SourceRange(At, At), "const_data_ptr"));
  }
  return Q.Fix;
}

} // namespace torch_tidy::fixes
