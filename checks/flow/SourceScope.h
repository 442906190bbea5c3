//===--- SourceScope.h - which code is the user's -------------------------===//
#ifndef TORCH_TIDY_FLOW_SOURCESCOPE_H
#define TORCH_TIDY_FLOW_SOURCESCOPE_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace torch_tidy::flow {

/// Tells the user's code from LibTorch's headers and from the system's. LibTorch's headers are
/// often found through plain `-I`, so that "system header" does not tell; its directories are taken
/// from where `at::Tensor` is declared.
class SourceScope {
public:
  explicit SourceScope(clang::ASTContext &Context);
  bool isUserCode(clang::SourceLocation Loc) const;
  bool isUserCode(const clang::Decl *D) const { return isUserCode(D->getLocation()); }
  /// The translation unit includes LibTorch at all.
  bool hasLibTorch() const { return !Roots.empty(); }
  /// Path of the file of \p Loc as it was opened.
  llvm::StringRef pathOf(clang::SourceLocation Loc) const;

private:
  const clang::SourceManager &SM;
  std::vector<std::string> Roots;
  mutable llvm::DenseMap<clang::FileID, bool> Cache;
};

/// \p Loc where it is written in a file: outside macros, or in a macro's argument. Invalid in the
/// body of a macro.
clang::SourceLocation inFile(clang::SourceLocation Loc, const clang::SourceManager &SM);

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_SOURCESCOPE_H
