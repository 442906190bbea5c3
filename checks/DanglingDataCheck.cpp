//===--- DanglingDataCheck.cpp ----------------------------------------------===//
#include "DanglingDataCheck.h"

using namespace clang;

namespace torch_tidy {

using flow::Evidence;
using flow::OwnerGone;
using flow::PointerUse;
using flow::UseKind;

DanglingDataCheck::DanglingDataCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                                     std::shared_ptr<SharedAnalysis> Analysis)
    : TorchCheck(Name, Context, std::move(Analysis), Evidence::Possible) {
  Shared->DanglingEnabled = true;
  Shared->DanglingMinimum = MinEvidence;
}

static llvm::StringRef whatHappens(OwnerGone Gone) {
  switch (Gone) {
  case OwnerGone::Reassigned:
    return "the variable gets another tensor here";
  case OwnerGone::Reset:
    return "the handle is reset here";
  case OwnerGone::Resized:
    return "the memory may move here";
  case OwnerGone::ScopeEnd:
    return "the owner ends with its scope";
  default:
    return "";
  }
}

void DanglingDataCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::AccessFixer Fixer(Context, &Shared->HostNames);
  fixes::ReportedTensors Reported(Context);
  for (const flow::Access &A : TU.accesses()) {
    if (hostReports(*Shared, A))
      continue;
    const PointerUse *Worst = nullptr;
    for (const PointerUse &U : A.Uses)
      if (U.Kind != UseKind::Device && U.Dangling >= MinEvidence && U.Dangling != Evidence::None &&
          (!Worst || U.Dangling > Worst->Dangling))
        Worst = &U;
    if (!Worst || !Reported.first(A))
      continue;
    const bool Temporary = Worst->Gone == OwnerGone::EndOfExpression;
    const bool Shape = A.Site.Kind == flow::ViewKind::Shape;
    fixes::Edit Fix;
    if (Temporary && Worst->Kind != UseKind::Return)
      Fix = Fixer.keep(A);
    std::string Name = textOf(A.Site.Receiver, Context);
    {
      auto Diag =
          warn(A.Site.Call->getExprLoc(), Worst->Dangling,
               "the %select{memory|shape}0 of %1 %select{may be gone|is gone}2 when it is used: "
               "%select{its last handle goes away before|it belongs to a temporary that is "
               "destroyed at the end of the full expression%select{ if the call makes a copy|}2}3; "
               "keep the tensor in a variable")
          << Shape << (Name.empty() ? "the tensor" : "'" + Name + "'")
          << (Worst->Dangling == Evidence::Proven) << Temporary;
      Diag << Fix;
    }
    if (!Temporary && Worst->Kind != UseKind::Return)
      note(Worst->GoneLoc, whatHappens(Worst->Gone));
    noteUse(*Worst, Context);
    if (Worst->Dangling != Evidence::Proven && Temporary)
      note(Worst->DeviceFrom.Loc, Worst->DeviceFrom.Text);
  }
}

} // namespace torch_tidy
