//===--- DiscardedResultCheck.h ---------------------------------------------===//
#ifndef TORCH_TIDY_DISCARDEDRESULTCHECK_H
#define TORCH_TIDY_DISCARDEDRESULTCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds operators that return a tensor and change none, where the result is thrown away:
///
///   image.to(device);
///   torch::clamp(image, 0, 1);
///
/// and assigns the result.
///
/// For the user-facing documentation see docs/checks/discarded-result.md.
class DiscardedResultCheck : public TorchCheck {
public:
  DiscardedResultCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                       std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Possible) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_DISCARDEDRESULTCHECK_H
