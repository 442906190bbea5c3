//===--- TorchClangTidy.cpp - clang-tidy with the torch checks built in -----===//
//
// Everything but two things is clang-tidy's own main program: `--version` also says which
// torch-tidy this is, and clang's own headers are found wherever the program is installed.
//
//===----------------------------------------------------------------------===//
#include "support/ResourceDir.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace clang::tidy {
int clangTidyMain(int Argc, const char **Argv);
}

int main(int Argc, const char **Argv) {
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &OS) {
    OS << "torch-tidy:\n  torch-tidy version " << torch_tidy::version() << "\n";
  });
  std::vector<const char *> Arguments(Argv, Argv + Argc);
  const std::string Resources = torch_tidy::resourceDir();
  const std::string Option = "--extra-arg-before=-resource-dir=" + Resources;
  if (!Resources.empty() && !torch_tidy::namesResourceDir({Argv, static_cast<size_t>(Argc)}))
    Arguments.insert(Arguments.begin() + 1, Option.c_str());
  Arguments.push_back(nullptr);
  return clang::tidy::clangTidyMain(static_cast<int>(Arguments.size()) - 1, Arguments.data());
}
