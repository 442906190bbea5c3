//===--- DeprecatedAccessCheck.h --------------------------------------------===//
#ifndef TORCH_TIDY_DEPRECATEDACCESSCHECK_H
#define TORCH_TIDY_DEPRECATEDACCESSCHECK_H

#include "TorchCheck.h"

namespace torch_tidy {

/// Finds accessors and type queries in the spelling of LibTorch's first releases and rewrites them:
///
///   float *p = t.data<float>();                        // data_ptr<float>()
///   auto a = t.packed_accessor<float, 2>();            // packed_accessor64<float, 2>()
///   if (t.type().is_cuda())                            // t.is_cuda()
///   AT_DISPATCH_FLOATING_TYPES(t.type(), "f", ...);    // t.scalar_type()
///
/// Option `PreferConst` (default: false): also `data_ptr<T>()` that is only read (const_data_ptr)
/// or only written (mutable_data_ptr), where LibTorch has these (2.1).
///
/// For the user-facing documentation see docs/checks/deprecated-access.md.
class DeprecatedAccessCheck : public TorchCheck {
public:
  DeprecatedAccessCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                        std::shared_ptr<SharedAnalysis> Analysis);
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) override;
  void report(const flow::TranslationUnit &TU) override;

private:
  void reportSpellings(const flow::TranslationUnit &TU);
  void reportConst(const flow::TranslationUnit &TU);

  const Flag PreferConst;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_DEPRECATEDACCESSCHECK_H
