//===--- TransferInLoopCheck.h --------------------------------------------===//
#ifndef TORCH_TIDY_TRANSFERINLOOPCHECK_H
#define TORCH_TIDY_TRANSFERINLOOPCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds a tensor that is fetched from an accelerator in every turn of a loop in which it does not
/// change:
///
///   for (int64_t i = 0; i < rows.size(0); ++i)
///     sum += rows[i].item<float>(); // waits for the device each time
///
/// and copies it to the host once, before the loop.
///
/// For the user-facing documentation see docs/checks/transfer-in-loop.md.
class TransferInLoopCheck : public TorchCheck {
public:
  TransferInLoopCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                      std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_TRANSFERINLOOPCHECK_H
