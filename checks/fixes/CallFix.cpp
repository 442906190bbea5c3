//===--- CallFix.cpp - edits of single calls --------------------------------===//
#include "CallFix.h"
#include "../flow/EngineImpl.h"
#include "../model/Effects.h"
#include "../support/Compat.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace torch_tidy::fixes {

using flow::inFile;
using flow::strip;
using model::TypeKind;

/// Whether \p E names a place, the same one each time it is evaluated, and does nothing else:
/// `t`, `s.image`, `batch[i + 1].x`, `images.at("a")`, `*p`, `it->second`, `std::get<0>(pair)`.
static bool namesPlace(const Expr *E, unsigned Depth = 0) {
  if (Depth > 40)
    return false;
  E = strip(E);
  auto Operands = [&](auto &&Range) {
    for (const Expr *Each : Range)
      if (!namesPlace(Each, Depth + 1))
        return false;
    return true;
  };
  if (isa<DeclRefExpr>(E) || isa<CXXThisExpr>(E) || isa<IntegerLiteral>(E) ||
      isa<StringLiteral>(E) || isa<CharacterLiteral>(E) || isa<CXXBoolLiteralExpr>(E) ||
      isa<CXXDefaultArgExpr>(E))
    return true;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return !isa<CXXMethodDecl>(M->getMemberDecl()) && namesPlace(M->getBase(), Depth + 1);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return namesPlace(A->getBase(), Depth + 1) && namesPlace(A->getIdx(), Depth + 1);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return (U->getOpcode() == UO_Deref || U->getOpcode() == UO_Minus) &&
           namesPlace(U->getSubExpr(), Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && namesPlace(B->getLHS(), Depth + 1) &&
           namesPlace(B->getRHS(), Depth + 1);
  if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
    return namesPlace(C->getSubExpr(), Depth + 1);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) // a key made from a literal
    return Operands(C->arguments());
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E))
    return (O->getOperator() == OO_Subscript || O->getOperator() == OO_Star ||
            O->getOperator() == OO_Arrow) &&
           Operands(O->arguments());
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier())
    return false;
  static constexpr const char *Lookups[] = {"at", "back", "front", "get", "value"};
  if (!llvm::is_contained(Lookups, Callee->getName()))
    return false;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(Call))
    if (!namesPlace(M->getImplicitObjectArgument(), Depth + 1))
      return false;
  return Operands(Call->arguments());
}

/// The variable that \p E names, where it is one.
static const VarDecl *variable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(strip(E));
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

Edit CallFixer::assignResult(const flow::CallSite &Site) const {
  const CallExpr *Call = Site.Call;
  const FunctionDecl *Called = Call->getDirectCallee();
  if (!Types.isTensor(Call->getType()) || Call->isTypeDependent() ||
      (Called && model::isReduction(Called->getNameAsString())))
    return {};
  // What the call works on. `t.requires_grad_(false).cpu()`, `t.detach().cpu()`: all of t.
  const Expr *Object = nullptr;
  bool Arrow = false;
  if (flow::TensorCall T = flow::tensorCall(Call, Scope, Types); T.Object) {
    Object = T.Object;
    Arrow = T.Arrow;
  } else if (Call->getNumArgs()) {
    if (!isa<CXXOperatorCallExpr>(Call) && Called && Called->getNumParams()) {
      StringRef First = Called->getParamDecl(0)->getName();
      if (First != "self" && First != "input")
        return {};
    }
    Object = Call->getArg(0);
  }
  while (Object && !Arrow) {
    const auto *Inner = dyn_cast<CXXMemberCallExpr>(strip(Object));
    flow::TensorCall T;
    if (Inner)
      T = flow::tensorCall(Inner, Scope, Types);
    if (!T.Object || !Types.isTensor(Inner->getType()) ||
        !(support::endsWith(T.Name, "_") || model::methodOnlyReturns(T.Name, true)))
      break;
    Object = T.Object;
    Arrow = T.Arrow;
  }
  if (!Object)
    return {};

  QualType Place;
  std::string Prefix;
  const Expr *Named = strip(Object);
  if (Arrow) {
    Prefix = "*";
    Place = Named->getType()->getPointeeType();
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(Named); O && O->getOperator() == OO_Arrow)
      Named = strip(O->getArg(0));
  } else if (Named->isLValue()) {
    Place = Named->getType();
  }
  // A class derived from Tensor, or TensorBase, cannot take a Tensor.
  const auto *Record = Place.isNull() ? nullptr : Place->getAsCXXRecordDecl();
  if (!Record || Place.isConstQualified() || Place.isVolatileQualified() ||
      !Record->getIdentifier() || Record->getName() != "Tensor" || !namesPlace(Named) ||
      isa<CXXThisExpr>(Named))
    return {};
  // A module's parameter: another tensor in the member is not registered with the module.
  if (const auto *M = dyn_cast<MemberExpr>(Named); M && !Scope.isUserCode(M->getMemberDecl()))
    if (const auto *Class = dyn_cast<CXXRecordDecl>(M->getMemberDecl()->getDeclContext());
        Class && Types.kind(Class) == TypeKind::Module)
      return {};
  // `for (Tensor t : tensors) t.to(device);` has nobody who would see the new value.
  if (const VarDecl *V = variable(Named);
      V && V->isCXXForRangeDecl() && !V->getType()->isReferenceType() && Site.Function &&
      !flow::usedAfter(V, Call->getEndLoc(), Site.Function->getBody(), SM))
    return {};

  std::string Text = sourceText(Named, Context, 200);
  // Asked of the Stmt: CallExpr would answer with the callee, which is the sign in `t * 2`.
  SourceLocation At = inFile(static_cast<const Stmt *>(Call)->getBeginLoc(), SM);
  Edit E;
  if (!Text.empty() && At.isValid())
    E.Hints.push_back(FixItHint::CreateInsertion(At, Prefix + Text + " = "));
  return E;
}

Edit CallFixer::extendName(SourceLocation NameLoc, StringRef Text, bool Behind) const {
  Edit E;
  SourceLocation At = inFile(NameLoc, SM);
  if (Behind && At.isValid())
    At = Lexer::getLocForEndOfToken(At, 0, SM, Context.getLangOpts());
  if (At.isValid())
    E.Hints.push_back(FixItHint::CreateInsertion(At, Text));
  return E;
}

Edit CallFixer::replaceTokens(SourceLocation First, SourceLocation Last, StringRef Text) const {
  Edit E;
  if (CharSourceRange R = fileRange({First, Last}, Context); R.isValid())
    E.Hints.push_back(FixItHint::CreateReplacement(R, Text));
  return E;
}

Edit CallFixer::dropTemplateArgument(llvm::ArrayRef<TemplateArgumentLoc> Args,
                                     unsigned Index) const {
  Edit E;
  CharSourceRange Before = fileRange(Args[Index - 1].getSourceRange(), Context);
  CharSourceRange Dropped = fileRange(Args[Index].getSourceRange(), Context);
  if (Before.isInvalid() || Dropped.isInvalid() ||
      SM.getFileID(Before.getEnd()) != SM.getFileID(Dropped.getEnd()))
    return E;
  E.Hints.push_back(
      FixItHint::CreateRemoval(CharSourceRange::getCharRange(Before.getEnd(), Dropped.getEnd())));
  return E;
}

} // namespace torch_tidy::fixes
