//===--- TorchCheck.h - base class of the torch checks ----------------------===//
#ifndef TORCH_TIDY_TORCHCHECK_H
#define TORCH_TIDY_TORCHCHECK_H

#include "SharedAnalysis.h"
#include "support/Compat.h"

namespace torch_tidy {

/// A boolean option. An enumeration, because GCC and clang mangle `OptionsView::get<bool>`
/// differently (`std::is_integral_v` in its signature), so that a plugin built by one does not load
/// into a clang-tidy built by the other.
enum class Flag : uint8_t { Off, On };

/// A consumer of the flow analysis: reads the options that all torch checks share, and reports when
/// the analysis of the file is done.
///
/// Options:
///   - `MinEvidence` (possible, likely, proven): the least evidence that is reported.
///   - `HostFunctions`, `DeviceFunctions`: functions of the project, separated by semicolons, that
///     read their pointer arguments on the host, or hand them to the device.
///   - `CpuGuards`, `CudaGuards`: functions that return (or return true) only if their tensor
///     arguments are on the host, or on an accelerator.
///   - `TrustCpuNames` (default: true): functions whose name says CPU get host tensors.
///   - `ReportEscapes` (default: false): also report pointers that leave the file.
///   - `FixStyle` (inline, shim; default: inline).
///   - `ShowEvidence` (default: false): reports end in `; evidence: likely` or the like, for
///     programs that read them.
///   - `OnlyTorch` (default: false): says that no other check is on, so that the traversal of the
///     file ends with the analysis; LLVM 19 would load every declaration of a precompiled header.
class TorchCheck : public clang::tidy::ClangTidyCheck {
public:
  TorchCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
             std::shared_ptr<SharedAnalysis> Shared, flow::Evidence DefaultEvidence);
  ~TorchCheck() override;

  bool isLanguageVersionSupported(const clang::LangOptions &LangOpts) const override {
    return LangOpts.CPlusPlus;
  }
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &Result) override;

  /// Reports what the check finds in \p TU; called once for each file.
  virtual void report(const flow::TranslationUnit &TU) = 0;

protected:
  /// Warns at \p Loc of something that \p Level says of the program.
  clang::DiagnosticBuilder warn(clang::SourceLocation Loc, flow::Evidence Level,
                                llvm::StringRef Text);
  /// The source text of \p E on one line; empty where it is not spelled in the file or is long.
  std::string textOf(const clang::Expr *E, const clang::ASTContext &Context) const;
  /// Notes where \p Use happens, unless it is on the line of the access itself.
  void noteUse(const flow::PointerUse &Use, const clang::ASTContext &Context);
  void note(clang::SourceLocation Loc, llvm::StringRef Text);

  std::shared_ptr<SharedAnalysis> Shared;
  const fixes::FixStyle Style;
  const flow::Evidence MinEvidence;
  const Flag ReportEscapes;

private:
  const std::string HostFunctions, DeviceFunctions, CpuGuards, CudaGuards;
  const Flag TrustCpuNames, ShowEvidence, OnlyTorch;
};

/// The uses of \p A that are host uses on a tensor that may be on an accelerator, strongest first
/// in source order, and what they say together.
struct HostVerdict {
  flow::Evidence Device = flow::Evidence::None;
  const flow::PointerUse *Strongest = nullptr;
  bool Writes = false;
  bool OnlyBlob = true;
  bool OnlyEscapes =
      false; ///< With `ReportEscapes`: all that is seen is that the pointer leaves the file.
};
HostVerdict judgeHost(const SharedAnalysis &Shared, const flow::Access &A);
/// True where torch-host-access reports \p A, so that no other check speaks about the call.
bool hostReports(const SharedAnalysis &Shared, const flow::Access &A);
/// True where torch-scalar-read reports \p A, unless torch-host-access does.
bool scalarReports(const SharedAnalysis &Shared, const flow::Access &A, fixes::AccessFixer &Fixer);
/// True where torch-dangling-data reports \p A, whose edit keeps the tensor then.
bool dangles(const SharedAnalysis &Shared, const flow::Access &A);

} // namespace torch_tidy

namespace clang::tidy {
template <> struct OptionEnumMapping<torch_tidy::Flag> {
  static llvm::ArrayRef<std::pair<torch_tidy::Flag, llvm::StringRef>> getEnumMapping();
};
template <> struct OptionEnumMapping<torch_tidy::flow::Evidence> {
  static llvm::ArrayRef<std::pair<torch_tidy::flow::Evidence, llvm::StringRef>> getEnumMapping();
};
template <> struct OptionEnumMapping<torch_tidy::fixes::FixStyle> {
  static llvm::ArrayRef<std::pair<torch_tidy::fixes::FixStyle, llvm::StringRef>> getEnumMapping();
};
} // namespace clang::tidy

#endif // TORCH_TIDY_TORCHCHECK_H
