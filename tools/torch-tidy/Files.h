//===--- Files.h - reading and writing without losing anything --------------===//
#ifndef TORCH_TIDY_RUNNER_FILES_H
#define TORCH_TIDY_RUNNER_FILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace torch_tidy::runner {

/// Writes \p Text to \p Path as a whole or not at all: into a temporary file beside it, flushed to
/// the disk, that then takes its name and its mode. A link is followed.
llvm::Error writeAtomically(llvm::StringRef Path, llvm::StringRef Text);

/// The same, but leaves a file that holds \p Text already as it is, with its time.
llvm::Error writeIfChanged(llvm::StringRef Path, llvm::StringRef Text);

llvm::Expected<std::string> readFile(llvm::StringRef Path);

/// \p Path made absolute from \p Directory, without dots.
std::string absolute(llvm::StringRef Path, llvm::StringRef Directory);

/// \p Path relative to \p Root where it lies below it, else as it is.
std::string relativeTo(llvm::StringRef Path, llvm::StringRef Root);
bool isBelow(llvm::StringRef Path, llvm::StringRef Root);

/// \p Text as one word of a POSIX shell.
std::string shellQuoted(llvm::StringRef Text);

struct CommandOutput {
  int Status = 0;
  std::string Out;
  std::string Err;
};

/// Runs a program that is found in PATH and gives what it printed.
llvm::Expected<CommandOutput> runCommand(llvm::ArrayRef<std::string> Command);

template <class... Parts> llvm::Error failure(const char *Format, Parts &&...Values) {
  return llvm::createStringError(std::errc::invalid_argument, Format,
                                 std::forward<Parts>(Values)...);
}

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_FILES_H
