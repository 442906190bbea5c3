//===--- Fix.h - applying edits ---------------------------------------------===//
#ifndef TORCH_TIDY_RUNNER_FIX_H
#define TORCH_TIDY_RUNNER_FIX_H

#include "Report.h"
#include "Schedule.h"
#include "llvm/Support/Error.h"
#include <string>

namespace torch_tidy::runner {

struct FixOptions {
  /// Print the diff, change nothing.
  bool DryRun = false;
  /// Work although git says that files have changes.
  bool AllowDirty = false;
  /// Compile every unit that reads a changed file, and take back the edits of files that break one.
  bool Verify = true;
};

/// Applies the edits of \p R's findings, each once, to the project's files. Of two edits that
/// overlap the first in the file is made. Each file is written as a whole or not at all. Prints the
/// diff to \p OS and what was done to standard error. True where every edit was made.
llvm::Expected<bool> applyFixes(const Report &R, const Results &Units, const Project &P,
                                const ScheduleOptions &Schedule, const FixOptions &Options,
                                const State &Where, const char *Program, llvm::raw_ostream &OS);

/// An error where the work tree at \p Root has changes that are not committed.
llvm::Error requireCleanTree(const std::string &Root);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_FIX_H
