//===--- Analyse.h - one translation unit -----------------------------------===//
#ifndef TORCH_TIDY_RUNNER_ANALYSE_H
#define TORCH_TIDY_RUNNER_ANALYSE_H

#include "Finding.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace torch_tidy::runner {

/// What to analyse, and how. It goes to the analysing process as a JSON file.
struct AnalysisSpec {
  std::string File;
  std::string Directory;
  std::vector<std::string> Arguments;
  /// Precompiled header; left out where it is empty or does not fit.
  std::string Pch;
  std::string ResourceDir;
  std::string Root;
  /// Checks as --checks of clang-tidy takes them, behind those of .clang-tidy.
  std::string Checks;
  /// Options of checks, stronger than those of .clang-tidy.
  std::map<std::string, std::string> CheckOptions;
  /// Stands for the .clang-tidy files that hold for the file: another one is another analysis.
  std::string Configuration;
  /// Files that are read instead of others.
  std::map<std::string, std::string> Overlay;
  /// Where the UnitResult goes, and beside it the dependencies (.d) and what a crash printed
  /// (.err).
  std::string Result;
  /// Seconds for one file.
  uint64_t Timeout = 0;
};

llvm::json::Value toJSON(const AnalysisSpec &S);
bool fromJSON(const llvm::json::Value &V, AnalysisSpec &S, llvm::json::Path P);

/// Analyses the unit of the spec in \p SpecFile in a process of its own, whose crash or endless
/// loop becomes a Failure in the result. The exit status: 0, or 1 where it is to be tried again.
int analyse(const char *Program, llvm::StringRef SpecFile);

/// The same in this process.
int analyseHere(llvm::StringRef SpecFile);

llvm::Expected<UnitResult> readResult(llvm::StringRef Path);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_ANALYSE_H
