//===--- AsyncCopyCheck.cpp -----------------------------------------------===//
#include "AsyncCopyCheck.h"
#include "fixes/LoopFix.h"

using namespace clang;

namespace torch_tidy {

using flow::EarlyUse;

void AsyncCopyCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  const SourceManager &SM = Context.getSourceManager();
  fixes::LoopFixer Fixer(Context, nullptr);
  std::map<const Expr *, bool> Fixed;
  std::set<std::pair<unsigned, std::string>> Reported;
  std::set<std::pair<const Expr *, const Expr *>> Pointers;
  for (const EarlyUse &X : TU.earlyUses()) {
    if (X.Device < MinEvidence)
      continue;
    std::string Name = X.Tensor ? textOf(X.Tensor, Context) : "";
    // A pointer from before the copy: its first use speaks for all.
    if (X.Access && X.Access != X.At && !Pointers.insert({X.Access, X.Copy}).second)
      continue;
    const Stmt *Root = X.Root ? X.Root : X.At;
    if (!Reported.insert({SM.getFileLoc(Root->getBeginLoc()).getRawEncoding(), Name}).second)
      continue;
    fixes::Edit Fix;
    auto [It, New] = Fixed.try_emplace(X.Copy, false);
    if (New) {
      Fix = Fixer.block(X.Copy);
      It->second = bool(Fix);
    }
    {
      auto Diag = warn(X.At->getExprLoc(), X.Device,
                       "the memory of %0 is %select{used before the non-blocking copy to it is "
                       "done|written while a non-blocking copy may still read it|freed while a "
                       "non-blocking copy may still read it}1; synchronize first, or make the copy "
                       "a blocking one")
                  << (Name.empty() ? "the tensor" : "'" + Name + "'") << unsigned(X.Op);
      Diag << Fix;
    }
    if (X.Use != X.At && SM.getExpansionLineNumber(X.Use->getExprLoc()) !=
                             SM.getExpansionLineNumber(X.At->getExprLoc()))
      note(X.Use->getExprLoc(),
           X.Op == EarlyUse::Read ? "the memory is used here" : "the memory is written here");
    note(X.Copy->getExprLoc(), "the copy is started here");
    note(X.DeviceFrom.Loc, X.DeviceFrom.Text);
    if (!New && It->second)
      note(X.At->getExprLoc(), "the edit of the first report on this copy is for this one, too");
  }
}

} // namespace torch_tidy
