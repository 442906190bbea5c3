//===--- Commands.h - compilers' commands as clang reads them ---------------===//
#ifndef TORCH_TIDY_RUNNER_COMMANDS_H
#define TORCH_TIDY_RUNNER_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace torch_tidy::runner {

/// The command of one translation unit, ready for clang.
struct ClangCommand {
  /// Compiler, flags and the file, without output, dependency and warning flags.
  std::vector<std::string> Arguments;
  /// Why the command cannot be used; empty where it can.
  std::string Problem;
  bool Cuda = false;
};

/// Makes a clang command of \p Arguments, the command of some compiler for \p File: flags that only
/// GCC or nvcc know are left out or translated, those about outputs and warnings are left out.
/// nvcc's host side is what is analysed.
ClangCommand clangCommand(llvm::ArrayRef<std::string> Arguments, llvm::StringRef File);

/// \p Arguments without the file: what two units must share to share a precompiled header.
std::vector<std::string> flagsOf(llvm::ArrayRef<std::string> Arguments, llvm::StringRef File);

/// The directories in which \p Arguments look for headers, made absolute, quoted ones first.
std::vector<std::string> includeDirectories(llvm::ArrayRef<std::string> Arguments,
                                            llvm::StringRef Directory);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_COMMANDS_H
