//===--- TidyRun.cpp --------------------------------------------------------===//
#include "TidyRun.h"
#include "DefaultChecks.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/Config/llvm-config.h"

namespace torch_tidy::support {

using namespace clang::tidy;

namespace {

/// The .clang-tidy files of a source, and the torch checks where these do not turn them off.
class Options : public FileOptionsProvider {
public:
  using FileOptionsProvider::FileOptionsProvider;

  std::vector<OptionsSource> getRawOptions(llvm::StringRef FileName) override {
    std::vector<OptionsSource> Sources = FileOptionsProvider::getRawOptions(FileName);
    // The last one is the command line's. The others' lists become one, with ours in it.
    std::string Checks;
    for (size_t I = 0; I + 1 < Sources.size(); ++I) {
      if (Sources[I].first.Checks)
        Checks += "," + *Sources[I].first.Checks;
      Sources[I].first.Checks.reset();
    }
    ClangTidyOptions All;
    All.Checks = withTorchChecks(Checks);
    Sources.insert(Sources.empty() ? Sources.end() : std::prev(Sources.end()),
                   {std::move(All), "torch-tidy"});
    return Sources;
  }
};

} // namespace

std::vector<ClangTidyError> runTidy(const clang::tooling::CompilationDatabase &Database,
                                    const std::string &File, const TidySettings &Settings,
                                    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS) {
  ClangTidyOptions Override;
  if (!Settings.Checks.empty())
    Override.Checks = Settings.Checks;
  Override.HeaderFilterRegex = Settings.HeaderFilter;
  for (const auto &[Name, Value] : Settings.CheckOptions)
    Override.CheckOptions[Name] = ClangTidyOptions::ClangTidyValue(Value);
  ClangTidyOptions Default = ClangTidyOptions::getDefaults();
  Default.Checks = "-*";
  auto Provider =
      std::make_unique<Options>(ClangTidyGlobalOptions(), std::move(Default), std::move(Override),
                                llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(FS));
#if LLVM_VERSION_MAJOR >= 22
  ClangTidyContext Context(std::move(Provider), /*AllowEnablingAnalyzerAlphaCheckers=*/false,
                           /*EnableModuleHeadersParsing=*/false,
                           /*ExperimentalCustomChecks=*/false);
  return runClangTidy(Context, Database, {File}, std::move(FS), /*ApplyAnyFix=*/false,
                      /*EnableCheckProfile=*/false, /*StoreCheckProfile=*/llvm::StringRef(),
                      /*Quiet=*/true);
#else
  ClangTidyContext Context(std::move(Provider), /*AllowEnablingAnalyzerAlphaCheckers=*/false,
                           /*EnableModuleHeadersParsing=*/false);
  return runClangTidy(Context, Database, {File}, std::move(FS), /*ApplyAnyFix=*/false,
                      /*EnableCheckProfile=*/false);
#endif
}

} // namespace torch_tidy::support
