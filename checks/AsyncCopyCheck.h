//===--- AsyncCopyCheck.h -------------------------------------------------===//
#ifndef TORCH_TIDY_ASYNCCOPYCHECK_H
#define TORCH_TIDY_ASYNCCOPYCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds host code that uses memory while a non-blocking copy may still write or read it:
///
///   torch::Tensor host = gpu.to(torch::kCPU, /*non_blocking=*/true);
///   float x = host.data_ptr<float>()[0]; // the copy may not be done
///
/// and makes the copy a blocking one.
///
/// For the user-facing documentation see docs/checks/async-copy.md.
class AsyncCopyCheck : public TorchCheck {
public:
  AsyncCopyCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                 std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_ASYNCCOPYCHECK_H
