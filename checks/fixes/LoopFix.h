//===--- LoopFix.h - edits for loops and copies ------------------------------===//
#ifndef TORCH_TIDY_FIXES_LOOPFIX_H
#define TORCH_TIDY_FIXES_LOOPFIX_H

#include "AccessFix.h"

namespace torch_tidy::fixes {

class LoopFixer {
public:
  LoopFixer(const clang::ASTContext &Context, GivenNames *Names)
      : Context(Context), SM(Context.getSourceManager()), Names(Context, Names) {}

  /// Copies the tensor of \p Same, transfers of one tensor in one loop, to the host before the loop
  /// and fetches their numbers from the copy.
  Edit hoist(llvm::ArrayRef<const flow::HostTransfer *> Same);
  /// Whether \p E is written in \p In, and not in a helper that it calls.
  bool isIn(const clang::Expr *E, const clang::FunctionDecl *In) const;
  /// Puts `.detach()` behind each of \p Tensors.
  Edit detach(llvm::ArrayRef<const clang::Expr *> Tensors, const clang::FunctionDecl *In);
  /// Makes the copy \p Call a blocking one.
  Edit block(const clang::Expr *Call);

private:
  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
  AccessFixer Names;
};

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_LOOPFIX_H
