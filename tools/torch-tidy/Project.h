//===--- Project.h - the translation units of a project ---------------------===//
#ifndef TORCH_TIDY_RUNNER_PROJECT_H
#define TORCH_TIDY_RUNNER_PROJECT_H

#include "Finding.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace torch_tidy::runner {

/// What of a project is analysed, as the user says it.
struct ProjectOptions {
  /// The directory that holds compile_commands.json; empty: looked for from the current one.
  std::string BuildDir;
  /// The directory whose files are the user's; empty: the work tree of git, or what the units
  /// share.
  std::string Root;
  /// Only units whose path below the root matches one of these, or lies in one; empty: all.
  std::vector<std::string> Paths;
  /// No units and no reports in files whose path below the root matches this expression.
  std::string Exclude;
  /// This part of so many.
  unsigned Shard = 1, Shards = 1;
  bool Precompile = true;
};

/// One command of the compilation database.
struct Unit {
  std::string File;
  std::string Directory;
  std::vector<std::string> Arguments;
  /// Number of its precompiled header in Project::Prefixes, or -1.
  int Prefix = -1;
  /// The project's files that it includes.
  std::vector<std::string> Includes;
  /// That list may lack files.
  bool IncludesUnknown = false;
  /// Different for any two commands.
  std::string Id;
};

/// A precompiled header that several units share.
struct Prefix {
  std::vector<std::string> Headers;
  std::vector<std::string> Flags;
  std::string Directory;
  bool Cuda = false;
  std::string Id;
};

struct Project {
  std::string Root;
  std::string BuildDir;
  std::vector<Unit> Units;
  std::vector<Prefix> Prefixes;
  /// Commands that cannot be analysed.
  std::vector<Failure> Failures;
};

/// Reads the compilation database. Errors say what to do.
llvm::Expected<Project> readProject(const ProjectOptions &Options);

/// A short hash for names of files.
std::string idOf(llvm::StringRef Text);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_PROJECT_H
