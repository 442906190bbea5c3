//===--- CopyWriteCheck.cpp --------------------------------------------------===//
#include "CopyWriteCheck.h"

using namespace clang;

namespace torch_tidy {

using flow::CopyWrite;
using flow::Evidence;

void CopyWriteCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  const SourceManager &SM = Context.getSourceManager();
  for (const CopyWrite &W : TU.copyWrites()) {
    if (W.Level < MinEvidence)
      continue;
    const FunctionDecl *Fn = W.Copy->getDirectCallee();
    const std::string Name = Fn ? Fn->getNameAsString() : "";
    warn(W.Write->getExprLoc(), W.Level,
         "what is written here %select{may be|is}0 lost: '%1()' %select{may make|makes}0 a copy "
         "that nobody reads, and the original is used unchanged; write to the original, or copy "
         "the result back")
        << (W.Level == Evidence::Proven) << Name;
    if (SM.getExpansionLineNumber(W.Copy->getExprLoc()) !=
        SM.getExpansionLineNumber(W.Write->getExprLoc()))
      note(W.Copy->getExprLoc(), "the copy is made here");
    note(W.DeviceFrom.Loc, W.DeviceFrom.Text);
  }
}

} // namespace torch_tidy
