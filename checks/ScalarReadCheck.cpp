//===--- ScalarReadCheck.cpp ------------------------------------------------===//
#include "ScalarReadCheck.h"

using namespace clang;

namespace torch_tidy {

ScalarReadCheck::ScalarReadCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                                 std::shared_ptr<SharedAnalysis> Analysis)
    : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {
  Shared->ScalarEnabled = true;
}

void ScalarReadCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::AccessFixer Fixer(Context);
  for (const flow::Access &A : TU.accesses()) {
    if (hostReports(*Shared, A) || !scalarReports(*Shared, A, Fixer))
      continue;
    std::string Name = textOf(A.Site.Receiver, Context);
    fixes::Edit Fix = Fixer.item(A);
    auto Diag = warn(A.Site.Call->getExprLoc(), flow::Evidence::Proven,
                     "the only element of %0 is read through a pointer, which is wrong for other "
                     "devices and other element types; use 'item()'")
                << (Name.empty() ? "the tensor" : "'" + Name + "'");
    Diag << Fix;
  }
}

} // namespace torch_tidy
