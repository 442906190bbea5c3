//===--- Includes.h - what a file includes, without preprocessing it --------===//
#ifndef TORCH_TIDY_RUNNER_INCLUDES_H
#define TORCH_TIDY_RUNNER_INCLUDES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace torch_tidy::runner {

/// What a translation unit includes, found by reading `#include` lines of the project's own files.
/// Conditions are not evaluated, so that this may be more than the compiler reads.
struct IncludeClosure {
  /// The project's files, the unit itself first.
  std::vector<std::string> Files;
  /// Headers of LibTorch as they are named, such as `torch/torch.h`, in order.
  std::vector<std::string> Torch;
  /// A macro is defined before the first of them, which may change what they say.
  bool DefinesBefore = false;
  /// An include names no file of the project and none in the given directories (a system header),
  /// or is made by a macro: the closure may lack files.
  bool Computed = false;
};

/// Reads each file once.
class IncludeScanner {
public:
  /// Only files below \p Root are read.
  explicit IncludeScanner(std::string Root) : Root(std::move(Root)) {}

  IncludeClosure scan(llvm::StringRef File, llvm::ArrayRef<std::string> Directories);

private:
  struct Line {
    enum { Quoted, Angled, Macro, Define } Kind;
    std::string Name;
  };
  const std::vector<Line> &linesOf(llvm::StringRef File);
  void visit(llvm::StringRef File, llvm::ArrayRef<std::string> Directories,
             llvm::StringMap<bool> &Seen, IncludeClosure &Result);

  const std::string Root;
  llvm::StringMap<std::vector<Line>> Lines;
  llvm::StringMap<bool> Exists;
};

/// The headers of LibTorch to precompile for a unit that includes \p Torch: those that hold the
/// rest, sorted.
std::vector<std::string> prefixHeaders(llvm::ArrayRef<std::string> Torch);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_INCLUDES_H
