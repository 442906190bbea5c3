//===--- HostAccessCheck.cpp ------------------------------------------------===//
#include "HostAccessCheck.h"
#include "fixes/ShimFix.h"

using namespace clang;

namespace torch_tidy {

using flow::Evidence;
using flow::PointerUse;

HostAccessCheck::HostAccessCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                                 std::shared_ptr<SharedAnalysis> Analysis)
    : TorchCheck(Name, Context, std::move(Analysis), Evidence::Possible) {
  Shared->HostEnabled = true;
  Shared->HostMinimum = MinEvidence;
  Shared->HostEscapes = ReportEscapes == Flag::On;
}

static llvm::StringRef doubt(Evidence E) {
  switch (E) {
  case Evidence::Proven:
    return "which is on an accelerator";
  case Evidence::Likely:
    return "which may be on an accelerator";
  default:
    return "which nothing proves to be on the host";
  }
}

/// What the report says beside the device: the fix repairs these too.
static const PointerUse *needsGrad(const flow::Access &A) {
  for (const PointerUse &U : A.Uses)
    if (U.Recording && U.Grad >= Evidence::Likely)
      return &U;
  return nullptr;
}

void HostAccessCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::ShimFixer Fixer(Context, &Shared->HostNames, Shared->ShimIncluded);
  fixes::ReportedTensors Reported(Context);
  for (const flow::Access &A : TU.accesses()) {
    if (!hostReports(*Shared, A))
      continue;
    // v(t.data_ptr(), t.data_ptr() + n): the first call speaks for both, and its fix mends both.
    if (!Reported.first(A))
      continue;
    HostVerdict V = judgeHost(*Shared, A);
    std::string Name = textOf(A.Site.Receiver, Context);
    if (V.OnlyEscapes) {
      // Who gets the pointer may also write, keep it, or be a library of the device: no edit.
      warn(A.Site.Call->getExprLoc(), V.Device,
           "the pointer to the memory of %0, %1, goes where this file does not see; copy the "
           "tensor to the host first if host code reads it there")
          << (Name.empty() ? "the tensor" : "'" + Name + "'") << doubt(V.Device);
      noteUse(*V.Strongest, Context);
      note(V.Strongest->DeviceFrom.Loc, V.Strongest->DeviceFrom.Text);
      continue;
    }
    const bool Single = fixes::readsOnlyElement(A) && Fixer.elementRead(A);
    fixes::Edit Fix;
    if (Single)
      Fix = Fixer.item(A);
    else if (Style == fixes::FixStyle::Shim)
      Fix = Fixer.view(A, TU.accesses());
    if (!Fix)
      Fix = Fixer.copyToHost(A, TU.accesses());
    {
      auto Diag = warn(A.Site.Call->getExprLoc(), V.Device,
                       "host code %select{reads|writes}0 the memory of %1, %2; "
                       "%select{%select{copy it to the host first|read its only element by "
                       "'item()'}3|write to a host tensor and copy that back}0")
                  << V.Writes << (Name.empty() ? "the tensor" : "'" + Name + "'") << doubt(V.Device)
                  << Single;
      Diag << Fix;
    }
    noteUse(*V.Strongest, Context);
    note(V.Strongest->DeviceFrom.Loc, V.Strongest->DeviceFrom.Text);
    if (const PointerUse *U = needsGrad(A))
      note(U->GradFrom.Loc.isValid() ? U->GradFrom.Loc : A.Site.Call->getExprLoc(),
           "it may also require grad: " + U->GradFrom.Text);
    for (const PointerUse &U : A.Uses)
      if (U.Dangling >= Evidence::Possible && U.Gone == flow::OwnerGone::EndOfExpression) {
        note(A.Site.Call->getExprLoc(),
             "the pointer may also outlive the tensor it was taken from, a temporary");
        break;
      }
  }
}

} // namespace torch_tidy
