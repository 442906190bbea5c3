//===--- ElementTypeCheck.h -------------------------------------------------===//
#ifndef TORCH_TIDY_ELEMENTTYPECHECK_H
#define TORCH_TIDY_ELEMENTTYPECHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds memory of a tensor that is taken for elements of another type than the tensor has:
///
///   torch::Tensor best = scores.argmax(1);
///   const int *p = best.data_ptr<int>(); // int64_t: throws
///   auto *q = static_cast<float *>(x.to(torch::kHalf).data_ptr()); // reads garbage
///
/// and `sizeof(torch::kFloat)`, which is the size of an enumerator.
///
/// For the user-facing documentation see docs/checks/element-type.md.
class ElementTypeCheck : public TorchCheck {
public:
  ElementTypeCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                   std::shared_ptr<SharedAnalysis> Analysis)
      : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Likely) {}
  void report(const flow::TranslationUnit &TU) override;

private:
  void reportSizeOfs(const flow::TranslationUnit &TU);
  void reportSizeOf(const clang::UnaryExprOrTypeTraitExpr *E, const clang::ASTContext &Context);

  std::set<unsigned> SeenSizeOf; ///< Locations: an instantiation has the same one again.
};

} // namespace torch_tidy

#endif // TORCH_TIDY_ELEMENTTYPECHECK_H
