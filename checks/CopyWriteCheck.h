//===--- CopyWriteCheck.h ---------------------------------------------------===//
#ifndef TORCH_TIDY_COPYWRITECHECK_H
#define TORCH_TIDY_COPYWRITECHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds writes into the copy that `cpu()`, `to()`, `contiguous()` or `reshape()` made, which
/// nobody reads while the original is used:
///
///   weight.cpu().fill_(0); // weight stays as it was
///
/// For the user-facing documentation see docs/checks/torch-copy-write.md.
class CopyWriteCheck : public TorchCheck {
public:
  CopyWriteCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                 std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_COPYWRITECHECK_H
