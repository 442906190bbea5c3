//===--- CallFix.h - edits of single calls ----------------------------------===//
#ifndef TORCH_TIDY_FIXES_CALLFIX_H
#define TORCH_TIDY_FIXES_CALLFIX_H

#include "../flow/CallSites.h"
#include "AccessFix.h"

namespace torch_tidy::fixes {

/// Makes the edits that need no knowledge of what flows where.
class CallFixer {
public:
  CallFixer(const clang::ASTContext &Context, const flow::SourceScope &Scope,
            const model::Types &Types)
      : Context(Context), SM(Context.getSourceManager()), Scope(Scope), Types(Types) {}

  /// `t = ` in front of `t.to(device)`, `*p = ` in front of `p->detach()`; empty where what the
  /// call works on is no lvalue that can be assigned to and named twice.
  Edit assignResult(const flow::CallSite &Site) const;

  /// Puts \p Text behind, or in front of, the name of the method.
  Edit extendName(clang::SourceLocation NameLoc, llvm::StringRef Text, bool Behind) const;
  /// Replaces from the token at \p First to the end of the token at \p Last.
  Edit replaceTokens(clang::SourceLocation First, clang::SourceLocation Last,
                     llvm::StringRef Text) const;
  /// Drops template argument \p Index and the comma in front of it.
  Edit dropTemplateArgument(llvm::ArrayRef<clang::TemplateArgumentLoc> Args, unsigned Index) const;

private:
  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const flow::SourceScope &Scope;
  const model::Types &Types;
};

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_CALLFIX_H
