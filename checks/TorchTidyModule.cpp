//===--- TorchTidyModule.cpp - the list of checks ---------------------------===//
#include "AsyncCopyCheck.h"
#include "DanglingDataCheck.h"
#include "DeprecatedAccessCheck.h"
#include "DiscardedResultCheck.h"
#include "ElementTypeCheck.h"
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
    add<HostAccessCheck>(Factories, Registry, "torch-host-access");
    add<GradAccessCheck>(Factories, Registry, "torch-grad-access");
    add<DanglingDataCheck>(Factories, Registry, "torch-dangling-data");
    add<DeprecatedAccessCheck>(Factories, Registry, "torch-deprecated-access");
    add<DiscardedResultCheck>(Factories, Registry, "torch-discarded-result");
    add<ElementTypeCheck>(Factories, Registry, "torch-element-type");
    add<StridedAccessCheck>(Factories, Registry, "torch-strided-access");
    add<ScalarReadCheck>(Factories, Registry, "torch-scalar-read");
    add<TransferInLoopCheck>(Factories, Registry, "torch-transfer-in-loop");
    add<GraphRetentionCheck>(Factories, Registry, "torch-graph-retention");
    add<AsyncCopyCheck>(Factories, Registry, "torch-async-copy");
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
