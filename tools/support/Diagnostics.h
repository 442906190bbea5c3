//===--- Diagnostics.h - clang's classes whose interface differs by version -===//
#ifndef TORCH_TIDY_TOOLS_SUPPORT_DIAGNOSTICS_H
#define TORCH_TIDY_TOOLS_SUPPORT_DIAGNOSTICS_H

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Sarif.h"
#include "llvm/Config/llvm-config.h"

namespace torch_tidy::support {

/// An engine that says nothing, with what it refers to.
class SilentDiagnostics {
public:
  clang::DiagnosticsEngine &engine() { return Engine; }

private:
#if LLVM_VERSION_MAJOR >= 21
  // Diagnostic options are no longer counted references.
  clang::DiagnosticOptions Options;
  clang::DiagnosticsEngine Engine{clang::DiagnosticIDs::create(), Options,
                                  new clang::IgnoringDiagConsumer};
#else
  clang::DiagnosticsEngine Engine{new clang::DiagnosticIDs, new clang::DiagnosticOptions,
                                  new clang::IgnoringDiagConsumer};
#endif
};

/// setLocations became addLocations in LLVM 22.
inline clang::SarifResult locatedAt(clang::SarifResult Result, clang::CharSourceRange At) {
#if LLVM_VERSION_MAJOR >= 22
  return Result.addLocations({At});
#else
  return Result.setLocations({At});
#endif
}

} // namespace torch_tidy::support

#endif // TORCH_TIDY_TOOLS_SUPPORT_DIAGNOSTICS_H
