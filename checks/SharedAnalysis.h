//===--- SharedAnalysis.h - one analysis for all checks of a file ----------===//
#ifndef TORCH_TIDY_SHAREDANALYSIS_H
#define TORCH_TIDY_SHAREDANALYSIS_H

#include "fixes/AccessFix.h"
#include "flow/TranslationUnit.h"
#include <memory>
#include <mutex>
#include <vector>

namespace clang::tidy {
class ClangTidyContext;
}

namespace torch_tidy {

class TorchCheck;

/// What the torch checks of one file share: the analysis, run when the first match comes, and who
/// reports what. Owned by the checks.
class SharedAnalysis {
public:
  void add(TorchCheck *Check) { Checks.push_back(Check); }
  void remove(TorchCheck *Check);
  /// True for the one check whose matchers start the analysis.
  bool leads(const TorchCheck *Check) const { return !Checks.empty() && Checks.front() == Check; }
  /// Analyses the file of \p Context and lets every check report; once for each file.
  void run(clang::ASTContext &Context);

  flow::Settings Settings;
  /// Least evidence of torch-host-access, where it is enabled: it speaks alone about its calls.
  flow::Evidence HostMinimum = flow::Evidence::None;
  bool HostEnabled = false;
  /// torch-host-access also reports pointers that go where the file does not see.
  bool HostEscapes = false;
  flow::Evidence DanglingMinimum = flow::Evidence::None;
  bool DanglingEnabled = false;
  bool ScalarEnabled = false;
  /// Names that the edits of several checks give to copies on the host.
  fixes::GivenNames HostNames;
  /// Files that the edits of `FixStyle: shim` gave the include of torch_host.
  std::set<std::string> ShimIncluded;

private:
  std::vector<TorchCheck *> Checks;
  const clang::ASTContext *Done = nullptr;
};

/// Finds the shared analysis of a clang-tidy context. One registry belongs to each set of check
/// factories; clangd runs several contexts at once, so that it is locked.
class AnalysisRegistry {
public:
  std::shared_ptr<SharedAnalysis> get(const clang::tidy::ClangTidyContext *Context);

private:
  std::mutex Lock;
  std::map<const clang::tidy::ClangTidyContext *, std::weak_ptr<SharedAnalysis>> Entries;
};

} // namespace torch_tidy

#endif // TORCH_TIDY_SHAREDANALYSIS_H
