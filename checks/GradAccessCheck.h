//===--- GradAccessCheck.h --------------------------------------------------===//
#ifndef TORCH_TIDY_GRADACCESSCHECK_H
#define TORCH_TIDY_GRADACCESSCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds raw accesses to tensors that require grad while gradients are recorded:
///
///   const float *w = layer->weight.data_ptr<float>();
///
/// Reading leaves the graph silently, writing changes a value that autograd believes it knows.
///
/// For the user-facing documentation see docs/checks/grad-access.md.
class GradAccessCheck : public TorchCheck {
public:
  GradAccessCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                  std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_GRADACCESSCHECK_H
