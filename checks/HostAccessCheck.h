//===--- HostAccessCheck.h --------------------------------------------------===//
#ifndef TORCH_TIDY_HOSTACCESSCHECK_H
#define TORCH_TIDY_HOSTACCESSCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds host code that reads or writes the memory of a tensor that may be on an accelerator:
///
///   torch::Tensor y = net->forward(x.to(device));
///   std::vector<float> v(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
///
/// and copies the tensor to the host first, into a variable where the pointer is kept.
///
/// For the user-facing documentation see docs/checks/host-access.md.
class HostAccessCheck : public TorchCheck {
public:
  HostAccessCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                  std::shared_ptr<SharedAnalysis> Analysis);
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_HOSTACCESSCHECK_H
