//===--- LoopFix.cpp - edits for loops and copies ----------------------------===//
#include "LoopFix.h"
#include "../flow/EngineImpl.h"
#include "../model/Types.h"
#include "../support/Compat.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace torch_tidy::fixes {

using flow::HostTransfer;
using flow::inFile;
using flow::strip;

/// Whether \p E names a variable or a member, and does nothing else.
static bool isPlace(const Expr *E) {
  for (unsigned I = 0; I < 20; ++I) {
    E = strip(E);
    if (isa<DeclRefExpr>(E) || isa<CXXThisExpr>(E))
      return true;
    if (const auto *M = dyn_cast<MemberExpr>(E); M && isa<FieldDecl>(M->getMemberDecl()))
      E = M->getBase();
    else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
             O && (O->getOperator() == OO_Arrow || O->getOperator() == OO_Star))
      E = O->getArg(0);
    else if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_Deref)
      E = U->getSubExpr();
    else
      return false;
  }
  return false;
}

static bool mentions(const Stmt *In, const ValueDecl *D) {
  std::vector<const Stmt *> Work{In};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && Ref->getDecl() == D)
      return true;
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return false;
}

Edit LoopFixer::hoist(llvm::ArrayRef<const HostTransfer *> Same) {
  const HostTransfer &First = *Same.front();
  const Stmt *Loop = First.Outermost;
  const Expr *Base = First.Base->IgnoreParenImpCasts();
  const auto *Class = Base->getType()->getAsCXXRecordDecl();
  if (!Loop || !First.SameBefore || !First.Function || !isPlace(Base) || !Class ||
      model::qualifiedName(Class) != "at::Tensor")
    return {};
  // The declaration goes before the loop: that must be a statement of a block.
  const Stmt *Body = First.Function->getBody();
  ParentMap Parents(const_cast<Stmt *>(Body));
  if (!isa_and_nonnull<CompoundStmt>(Parents.getParent(Loop)))
    return {};
  // `for (t = f(); ...)`
  if (const auto *For = dyn_cast<ForStmt>(Loop); For && isa_and_nonnull<Expr>(For->getInit()))
    if (const auto *Ref = dyn_cast<DeclRefExpr>(strip(Base));
        !Ref || mentions(For->getInit(), Ref->getDecl()))
      return {};
  SourceLocation Begin = inFile(Loop->getBeginLoc(), SM);
  if (Begin.isInvalid())
    return {};
  bool Invalid = false;
  StringRef Buffer = SM.getBufferData(SM.getFileID(Begin), &Invalid);
  if (Invalid)
    return {};
  const unsigned Offset = SM.getFileOffset(Begin);
  size_t Line = Buffer.rfind('\n', Offset);
  Line = Line == StringRef::npos ? 0 : Line + 1;
  StringRef Indent = Buffer.slice(Line, Offset);
  if (!Indent.trim().empty())
    return {};
  const std::string Text = sourceText(Base, Context, 200);
  if (Text.empty())
    return {};
  flow::Access Named;
  Named.Site.Receiver = Base;
  const std::string Name = Names.freshName(Named, "_host", First.Function->getSourceRange());
  const bool Parens = isa<UnaryOperator>(strip(Base)) ||
                      (isa<CXXOperatorCallExpr>(strip(Base)) && Text.front() == '*');
  Edit E;
  E.Hints.push_back(FixItHint::CreateInsertion(
      Begin,
      "const auto " + Name + " = " + (Parens ? "(" + Text + ")" : Text) + ".detach().cpu();" +
          (support::endsWith(Buffer.slice(0, Line), "\r\n") ? "\r\n" : "\n") + Indent.str()));
  for (const HostTransfer *X : Same) {
    CharSourceRange R = fileRange(X->Base->IgnoreParenImpCasts()->getSourceRange(), Context);
    if (R.isInvalid() || SM.getFileID(R.getBegin()) != SM.getFileID(Begin))
      return {};
    E.Hints.push_back(FixItHint::CreateReplacement(R, Name));
  }
  return E;
}

bool LoopFixer::isIn(const Expr *E, const FunctionDecl *In) const {
  CharSourceRange R = fileRange(E->getSourceRange(), Context);
  CharSourceRange Function = In ? fileRange(In->getSourceRange(), Context) : CharSourceRange();
  return R.isValid() && Function.isValid() &&
         !SM.isBeforeInTranslationUnit(R.getBegin(), Function.getBegin()) &&
         !SM.isBeforeInTranslationUnit(Function.getEnd(), R.getEnd());
}

/// What \p E is as it is spelled, without the nodes that are not.
static const Expr *spelled(const Expr *E) {
  for (;;) {
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E))
      E = C->getSubExpr();
    else if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
      E = B->getSubExpr();
    else if (const auto *K = dyn_cast<CXXConstructExpr>(E);
             K && K->getNumArgs() == 1 && K->getConstructor()->isCopyOrMoveConstructor())
      E = K->getArg(0);
    else
      return E;
  }
}

Edit LoopFixer::detach(llvm::ArrayRef<const Expr *> Tensors, const FunctionDecl *In) {
  Edit E;
  for (const Expr *Tensor : Tensors) {
    const auto *Class = Tensor->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!Class || model::qualifiedName(Class) != "at::Tensor")
      return {};
    CharSourceRange R = fileRange(Tensor->getSourceRange(), Context);
    // A sum in a helper may serve others too.
    if (!isIn(Tensor, In))
      return {};
    const Expr *Core = spelled(Tensor);
    const Expr *Stripped = strip(Core);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Stripped);
    const bool Parens =
        !isa<ParenExpr>(Core) &&
        (isa<AbstractConditionalOperator>(Stripped) || isa<UnaryOperator>(Stripped) ||
         (Operator && Operator->getOperator() != OO_Subscript &&
          Operator->getOperator() != OO_Call && Operator->getOperator() != OO_Arrow));
    if (Parens)
      E.Hints.push_back(FixItHint::CreateInsertion(R.getBegin(), "("));
    E.Hints.push_back(FixItHint::CreateInsertion(R.getEnd(), Parens ? ").detach()" : ".detach()"));
  }
  return E;
}

Edit LoopFixer::block(const Expr *Call) {
  const auto *C = dyn_cast<CallExpr>(Call);
  const FunctionDecl *Fn = C ? C->getDirectCallee() : nullptr;
  if (!Fn)
    return {};
  for (unsigned I = 0; I < C->getNumArgs() && I < Fn->getNumParams(); ++I) {
    StringRef Param = Fn->getParamDecl(I)->getName();
    if (Param != "non_blocking" && Param != "async")
      continue;
    CharSourceRange Flag = fileRange(C->getArg(I)->getSourceRange(), Context);
    if (Flag.isInvalid() || isa<CXXDefaultArgExpr>(C->getArg(I)))
      return {};
    const bool Last = I + 1 == C->getNumArgs() || isa<CXXDefaultArgExpr>(C->getArg(I + 1));
    Edit E;
    CharSourceRange Before =
        I ? fileRange(C->getArg(I - 1)->getSourceRange(), Context) : CharSourceRange();
    if (!Last || !I)
      E.Hints.push_back(FixItHint::CreateReplacement(Flag, "false"));
    else if (Before.isValid() && SM.getFileID(Before.getEnd()) == SM.getFileID(Flag.getEnd()))
      E.Hints.push_back(
          FixItHint::CreateRemoval(CharSourceRange::getCharRange(Before.getEnd(), Flag.getEnd())));
    return E;
  }
  return {};
}

} // namespace torch_tidy::fixes
