//===--- ElementTypeCheck.cpp -----------------------------------------------===//
#include "ElementTypeCheck.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy {

using flow::Access;
using flow::ElementTypes;
using flow::Evidence;
using flow::PointerUse;
using flow::UseKind;

//===----------------------------------------------------------------------===//
// sizeof(torch::kFloat)
//===----------------------------------------------------------------------===//

void ElementTypeCheck::reportSizeOfs(const flow::TranslationUnit &TU) {
  std::vector<const Stmt *> Work;
  for (const flow::Code &C : TU.code()) {
    Work.push_back(C.Body);
    while (!Work.empty()) {
      const Stmt *S = Work.back();
      Work.pop_back();
      if (!S)
        continue;
      if (const auto *E = dyn_cast<UnaryExprOrTypeTraitExpr>(S); E && E->getKind() == UETT_SizeOf)
        reportSizeOf(E, TU.context());
      Work.insert(Work.end(), S->child_begin(), S->child_end());
    }
  }
}

void ElementTypeCheck::reportSizeOf(const UnaryExprOrTypeTraitExpr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (E->isArgumentType() || SM.isInSystemHeader(SM.getExpansionLoc(E->getBeginLoc())))
    return;
  const Expr *Arg = E->getArgumentExpr()->IgnoreParens();
  const auto *Enum = Arg->getType()->getAs<EnumType>();
  if (!Enum || model::qualifiedName(Enum->getDecl()) != "c10::ScalarType")
    if (!Enum || model::qualifiedName(Enum->getDecl()) != "torch::headeronly::ScalarType")
      return;
  if (!SeenSizeOf.insert(SM.getFileLoc(E->getBeginLoc()).getRawEncoding()).second)
    return;
  // A constant has a C++ type; what is only known at run time needs elementSize().
  Expr::EvalResult R;
  StringRef Type;
  if (!Arg->isValueDependent() && Arg->EvaluateAsInt(R, Context))
    Type = model::Types::cppTypeName(int(R.Val.getInt().getExtValue()));
  auto Diag = warn(E->getBeginLoc(), Evidence::Proven,
                   "'sizeof' of an element type is the size of the enumerator, one byte, not that "
                   "of an element; use %select{'c10::elementSize()'|'sizeof(%1)'}0")
              << !Type.empty() << Type;
  SourceRange Range = E->getArgumentExpr()->getSourceRange();
  if (Range.getBegin().isMacroID() || E->getBeginLoc().isMacroID() ||
      !isa<ParenExpr>(E->getArgumentExpr()))
    return;
  if (!Type.empty())
    Diag << FixItHint::CreateReplacement(Arg->getSourceRange(), Type);
  else
    Diag << FixItHint::CreateReplacement(E->getOperatorLoc(), "c10::elementSize");
}

//===----------------------------------------------------------------------===//
// Accessors and casts
//===----------------------------------------------------------------------===//

/// Of the places that take the memory for another type, the one that says most.
static const PointerUse *worstTaken(const Access &A, Evidence Minimum) {
  const PointerUse *Worst = nullptr;
  for (const PointerUse &U : A.Uses)
    if (U.Kind == UseKind::Taken && U.Mistyped >= Minimum &&
        (!Worst || U.Mistyped > Worst->Mistyped))
      Worst = &U;
  return Worst;
}

/// The program looks at the type itself: `if (half) use(t.data_ptr<at::Half>()); else
/// use(t.data_ptr<float>());`. Which branch belongs to which type is its business.
static bool chosenByHand(const Access &A, const PointerUse &U, const flow::TranslationUnit &TU) {
  if (U.Mistyped == Evidence::Proven)
    return false;
  const std::string Name = fixes::sourceText(A.Site.Receiver, TU.context(), 400);
  for (const Access &Other : TU.accesses()) {
    if (&Other != &A && (Name.empty() || Other.Site.Function != A.Site.Function ||
                         fixes::sourceText(Other.Site.Receiver, TU.context(), 400) != Name))
      continue;
    for (const PointerUse &O : Other.Uses)
      if (O.Kind == UseKind::Taken && O.TakenAs != U.TakenAs)
        return true;
  }
  return false;
}

void ElementTypeCheck::report(const flow::TranslationUnit &TU) {
  reportSizeOfs(TU);
  ASTContext &Context = TU.context();
  fixes::AccessFixer Fixer(Context);
  fixes::ReportedTensors Reported(Context);
  for (const Access &A : TU.accesses()) {
    const PointerUse *U = worstTaken(A, MinEvidence);
    if (!U || hostReports(*Shared, A) || chosenByHand(A, *U, TU) || !Reported.first(A))
      continue;
    const bool Throws = A.Site.Typed;
    const int Has = flow::lowestType(U->Misfits);
    const StringRef As = model::Types::cppTypeName(U->TakenAs);
    const bool Halves = !Throws && (Has == 5 || Has == 15);
    std::string Name = textOf(A.Site.Receiver, Context);
    // A conversion is a copy: what is written into it is lost.
    bool OnlyReads = false;
    for (const PointerUse &Each : A.Uses) {
      if (Each.Kind == UseKind::Taken)
        continue;
      OnlyReads = Each.Kind == UseKind::Read || Each.Kind == UseKind::View;
      if (!OnlyReads)
        break;
    }
    fixes::Edit Fix;
    if (OnlyReads && !dangles(*Shared, A)) {
      std::string Type = model::Types::scalarTypeName(U->TakenAs).str();
      Fix = Fixer.convert(A, TU.accesses(), "to(torch::k" + Type + ")",
                          "_" + StringRef(Type).lower());
    }
    {
      auto Diag =
          warn(A.Site.Call->getExprLoc(), U->Mistyped,
               "the elements of %0 %select{may be|are}1 '%2', not '%3'; "
               "%select{the memory is read as garbage%select{|: a half takes 2 bytes}5|"
               "'%6' throws}4; convert it with '.to(torch::k%7)' or use the right type")
          << (Name.empty() ? "the tensor" : "'" + Name + "'") << (U->Mistyped == Evidence::Proven)
          << (model::Types::cppTypeName(Has).empty() ? StringRef("of another type")
                                                     : model::Types::cppTypeName(Has))
          << As << Throws << Halves << A.Site.Method << model::Types::scalarTypeName(U->TakenAs);
      Diag << Fix;
    }
    if (!Throws)
      note(U->UseLoc, "the memory is taken for '" + As.str() + "' here");
    if (const Expr *From = U->Tensor.TypeFrom)
      note(From->getExprLoc(), "the elements get their type here");
  }
}

} // namespace torch_tidy
