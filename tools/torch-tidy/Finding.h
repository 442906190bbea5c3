//===--- Finding.h - what the runner knows about one report -----------------===//
#ifndef TORCH_TIDY_RUNNER_FINDING_H
#define TORCH_TIDY_RUNNER_FINDING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <tuple>
#include <vector>

namespace torch_tidy::runner {

/// A position in a file; lines and columns count from 1, columns and offsets in bytes.
struct Place {
  std::string File;
  uint64_t Line = 0;
  uint64_t Column = 0;
  uint64_t Offset = 0;
};

struct Note {
  Place At;
  std::string Message;
};

/// \p Length bytes from \p Offset become \p Text.
struct Replacement {
  std::string File;
  uint64_t Offset = 0;
  uint64_t Length = 0;
  std::string Text;

  bool operator==(const Replacement &R) const {
    return std::tie(File, Offset, Length, Text) == std::tie(R.File, R.Offset, R.Length, R.Text);
  }
  bool operator<(const Replacement &R) const {
    return std::tie(File, Offset, Length, Text) < std::tie(R.File, R.Offset, R.Length, R.Text);
  }
};

/// How sure a check is, in rising order.
enum class Evidence { Possible, Likely, Proven };
llvm::StringRef nameOf(Evidence E);

struct Finding {
  std::string Check;
  std::string Message;
  Evidence Level = Evidence::Proven;
  Place At;
  /// The line of the file, without its end.
  std::string SourceLine;
  std::vector<Note> Notes;
  std::vector<Replacement> Fix;
  /// Stays the same when the line is moved or indented differently.
  std::string Fingerprint;

  /// Order of reports, and what makes two of them one.
  auto key() const { return std::tie(At.File, At.Offset, Check, Message); }
};

/// A file that could not be analysed as a whole.
struct Failure {
  std::string File;
  /// One of: command, missing, parse, crash, timeout.
  std::string Kind;
  std::string Detail;
};

/// What one translation unit gave.
struct UnitResult {
  std::string File;
  std::vector<Finding> Findings;
  std::vector<Failure> Failures;
  /// Flags of the compiler that clang does not know and that were left out.
  std::vector<std::string> IgnoredFlags;
  /// Every file of the project that was read.
  std::vector<std::string> Read;
};

llvm::json::Value toJSON(const Replacement &R);
llvm::json::Value toJSON(const Note &N);
llvm::json::Value toJSON(const Finding &F);
llvm::json::Value toJSON(const Failure &F);
llvm::json::Value toJSON(const UnitResult &R);
bool fromJSON(const llvm::json::Value &V, Replacement &R, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &V, Note &N, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &V, Finding &F, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &V, Failure &F, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &V, UnitResult &R, llvm::json::Path P);
bool fromJSON(const llvm::json::Value &V, Evidence &E, llvm::json::Path P);

/// The fingerprint of \p F, whose file is relative to the project: of its check, file, message and
/// line without white space. Two equal lines of one file have the same one; a baseline counts them.
std::string fingerprintOf(const Finding &F);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_FINDING_H
