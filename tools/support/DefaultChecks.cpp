//===--- DefaultChecks.cpp --------------------------------------------------===//
#include "DefaultChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace torch_tidy {

std::string withTorchChecks(llvm::StringRef Checks) {
  llvm::SmallVector<llvm::StringRef, 16> Items;
  // A list in a YAML block has line breaks instead of commas.
  llvm::SplitString(Checks, Items, ",\n");
  for (llvm::StringRef &Item : Items)
    Item = Item.trim();
  const auto SpeaksOfTorch = [](llvm::StringRef Item) { return Item.contains("torch-"); };
  if (llvm::any_of(
          Items, [&](llvm::StringRef Item) { return SpeaksOfTorch(Item) && Item.front() != '-'; }))
    return Checks.str();
  // What follows takes away from it; what comes before (`-*`) does not.
  Items.insert(llvm::find_if(Items, SpeaksOfTorch), "torch-*");
  return llvm::join(Items, ",");
}

} // namespace torch_tidy
