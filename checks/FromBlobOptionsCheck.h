//===--- FromBlobOptionsCheck.h ---------------------------------------------===//
#ifndef TORCH_TIDY_FROMBLOBOPTIONSCHECK_H
#define TORCH_TIDY_FROMBLOBOPTIONSCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds `from_blob` calls whose options do not describe the memory: another element type, another
/// device, memory that is const and then changed:
///
///   std::vector<double> values;
///   torch::from_blob(values.data(), {n}); // taken for float
///
/// and corrects the options.
///
/// For the user-facing documentation see docs/checks/torch-from-blob-options.md.
class FromBlobOptionsCheck : public TorchCheck {
public:
  FromBlobOptionsCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                       std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_FROMBLOBOPTIONSCHECK_H
