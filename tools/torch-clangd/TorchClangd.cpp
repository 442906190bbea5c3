//===--- TorchClangd.cpp - clangd with the torch checks built in ------------===//
//
// clangd's own main program; ClangdHooks.cpp says what is different in it. Here it is only told
// where clang's own headers are, which clangd looks for beside its executable.
//
//===----------------------------------------------------------------------===//
#include "support/ResourceDir.h"
#include <cstdlib>
#include <string>
#include <vector>

namespace clang::clangd {
int clangdMain(int Argc, char *Argv[]);
}

int main(int Argc, char *Argv[]) {
  std::vector<char *> Arguments(Argv, Argv + Argc);
  // clangd reads further arguments from this variable, and refuses an option that is given twice.
  const char *Flags = std::getenv("CLANGD_FLAGS");
  std::vector<const char *> Given(Argv, Argv + Argc);
  if (Flags)
    Given.push_back(Flags);
  const std::string Resources = torch_tidy::resourceDir();
  std::string Option = "--resource-dir=" + Resources;
  if (!Resources.empty() && !torch_tidy::namesResourceDir(Given))
    Arguments.insert(Arguments.begin() + 1, Option.data());
  Arguments.push_back(nullptr);
  return clang::clangd::clangdMain(static_cast<int>(Arguments.size()) - 1, Arguments.data());
}
