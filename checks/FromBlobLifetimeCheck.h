//===--- FromBlobLifetimeCheck.h --------------------------------------------===//
#ifndef TORCH_TIDY_FROMBLOBLIFETIMECHECK_H
#define TORCH_TIDY_FROMBLOBLIFETIMECHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds tensors made by `from_blob` that outlive the memory below them:
///
///   std::vector<float> values = read();
///   return torch::from_blob(values.data(), {n}); // the vector ends here
///
/// and copies the tensor.
///
/// For the user-facing documentation see docs/checks/torch-from-blob-lifetime.md.
class FromBlobLifetimeCheck : public TorchCheck {
public:
  FromBlobLifetimeCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                        std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_FROMBLOBLIFETIMECHECK_H
