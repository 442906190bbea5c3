//===--- Gate.h - which reports count ---------------------------------------===//
#ifndef TORCH_TIDY_RUNNER_GATE_H
#define TORCH_TIDY_RUNNER_GATE_H

#include "Finding.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace torch_tidy::runner {

/// The reports that a project has already, by fingerprint; equal lines count several times.
struct Baseline {
  std::map<std::string, unsigned> Counts;
};

llvm::Expected<Baseline> readBaseline(llvm::StringRef Path);
/// Writes \p Findings as a baseline, sorted, one report a line, so that it can be merged and read.
llvm::Error writeBaseline(llvm::StringRef Path, const std::vector<Finding> &Findings);
/// Takes the reports that \p Known has out of \p Findings; gives their number.
size_t dropKnown(std::vector<Finding> &Findings, Baseline Known);

/// Lines of files, relative to the root.
struct ChangedLines {
  std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> Ranges;
  std::set<std::string> WholeFiles;

  bool contains(const Place &P) const;
  bool touches(const std::string &File) const {
    return WholeFiles.count(File) || Ranges.count(File);
  }
};

/// What the work tree at \p Root has changed since \p Revision, files that git does not track
/// included.
llvm::Expected<ChangedLines> changedSince(const std::string &Root, const std::string &Revision);

/// Keeps the reports that a change brings in: the report itself or one of its notes (the line that
/// chose the device, the one that uses the memory) is on a changed line.
void keepChanged(std::vector<Finding> &Findings, const ChangedLines &Changed);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_GATE_H
