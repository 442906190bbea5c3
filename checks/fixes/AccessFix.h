//===--- AccessFix.h - edits for raw accesses --------------------------------===//
//
// The naive insertion of `.detach().cpu()` is wrong wherever the pointer outlives the full
// expression: the copy dies and the pointer dangles. The edits here hoist the tensor into a
// variable where they have to, and are empty where no edit is known to be right.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FIXES_ACCESSFIX_H
#define TORCH_TIDY_FIXES_ACCESSFIX_H

#include "../flow/TranslationUnit.h"
#include "clang/AST/ParentMap.h"
#include "clang/Basic/Diagnostic.h"
#include <set>

namespace torch_tidy::fixes {

enum class FixStyle : uint8_t { Inline, Shim };

struct Edit {
  llvm::SmallVector<clang::FixItHint, 4> Hints;
  explicit operator bool() const { return !Hints.empty(); }
};

inline const clang::StreamingDiagnostic &operator<<(const clang::StreamingDiagnostic &D,
                                                    const Edit &E) {
  for (const clang::FixItHint &Hint : E.Hints)
    D << Hint;
  return D;
}

/// \p R where it is written in one file, to the end of its last token; invalid where it is not.
clang::CharSourceRange fileRange(clang::SourceRange R, const clang::ASTContext &Context);

/// The text of \p R or \p E as spelled in the file, with runs of white space folded; empty where it
/// is not spelled there as a whole or is longer than \p MaxLength.
std::string sourceText(clang::SourceRange R, const clang::ASTContext &Context, unsigned MaxLength);
std::string sourceText(const clang::Expr *E, const clang::ASTContext &Context, unsigned MaxLength);

/// `v(t.data_ptr(), t.data_ptr() + n)` is one report: remembers which tensors were reported in
/// which full expression.
class ReportedTensors {
public:
  explicit ReportedTensors(const clang::ASTContext &Context) : Context(Context) {}
  /// True the first time for the tensor and the full expression of \p A.
  bool first(const flow::Access &A);

private:
  const clang::ASTContext &Context;
  std::set<std::pair<unsigned, std::string>> Seen;
};

/// Whether all that is done with the memory of \p A is to read the one element of the tensor.
bool readsOnlyElement(const flow::Access &A);

/// Names given to variables, with the function that has them.
using GivenNames = std::set<std::pair<unsigned, std::string>>;

/// Makes the edits for one file; remembers the names it gave to variables.
class AccessFixer {
public:
  /// \p Names: of several fixers, so that their variables do not meet.
  explicit AccessFixer(const clang::ASTContext &Context, GivenNames *Names = nullptr);
  ~AccessFixer();

  /// Copies the tensor of \p A to the host before its memory is read: in place where the pointer is
  /// dead at the end of the full expression, else into a variable that all accesses to the tensor
  /// in the full expression (among \p All) then use.
  Edit copyToHost(const flow::Access &A, const std::vector<flow::Access> &All);
  /// Reads the result of \p Calls (`to(torch::kFloat)`, `contiguous()`) on the tensor instead;
  /// \p Suffix names the variable. Only for memory that is read.
  Edit convert(const flow::Access &A, const std::vector<flow::Access> &All, llvm::StringRef Calls,
               llvm::StringRef Suffix);
  /// The expression that reads an element of \p A right where the pointer is taken: `*p`, `p[0]`;
  /// null where the pointer goes elsewhere.
  const clang::Expr *elementRead(const flow::Access &A);
  /// Makes that expression `item<T>()`.
  Edit item(const flow::Access &A);
  /// Reads the detached tensor, which shares the memory.
  Edit detach(const flow::Access &A, const std::vector<flow::Access> &All);
  /// Keeps the temporary that \p A was taken from in a variable.
  Edit keep(const flow::Access &A);
  /// A name for a copy of the receiver of \p A that nothing in \p In has.
  std::string freshName(const flow::Access &A, llvm::StringRef Suffix, clang::SourceRange In);

protected:
  /// Where a declaration can go.
  struct Place {
    const clang::Stmt *Statement = nullptr; ///< The statement before which it goes.
    const clang::Stmt *Block = nullptr;     ///< The compound statement that has it.
    const clang::Expr *Outermost = nullptr; ///< The full expression.
  };
  llvm::SmallVector<const flow::Access *, 2> inSameExpression(const flow::Access &A,
                                                              const std::vector<flow::Access> &All);
  clang::ParentMap *parents(const flow::Access &A);
  bool place(const flow::Access &A, Place &P);

  const clang::ASTContext &Context;
  const clang::SourceManager &SM;

private:
  Edit hoist(const flow::Access &A, llvm::ArrayRef<const flow::Access *> Same,
             llvm::StringRef Calls, llvm::StringRef Suffix);
  Edit insertBeforeMethod(const flow::Access &A, llvm::StringRef Calls);

  std::map<const clang::Stmt *, std::unique_ptr<clang::ParentMap>> Maps;
  GivenNames Own;
  GivenNames &Names;
};

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_ACCESSFIX_H
