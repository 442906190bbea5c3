//===--- ScalarReadCheck.h --------------------------------------------------===//
#ifndef TORCH_TIDY_SCALARREADCHECK_H
#define TORCH_TIDY_SCALARREADCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds the one element of a tensor read through a pointer:
///
///   float loss_value = *loss.mean().data_ptr<float>();
///
/// and reads it by `item<float>()`, which copies, checks the type and works on every device.
///
/// For the user-facing documentation see docs/checks/scalar-read.md.
class ScalarReadCheck : public TorchCheck {
public:
  ScalarReadCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                  std::shared_ptr<SharedAnalysis> Analysis);
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_SCALARREADCHECK_H
