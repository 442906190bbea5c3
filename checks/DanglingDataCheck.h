//===--- DanglingDataCheck.h ------------------------------------------------===//
#ifndef TORCH_TIDY_DANGLINGDATACHECK_H
#define TORCH_TIDY_DANGLINGDATACHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds pointers into a tensor's memory that are used after the last handle of it is gone:
///
///   const float *p = t.cpu().data_ptr<float>(); // the copy dies here
///   return p[0];
///
/// and shapes (`sizes()`) used after the tensor that owns them.
///
/// For the user-facing documentation see docs/checks/dangling-data.md.
class DanglingDataCheck : public TorchCheck {
public:
  DanglingDataCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                    std::shared_ptr<SharedAnalysis> Analysis);
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_DANGLINGDATACHECK_H
