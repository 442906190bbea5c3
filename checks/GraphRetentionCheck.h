//===--- GraphRetentionCheck.h --------------------------------------------===//
#ifndef TORCH_TIDY_GRAPHRETENTIONCHECK_H
#define TORCH_TIDY_GRAPHRETENTIONCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds tensors that are kept from one iteration to the next with their autograd history, which no
/// backward() needs any more:
///
///   loss.backward();
///   total += loss; // total holds the graphs of all iterations
///
/// and detaches them.
///
/// For the user-facing documentation see docs/checks/graph-retention.md.
class GraphRetentionCheck : public TorchCheck {
public:
  GraphRetentionCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                      std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_GRAPHRETENTIONCHECK_H
