//===--- StridedAccessCheck.h -----------------------------------------------===//
#ifndef TORCH_TIDY_STRIDEDACCESSCHECK_H
#define TORCH_TIDY_STRIDEDACCESSCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds memory that is read or written one element after the other although the elements of the
/// tensor do not lie like that:
///
///   torch::Tensor hwc = torch::rand({3, h, w}).permute({1, 2, 0});
///   std::memcpy(out, hwc.data_ptr<float>(), n); // still plane by plane
///
/// and makes the tensor contiguous first.
///
/// For the user-facing documentation see docs/checks/strided-access.md.
class StridedAccessCheck : public TorchCheck {
public:
  StridedAccessCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                     std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_STRIDEDACCESSCHECK_H
