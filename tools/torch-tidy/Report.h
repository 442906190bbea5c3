//===--- Report.h - what is printed -----------------------------------------===//
#ifndef TORCH_TIDY_RUNNER_REPORT_H
#define TORCH_TIDY_RUNNER_REPORT_H

#include "Finding.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace torch_tidy::runner {

enum class Format { Text, Json, Sarif, GitHub, GitLab };

/// What a run found. Files are relative to the root where they lie below it.
struct Report {
  std::string Root;
  size_t Files = 0;
  std::vector<Finding> Findings;
  std::vector<Failure> Failures;
  /// Reports left out because the baseline has them.
  size_t Known = 0;
  /// `file: flag`, for flags of other compilers that were left out.
  std::vector<std::string> IgnoredFlags;
};

/// \p R in one of the formats. \p Explain: text with each report's way through the code.
llvm::Error print(const Report &R, Format As, bool Explain, llvm::raw_ostream &OS);

/// Numbers by check and evidence, and the failures, for people.
void summarize(const Report &R, llvm::raw_ostream &OS);

void printSarif(const Report &R, llvm::raw_ostream &OS);

/// Reads what --format=json wrote.
llvm::Expected<Report> readReport(llvm::StringRef Path);
/// Sorts the findings, makes equal ones one, and gives the fingerprints.
void tidyUp(Report &R);

/// One line about what a check finds.
llvm::StringRef findsOf(llvm::StringRef Check);
/// The page of a check.
std::string pageOf(llvm::StringRef Check);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_REPORT_H
