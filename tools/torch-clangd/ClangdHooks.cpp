//===--- ClangdHooks.cpp - what torch-clangd changes in clangd --------------===//
//
// clangd is linked as it is packaged, in archives without headers, and has no way to turn checks
// on from outside but the user's own files. So some of its functions are wrapped by the linker
// (--wrap, see CMakeLists.txt): wherever clangd calls one of them from another object file, it
// calls the function here, and this calls clangd's. The declarations below are clangd's own, from
// clang-tools-extra/clangd/{TidyProvider,Feature,Protocol}.h; they are the same in LLVM 19 to 22.
// Parameters are part of the linker's names, so a clangd that changes them does not link; a clangd
// that no longer calls a function would go unnoticed here, which is what test/clangd/ is for.
//
//===----------------------------------------------------------------------===//
#include "clang-tidy/ClangTidyOptions.h"
#include "support/DefaultChecks.h"
#include "support/ResourceDir.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

// The name that the linker gives to clangd's function, and the one that clangd's calls get.
#define TORCH_TIDY_REAL(Mangled) __asm__("__real_" Mangled)
#define TORCH_TIDY_WRAP(Mangled) __asm__("__wrap_" Mangled)

namespace torch_tidy {

/// clangd's TidyProviderRef: fills in the options of a file. Empty with --clang-tidy=false.
using TidyProviderRef =
    llvm::function_ref<void(clang::tidy::ClangTidyOptions &, llvm::StringRef FileName)>;

// --- clang::clangd::getTidyOptionsForFile: the options of one file, from the defaults, its
// .clang-tidy files and clangd's configuration together.
#define TORCH_TIDY_NAME                                                                            \
  "_ZN5clang6clangd21getTidyOptionsForFileEN4llvm12function_refIFvRNS_4tidy16ClangTidyOptionsENS1" \
  "_9StringRefEEEES6_"
clang::tidy::ClangTidyOptions realTidyOptions(TidyProviderRef Provider, llvm::StringRef FileName)
    TORCH_TIDY_REAL(TORCH_TIDY_NAME);
clang::tidy::ClangTidyOptions wrapTidyOptions(TidyProviderRef Provider, llvm::StringRef FileName)
    TORCH_TIDY_WRAP(TORCH_TIDY_NAME);
#undef TORCH_TIDY_NAME

/// The torch checks are on unless the user's files say otherwise.
clang::tidy::ClangTidyOptions wrapTidyOptions(TidyProviderRef Provider, llvm::StringRef FileName) {
  clang::tidy::ClangTidyOptions Options = realTidyOptions(Provider, FileName);
  if (Provider)
    Options.Checks = withTorchChecks(Options.Checks ? llvm::StringRef(*Options.Checks) : "");
  return Options;
}

// --- clang::clangd::isFastTidyCheck: whether a check was measured, in clangd's build, to cost
// little; nothing for a check that was not.
std::optional<bool> realIsFast(llvm::StringRef Check)
    TORCH_TIDY_REAL("_ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool> wrapIsFast(llvm::StringRef Check)
    TORCH_TIDY_WRAP("_ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");

/// clangd leaves out what it has not measured (FastCheckFilter: Strict). bench/editor measures
/// ours.
std::optional<bool> wrapIsFast(llvm::StringRef Check) {
  if (Check.starts_with("torch-"))
    return true;
  return realIsFast(Check);
}

// --- clang::clangd::versionString: what --version, the log and the server's introduction say.
std::string realVersion() TORCH_TIDY_REAL("_ZN5clang6clangd13versionStringB5cxx11Ev");
std::string wrapVersion() TORCH_TIDY_WRAP("_ZN5clang6clangd13versionStringB5cxx11Ev");

std::string wrapVersion() { return realVersion() + " with torch-tidy version " + version().str(); }

// --- clang::clangd::toJSON(const PublishDiagnosticsParams &): the reports of a file as they go to
// the editor.
struct PublishDiagnosticsParams;
llvm::json::Value realReports(const PublishDiagnosticsParams &Params)
    TORCH_TIDY_REAL("_ZN5clang6clangd6toJSONERKNS0_24PublishDiagnosticsParamsE");
llvm::json::Value wrapReports(const PublishDiagnosticsParams &Params)
    TORCH_TIDY_WRAP("_ZN5clang6clangd6toJSONERKNS0_24PublishDiagnosticsParamsE");

/// clangd makes a link to clang-tidy's web pages of every check's name; ours have no page there.
llvm::json::Value wrapReports(const PublishDiagnosticsParams &Params) {
  llvm::json::Value Json = realReports(Params);
  llvm::json::Object *Object = Json.getAsObject();
  llvm::json::Array *Reports = Object ? Object->getArray("diagnostics") : nullptr;
  if (!Reports)
    return Json;
  for (llvm::json::Value &Value : *Reports)
    if (llvm::json::Object *Report = Value.getAsObject())
      if (Report->getString("code").value_or("").starts_with("torch-"))
        Report->erase("codeDescription");
  return Json;
}

} // namespace torch_tidy
