//===--- TorchTidyModule.cpp - the list of checks ---------------------------===//
#include "AsyncCopyCheck.h"
#include "CopyWriteCheck.h"
#include "DanglingDataCheck.h"
#include "DeprecatedAccessCheck.h"
#include "DiscardedResultCheck.h"
#include "ElementTypeCheck.h"
#include "FromBlobLifetimeCheck.h"
#include "FromBlobOptionsCheck.h"
#include "GradAccessCheck.h"
#include "GraphRetentionCheck.h"
#include "HostAccessCheck.h"
#include "ScalarReadCheck.h"
#include "StridedAccessCheck.h"
#include "TransferInLoopCheck.h"
#include "support/Compat.h"
#include "support/HostVersion.h"

namespace torch_tidy {

class TorchTidyModule : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    auto Registry = std::make_shared<AnalysisRegistry>();
#define TORCH_TIDY_CHECK(Class, Name, Evidence, Finds, Edit) add<Class>(Factories, Registry, Name);
#include "Checks.def"
#undef TORCH_TIDY_CHECK
  }

private:
  template <class Check>
  static void add(clang::tidy::ClangTidyCheckFactories &Factories,
                  std::shared_ptr<AnalysisRegistry> Registry, llvm::StringRef Name) {
    Factories.registerCheckFactory(
        Name, [Registry](llvm::StringRef CheckName, clang::tidy::ClangTidyContext *Context) {
          return std::make_unique<Check>(CheckName, Context, Registry->get(Context));
        });
  }
};

} // namespace torch_tidy

/// Registers the module when the plugin is loaded, unless it is a program of another LLVM.
static const bool Registered = [] {
  if (!torch_tidy::support::matchesHost())
    return false;
  static clang::tidy::ClangTidyModuleRegistry::Add<torch_tidy::TorchTidyModule> Module(
      "torch-module", "Checks for host access to LibTorch tensors.");
  return true;
}();
