//===--- CallSites.h - where calls of LibTorch stand in the source --------===//
//
// For checks that look at how a call is written and what becomes of its value, not at what flows
// through it. Templates are visited as written and once for each instantiation.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_CALLSITES_H
#define TORCH_TIDY_FLOW_CALLSITES_H

#include "TranslationUnit.h"
#include "clang/AST/ExprCXX.h"

namespace torch_tidy::flow {

/// A call and the place it has in the user's code.
struct CallSite {
  const clang::CallExpr *Call = nullptr;
  const clang::Expr *Root = nullptr;             ///< The full expression that it is part of.
  const clang::FunctionDecl *Function = nullptr; ///< Null in initialisers of variables and fields.
  const clang::VarDecl *Variable = nullptr;      ///< Where the call is all of its initialiser.
  /// Nothing takes the value, and nothing says that this is meant: no cast to void, no macro that
  /// throws it away (`EXPECT_THROW(t.cpu(), c10::Error)` calls for the exception).
  bool Discarded = false;
};

/// The calls in the user's code that \p Wanted asks for, in the order of the code.
std::vector<CallSite> callSites(const TranslationUnit &TU,
                                llvm::function_ref<bool(const clang::CallExpr *)> Wanted);

/// A call of a member of LibTorch's own tensor class. \p Object is null for what is none.
struct TensorCall {
  const clang::Expr *Object = nullptr; ///< `t` in `t.cpu()`, `p` in `p->cpu()`
  bool Arrow = false;
  llvm::StringRef Name;
  clang::SourceLocation NameLoc;
  /// As written: `<float>` in `t.data<float>()`.
  llvm::ArrayRef<clang::TemplateArgumentLoc> TemplateArgs;
  const clang::CXXMethodDecl *Method = nullptr; ///< Null where template arguments are dependent.
};
TensorCall tensorCall(const clang::CallExpr *Call, const SourceScope &Scope,
                      const model::Types &Types);

/// Whether \p V is named in \p Body behind \p Loc.
bool usedAfter(const clang::ValueDecl *V, clang::SourceLocation Loc, const clang::Stmt *Body,
               const clang::SourceManager &SM);

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_CALLSITES_H
