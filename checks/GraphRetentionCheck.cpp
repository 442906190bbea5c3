//===--- GraphRetentionCheck.cpp ------------------------------------------===//
#include "GraphRetentionCheck.h"
#include "fixes/LoopFix.h"

using namespace clang;

namespace torch_tidy {

using flow::GraphKept;

void GraphRetentionCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::LoopFixer Fixer(Context, nullptr);
  for (const GraphKept &X : TU.kept()) {
    if (X.Grad < MinEvidence)
      continue;
    const bool Here = Fixer.isIn(X.Tensors.front(), X.Function);
    std::string Tensor = Here ? textOf(X.Tensors.front(), Context) : "";
    std::string Holder = X.Holder ? textOf(X.Holder, Context) : "";
    fixes::Edit Fix = Fixer.detach(X.Tensors, X.Function);
    {
      auto Diag =
          warn(X.At->getExprLoc(), X.Grad,
               "%0 is %select{collected in|added to}1 %2 with its autograd history, so that "
               "the graph of every %select{call|iteration}3 stays in memory; detach it")
          << (Tensor.empty() ? "the tensor" : "'" + Tensor + "'") << X.Sum
          << (Holder.empty() ? "a tensor that is kept" : "'" + Holder + "'") << (X.Loop != nullptr);
      Diag << Fix;
    }
    if (X.Loop)
      note(X.Loop->getBeginLoc(), "in this loop");
    note(X.GradFrom.Loc, X.GradFrom.Text);
  }
}

} // namespace torch_tidy
