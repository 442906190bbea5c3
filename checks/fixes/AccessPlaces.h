//===--- AccessPlaces.h - what the edits of accesses ask about the source ---===//
#ifndef TORCH_TIDY_FIXES_ACCESSPLACES_H
#define TORCH_TIDY_FIXES_ACCESSPLACES_H

#include "AccessFix.h"
#include "clang/AST/ExprCXX.h"

namespace torch_tidy::fixes {

/// The text of a range; empty where it is invalid.
llvm::StringRef textAt(clang::CharSourceRange R, const clang::ASTContext &Context);

/// The object itself where the receiver is the result of an overloaded `->`, whose range has the
/// arrow in it.
const clang::Expr *spelledReceiver(const clang::Expr *E);

/// Whether an expression may be evaluated earlier, and once for several times: it has no effects
/// that something else in the full expression could see or cause.
bool isPure(const clang::Expr *E, unsigned Depth = 0);

/// Whether everything in \p Root outside \p Except is pure, so that \p Except may go first.
bool restIsPure(const clang::Stmt *Root, const clang::Expr *Except);

/// The member call on the tensor itself: `data_ptr` in `t.data_ptr()`, `storage` in
/// `t.storage().data()`. Null where the tensor is no at::Tensor, which alone has cpu() and
/// detach().
const clang::MemberExpr *methodOf(const flow::Access &A);

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_ACCESSPLACES_H
