//===--- ResourceDir.h - what the programs know about their installation ----===//
#ifndef TORCH_TIDY_TOOLS_SUPPORT_RESOURCEDIR_H
#define TORCH_TIDY_TOOLS_SUPPORT_RESOURCEDIR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace torch_tidy {

/// The version of torch-tidy, such as "0.1.0".
llvm::StringRef version();

/// The directory of clang's own headers (`stddef.h` and so on). clang looks for it beside the
/// running program, which is right only for a program in LLVM's own prefix; this looks beside the
/// clang library that was loaded, and then where it was when torch-tidy was built. Empty where
/// neither exists.
std::string resourceDir();

/// The prefix of the LLVM that was loaded, such as /usr/lib/llvm-22; empty where it is unknown.
std::string llvmPrefix();

/// Whether command-line arguments state a resource directory already.
bool namesResourceDir(llvm::ArrayRef<const char *> Arguments);

} // namespace torch_tidy

#endif // TORCH_TIDY_TOOLS_SUPPORT_RESOURCEDIR_H
