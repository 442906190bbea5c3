//===--- ShimFix.h - edits that use torch_host ------------------------------===//
#ifndef TORCH_TIDY_FIXES_SHIMFIX_H
#define TORCH_TIDY_FIXES_SHIMFIX_H

#include "AccessFix.h"

namespace torch_tidy::fixes {

/// Edits of `FixStyle: shim`: views of the runtime library, which own what they show and write
/// back. Empty where the code does not have a form that they fit; the inline edit is taken then.
class ShimFixer : public AccessFixer {
public:
  ShimFixer(const clang::ASTContext &Context, GivenNames *Names, std::set<std::string> &Included)
      : AccessFixer(Context, Names), Included(Included) {}

  /// Reads: `const auto t_view = torch_host::host_view<const float>(t);` before the statement, and
  /// `t_view.data()` for each `t.data_ptr<float>()` in the full expression. Writes:
  /// `host_view_mut<float>`, and `t_view.commit();` behind the last statement that uses the
  /// pointer.
  Edit view(const flow::Access &A, const std::vector<flow::Access> &All);

private:
  /// The whole of `t.data_ptr<float>()` with its element type; false for other forms.
  bool isTyped(const flow::Access &A, std::string &Type) const;
  /// Whether the code still compiles when the pointer is one to const.
  bool fitsConst(const flow::Access &A);
  /// The last statement of the block of \p P that uses the pointer; null where the tensor is used
  /// otherwise before it, or the function is left in it.
  const clang::Stmt *lastUse(llvm::ArrayRef<const flow::Access *> Same, const Place &P) const;
  void include(clang::SourceLocation At, Edit &Result);

  /// Files that were given the include already.
  std::set<std::string> &Included;
};

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_SHIMFIX_H
