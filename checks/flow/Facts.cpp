//===--- Facts.cpp - symbols and facts of the tensor-flow analysis --------===//
#include "Facts.h"
#include "llvm/ADT/STLExtras.h"

namespace torch_tidy::flow {

FactTable::FactTable() {
  Symbols.push_back({Evidence::None, {}, "", nullptr});
  fact(SymbolId(0));
}

SymbolId FactTable::symbol(const void *Key, unsigned Variant, Evidence Base,
                           clang::SourceLocation Loc, llvm::StringRef Text) {
  auto [It, New] = ByKey.try_emplace({Key, Variant}, SymbolId(Symbols.size()));
  if (New)
    Symbols.push_back({Base, Loc, Text.str(), Key});
  return It->second;
}

FactId FactTable::fact(SymbolId Symbol) { return fact(llvm::ArrayRef<SymbolId>(Symbol)); }

FactId FactTable::fact(llvm::ArrayRef<SymbolId> List) {
  Set Sorted(List.begin(), List.end());
  llvm::sort(Sorted);
  Sorted.erase(std::unique(Sorted.begin(), Sorted.end()), Sorted.end());
  // Too many origins to keep apart: the strongest stand for all.
  if (Sorted.size() > MaxSymbols) {
    llvm::stable_sort(Sorted,
                      [&](SymbolId A, SymbolId B) { return Symbols[A].Base > Symbols[B].Base; });
    bool Mixed = Symbols[Sorted.front()].Base != Symbols[Sorted.back()].Base;
    SymbolId Last = Sorted.back();
    Sorted.resize(MaxSymbols);
    if (Mixed)
      Sorted.back() = Last;
    llvm::sort(Sorted);
  }
  auto [It, New] = Ids.try_emplace(std::move(Sorted), FactId(Sets.size()));
  if (New)
    Sets.push_back(&It->first);
  return It->second;
}

FactId FactTable::join(FactId A, FactId B) {
  if (A == B)
    return A;
  Set All(Sets[A]->begin(), Sets[A]->end());
  All.append(Sets[B]->begin(), Sets[B]->end());
  return fact(All);
}

FactId FactTable::replace(FactId Fact, SymbolId From, SymbolId To) {
  Set All(Sets[Fact]->begin(), Sets[Fact]->end());
  for (SymbolId &S : All)
    if (S == From)
      S = To;
  return fact(All);
}

bool FactTable::contains(FactId Fact, SymbolId Symbol) const {
  return llvm::is_contained(*Sets[Fact], Symbol);
}

SymbolId FactTable::older(SymbolId Id) {
  auto [It, New] = Older.try_emplace(Id, SymbolId(Symbols.size()));
  if (New) {
    Symbol Copy = Symbols[Id];
    Symbols.push_back(std::move(Copy));
    Older.try_emplace(It->second, It->second);
  }
  return It->second;
}

} // namespace torch_tidy::flow
