//===--- TidyRun.h - clang-tidy as a function -------------------------------===//
#ifndef TORCH_TIDY_TOOLS_SUPPORT_TIDYRUN_H
#define TORCH_TIDY_TOOLS_SUPPORT_TIDYRUN_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>
#include <vector>

namespace torch_tidy::support {

struct TidySettings {
  /// As for --checks; behind the checks of .clang-tidy.
  std::string Checks;
  /// Stronger than those of .clang-tidy.
  std::map<std::string, std::string> CheckOptions;
  std::string HeaderFilter;
};

/// Runs clang-tidy on \p File with the configuration of its .clang-tidy files and \p Settings. The
/// torch checks are on unless a .clang-tidy file turns them off (DefaultChecks.h). All differences
/// between LLVM 19 and 22 in this interface are here.
std::vector<clang::tidy::ClangTidyError>
runTidy(const clang::tooling::CompilationDatabase &Database, const std::string &File,
        const TidySettings &Settings, llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS);

} // namespace torch_tidy::support

#endif // TORCH_TIDY_TOOLS_SUPPORT_TIDYRUN_H
