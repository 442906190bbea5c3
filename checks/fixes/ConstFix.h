//===--- ConstFix.h - read-only accessors -------------------------------------===//
#ifndef TORCH_TIDY_FIXES_CONSTFIX_H
#define TORCH_TIDY_FIXES_CONSTFIX_H

#include "AccessFix.h"

namespace torch_tidy::fixes {

/// Whether each mention of \p V in \p Body is `v[...]` or `v.method()` and the variable's type is
/// left to the compiler, so that another accessor type does as well.
bool onlySubscripted(const clang::VarDecl *V, const clang::Stmt *Body);

/// Turns `data_ptr` into `const_data_ptr` where everything that gets the pointer takes one to
/// const.
class ConstFixer {
public:
  explicit ConstFixer(const clang::ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {}
  /// Edits of all calls on the tensor of \p A in its full expression, and of the variables that
  /// keep their pointers; empty where one of them needs a pointer to non-const.
  Edit readOnly(const flow::Access &A, const std::vector<flow::Access> &All);

private:
  struct Query;
  bool takesConst(const clang::Expr *E, Query &Q, unsigned Depth) const;
  bool variableTakesConst(const clang::VarDecl *V, Query &Q, unsigned Depth) const;
  bool argumentTakesConst(const clang::FunctionDecl *Fn, llvm::ArrayRef<const clang::Expr *> Args,
                          const clang::Expr *E, const Query &Q) const;
  bool holdsAccess(const clang::Expr *E, const Query &Q) const;

  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
};

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_CONSTFIX_H
