//===--- Facts.h - symbols and facts of the tensor-flow analysis ----------===//
//
// A *symbol* is one thing the program does not tell for certain: where the tensor of a parameter
// lives, which device a run-time choice gives, whether a module's output carries gradients. A
// *fact* is a set of symbols: a tensor whose device fact is {a, b} is where `a` or where `b` is.
// The analysis state keeps what guards have proven about facts beside them, so that a guard on one
// tensor speaks for every tensor whose fact is the same (`zeros_like(x)`, `x.options()`).
//
// The same machinery serves two questions: "may it be on an accelerator?" and "may it require
// grad?". For both, `Evidence::None` is the proof that it is not so.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_FACTS_H
#define TORCH_TIDY_FLOW_FACTS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace torch_tidy::flow {

/// How strongly something is known; the levels of checks' `MinEvidence` and `None`, the proof that
/// it is not so.
enum class Evidence : uint8_t { None, Possible, Likely, Proven };

using SymbolId = uint32_t;
using FactId = uint32_t;

struct Symbol {
  Evidence Base = Evidence::Possible; ///< What is known before any guard.
  clang::SourceLocation Loc;          ///< Where it comes from; shown as a note.
  std::string Text;                   ///< The note's text; no note where empty.
  /// What the symbol stands for (a declaration, an expression); its identity.
  const void *Key = nullptr;
};

/// Joins the evidence of two ways to reach one point: proven only if both are, likely as soon as
/// one way is and the other is not.
inline Evidence joinEvidence(Evidence A, Evidence B) {
  if (A == B)
    return A;
  if (A >= Evidence::Likely || B >= Evidence::Likely)
    return Evidence::Likely;
  return Evidence::Possible;
}

inline Evidence minEvidence(Evidence A, Evidence B) { return A < B ? A : B; }
inline Evidence maxEvidence(Evidence A, Evidence B) { return A < B ? B : A; }

/// Interns symbols and facts. One table for each translation unit; ids are stable in it.
class FactTable {
public:
  /// The proof that it is not so: on the host, no gradient.
  static constexpr FactId Host = 0;
  static constexpr unsigned MaxSymbols = 6;

  FactTable();

  /// The symbol of \p Key and \p Variant, created at first use with the other arguments.
  SymbolId symbol(const void *Key, unsigned Variant, Evidence Base, clang::SourceLocation Loc,
                  llvm::StringRef Text);
  const Symbol &operator[](SymbolId Id) const { return Symbols[Id]; }

  FactId fact(SymbolId Symbol);
  FactId fact(llvm::ArrayRef<SymbolId> Symbols);
  llvm::ArrayRef<SymbolId> symbols(FactId Fact) const { return *Sets[Fact]; }

  /// The fact of a value that is what \p A or what \p B tells, by path.
  FactId join(FactId A, FactId B);
  /// \p Fact with \p From replaced by \p To.
  FactId replace(FactId Fact, SymbolId From, SymbolId To);
  bool contains(FactId Fact, SymbolId Symbol) const;

  /// The name of \p Symbol's values from earlier turns of the loop that makes it anew.
  SymbolId older(SymbolId Symbol);

private:
  using Set = llvm::SmallVector<SymbolId, 2>;
  std::deque<Symbol> Symbols;
  std::map<std::pair<const void *, unsigned>, SymbolId> ByKey;
  std::map<SymbolId, SymbolId> Older;
  std::map<Set, FactId> Ids;
  std::deque<const Set *> Sets;
};

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_FACTS_H
