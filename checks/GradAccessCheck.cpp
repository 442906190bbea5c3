//===--- GradAccessCheck.cpp ------------------------------------------------===//
#include "GradAccessCheck.h"

using namespace clang;

namespace torch_tidy {

using flow::Evidence;
using flow::PointerUse;
using flow::UseKind;

void GradAccessCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::AccessFixer Fixer(Context);
  fixes::ReportedTensors Reported(Context);
  for (const flow::Access &A : TU.accesses()) {
    if (A.Site.Kind == flow::ViewKind::Shape || hostReports(*Shared, A) ||
        scalarReports(*Shared, A, Fixer))
      continue;
    const PointerUse *Worst = nullptr;
    bool Writes = false, Dangles = false;
    for (const PointerUse &U : A.Uses) {
      Dangles |= U.Dangling >= Shared->DanglingMinimum && U.Dangling != Evidence::None;
      if (U.Kind != UseKind::Read && U.Kind != UseKind::Write && U.Kind != UseKind::View &&
          U.Kind != UseKind::Blob)
        continue;
      Writes |= U.Kind == UseKind::Write;
      if (U.Recording && U.Grad >= MinEvidence &&
          (!Worst || U.Grad > Worst->Grad || Worst->Use == A.Site.Call))
        Worst = &U;
    }
    if (!Worst || (Dangles && Shared->DanglingEnabled) || !Reported.first(A))
      continue;
    std::string Name = textOf(A.Site.Receiver, Context);
    fixes::Edit Fix;
    if (!Writes)
      Fix = Fixer.detach(A, TU.accesses());
    {
      auto Diag =
          warn(A.Site.Call->getExprLoc(), Worst->Grad,
               "%0 %select{may require|requires}1 grad while gradients are recorded; "
               "%select{reading its memory leaves the graph, read '.detach()' instead|writing its "
               "memory changes a value that autograd believes it knows, use a NoGradGuard}2")
          << (Name.empty() ? "the tensor" : "'" + Name + "'") << (Worst->Grad == Evidence::Proven)
          << Writes;
      Diag << Fix;
    }
    noteUse(*Worst, Context);
    note(Worst->GradFrom.Loc, Worst->GradFrom.Text);
  }
}

} // namespace torch_tidy
