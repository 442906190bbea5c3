//===--- StridedAccessCheck.cpp ---------------------------------------------===//
#include "StridedAccessCheck.h"
#include "flow/EngineImpl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy {

using flow::Access;
using flow::Evidence;
using flow::PointerUse;
using flow::UseKind;

namespace {

/// The variable or member that a tensor expression names, or null.
const ValueDecl *named(const Expr *E) {
  E = flow::strip(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return cast<ValueDecl>(Ref->getDecl()->getCanonicalDecl());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getMemberDecl();
  return nullptr;
}

/// Whose strides a function asks for.
struct StrideCalls {
  bool Any = false;
  std::set<const ValueDecl *> Of;

  void read(const Stmt *Body) {
    llvm::SmallVector<const Stmt *, 32> Work{Body};
    while (!Work.empty()) {
      const Stmt *S = Work.pop_back_val();
      if (!S)
        continue;
      if (const auto *C = dyn_cast<CXXMemberCallExpr>(S)) {
        const CXXMethodDecl *M = C->getMethodDecl();
        if (M && M->getIdentifier() && (M->getName() == "stride" || M->getName() == "strides")) {
          Any = true;
          Of.insert(named(C->getImplicitObjectArgument()));
        }
      }
      Work.append(S->child_begin(), S->child_end());
    }
  }
};

/// A column-major matrix over a transposed tensor is what the code means: the columns of the one
/// are the rows of the other.
bool isColumnMajorMap(const Expr *Use) {
  const auto *C = dyn_cast_or_null<CXXConstructExpr>(Use);
  const auto *Map =
      C ? dyn_cast_or_null<ClassTemplateSpecializationDecl>(C->getType()->getAsCXXRecordDecl())
        : nullptr;
  if (!Map || Map->getName() != "Map" || !Map->getTemplateArgs().size() ||
      Map->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return false;
  const auto *Matrix = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Map->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl());
  if (!Matrix || Matrix->getTemplateArgs().size() < 4)
    return false;
  const TemplateArgument &Options = Matrix->getTemplateArgs()[3];
  return Options.getKind() == TemplateArgument::Integral && !Options.getAsIntegral()[0];
}

/// That the elements are not where \p U takes them.
Evidence outOfOrder(const PointerUse &U) {
  if (U.Kind != UseKind::Read && U.Kind != UseKind::Write && U.Kind != UseKind::View)
    return Evidence::None;
  const uint8_t Order = U.Tensor.Order;
  uint8_t Wrong = Order & (flow::LayoutPermuted | flow::LayoutGapped);
  // The first element is the first in every order, and a sum needs none.
  if (U.FirstElement || U.Tensor.OneElement)
    Wrong = 0;
  if (U.AnyOrder || isColumnMajorMap(U.Use))
    Wrong &= ~flow::LayoutPermuted;
  if (!Wrong)
    return Evidence::None;
  return Wrong == Order ? Evidence::Proven : Evidence::Likely;
}

} // namespace

void StridedAccessCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::AccessFixer Fixer(Context);
  fixes::ReportedTensors Reported(Context);
  std::map<const FunctionDecl *, StrideCalls> Strides;
  auto AsksForStrides = [&](const Access &A) {
    if (!A.Site.Function || !A.Site.Function->getBody())
      return false;
    auto [It, New] = Strides.try_emplace(A.Site.Function);
    if (New)
      It->second.read(A.Site.Function->getBody());
    const ValueDecl *Of = named(A.Site.Receiver);
    return It->second.Any && (!Of || It->second.Of.count(Of) || It->second.Of.count(nullptr));
  };
  for (const Access &A : TU.accesses()) {
    // Accessors know the strides.
    if (A.Site.Kind != flow::ViewKind::Pointer || hostReports(*Shared, A))
      continue;
    const PointerUse *Worst = nullptr;
    Evidence Level = Evidence::None;
    bool Lazy = false, Writes = false, Mistyped = false;
    for (const PointerUse &U : A.Uses) {
      Writes |= U.Kind == UseKind::Write || U.Kind == UseKind::Escape;
      Mistyped |= U.Kind == UseKind::Taken;
      Evidence Here = outOfOrder(U);
      const bool Conjugated = Here == Evidence::None && U.Tensor.Lazy &&
                              (U.Kind == UseKind::Read || U.Kind == UseKind::View);
      if (Conjugated)
        Here = Evidence::Likely;
      if (Here > Level) {
        Worst = &U;
        Level = Here;
        Lazy = Conjugated;
      }
    }
    if (!Worst || Level < MinEvidence || AsksForStrides(A) || !Reported.first(A))
      continue;
    std::string Name = textOf(A.Site.Receiver, Context);
    fixes::Edit Fix;
    if (!Writes && !Mistyped && !dangles(*Shared, A))
      Fix = Fixer.convert(A, TU.accesses(), Lazy ? "resolve_conj()" : "contiguous()",
                          Lazy ? "_resolved" : "_contiguous");
    const bool Gapped = Worst->Tensor.Order & flow::LayoutGapped;
    {
      auto Diag =
          warn(A.Site.Call->getExprLoc(), Level,
               "%select{%0 %select{may not be|is not}1 contiguous, but its memory is "
               "%select{read|written}2 as if it were: %select{the elements come in another "
               "order|elements are taken that do not belong to it}3; use '.contiguous()'|%0 is "
               "conjugated only when it is read through operators: its memory holds the values "
               "before that; use '.resolve_conj()'}4")
          << (Name.empty() ? "the tensor" : "'" + Name + "'") << (Level == Evidence::Proven)
          << (Worst->Kind == UseKind::Write) << Gapped << Lazy;
      Diag << Fix;
    }
    noteUse(*Worst, Context);
    if (const Expr *From = Worst->Tensor.LayoutFrom)
      note(From->getExprLoc(), Lazy ? "this only marks it as conjugated"
                                    : "this view has other strides than plain memory");
  }
}

} // namespace torch_tidy
