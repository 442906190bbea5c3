//===--- BlobFix.cpp - edits of from_blob calls ------------------------------===//
#include "BlobFix.h"
#include "../flow/Operands.h"
#include "../support/Compat.h"

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::fixes {

using flow::BlobEvent;
using flow::strip;

static bool isFromBlob(const CallExpr *Call) { return !isa<CXXMemberCallExpr>(Call); }

/// The call of \p Name in a chain such as `torch::TensorOptions().dtype(x).device(y)`.
static const CallExpr *linkOf(const Expr *Chain, StringRef Name) {
  for (unsigned I = 0; I < 40; ++I) {
    Chain = flow::stripCasts(Chain);
    if (const auto *C = dyn_cast<CXXConstructExpr>(Chain);
        C && C->getNumArgs() && C->getConstructor()->isCopyOrMoveConstructor()) {
      Chain = C->getArg(0);
      continue;
    }
    const auto *Call = dyn_cast<CallExpr>(Chain);
    const FunctionDecl *Fn = Call ? Call->getDirectCallee() : nullptr;
    if (!Fn || !Fn->getIdentifier())
      return nullptr;
    if (Fn->getName() == Name && Call->getNumArgs() == 1)
      return Call;
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    if (!Member)
      return nullptr;
    Chain = Member->getImplicitObjectArgument();
  }
  return nullptr;
}

/// Whether `.call()` may follow \p E without parentheses.
static bool isPostfix(const Expr *E) {
  E = strip(E);
  return isa<DeclRefExpr>(E) || isa<MemberExpr>(E) || isa<CXXMemberCallExpr>(E) ||
         isa<CXXTemporaryObjectExpr>(E) || isa<CXXFunctionalCastExpr>(E) ||
         (isa<CallExpr>(E) && !isa<CXXOperatorCallExpr>(E)) ||
         (isa<CXXConstructExpr>(E) && cast<CXXConstructExpr>(E)->getNumArgs() == 1 &&
          isPostfix(cast<CXXConstructExpr>(E)->getArg(0)));
}

static std::string constantOf(int Type) {
  return ("torch::k" + model::Types::scalarTypeName(Type)).str();
}

/// Puts \p Call (".dtype(...)") behind the options of the call, or new options.
bool BlobFixer::appendOption(const BlobEvent &E, StringRef Call, Edit &Result) const {
  if (!fileRange(E.Call->getSourceRange(), Context).isValid() || !isFromBlob(E.Call))
    return false;
  if (!E.OptionsArg) {
    Result.Hints.push_back(FixItHint::CreateInsertion(E.Call->getRParenLoc(),
                                                      (", torch::TensorOptions()" + Call).str()));
    return true;
  }
  CharSourceRange Range = fileRange(E.OptionsArg->getSourceRange(), Context);
  std::string Text = sourceText(E.OptionsArg->getSourceRange(), Context, 200);
  if (Range.isInvalid() || Text.empty())
    return false;
  switch (Types.kind(flow::innermost(E.OptionsArg)->getType())) {
  case TypeKind::ElementType:
  case TypeKind::Device:
  case TypeKind::DeviceType:
    if (!support::startsWith(Text, "torch::TensorOptions") &&
        !support::startsWith(Text, "at::TensorOptions")) {
      Result.Hints.push_back(
          FixItHint::CreateReplacement(Range, "torch::TensorOptions(" + Text + ")" + Call.str()));
      return true;
    }
    break;
  case TypeKind::Options:
    break;
  default:
    return false;
  }
  if (!isPostfix(E.OptionsArg))
    return false;
  Result.Hints.push_back(FixItHint::CreateInsertion(Range.getEnd(), Call));
  return true;
}

Edit BlobFixer::clone(const BlobEvent &E) const {
  Edit Result;
  CharSourceRange Range = fileRange(E.Call->getSourceRange(), Context);
  if (Range.isValid())
    Result.Hints.push_back(FixItHint::CreateInsertion(Range.getEnd(), ".clone()"));
  return Result;
}

Edit BlobFixer::describeType(const BlobEvent &E) const {
  Edit Result;
  const std::string Constant = constantOf(E.PointerType);
  if (E.OptionsArg && isFromBlob(E.Call)) {
    // A constant is replaced where it stands: alone, or in the chain.
    const Expr *Core = flow::innermost(E.OptionsArg);
    const CallExpr *Link = linkOf(Core, "dtype");
    if (Link)
      Core = flow::innermost(Link->getArg(0));
    const auto *Ref = dyn_cast<DeclRefExpr>(strip(Core));
    const auto *D = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Types.kind(Core->getType()) == TypeKind::ElementType && D && !D->isLocalVarDeclOrParm() &&
        D->isFileVarDecl()) {
      CharSourceRange Range = fileRange(Ref->getSourceRange(), Context);
      if (Range.isValid())
        Result.Hints.push_back(FixItHint::CreateReplacement(Range, Constant));
      return Result;
    }
  }
  appendOption(E, ".dtype(" + Constant + ")", Result);
  return Result;
}

Edit BlobFixer::moveAfterwards(const BlobEvent &E) const {
  Edit Result;
  CharSourceRange Whole = fileRange(E.Call->getSourceRange(), Context);
  if (Whole.isInvalid() || !E.OptionsArg || !isFromBlob(E.Call))
    return Result;
  CharSourceRange Range = fileRange(E.OptionsArg->getSourceRange(), Context);
  std::string Text = sourceText(E.OptionsArg->getSourceRange(), Context, 200);
  if (Range.isInvalid() || Text.empty())
    return Result;
  auto Finish = [&](StringRef Device) {
    Result.Hints.push_back(
        FixItHint::CreateInsertion(Whole.getEnd(), (".to(" + Device + ")").str()));
  };
  const Expr *Core = flow::innermost(E.OptionsArg);
  const TypeKind Kind = Types.kind(Core->getType());
  if (Kind == TypeKind::Device || Kind == TypeKind::DeviceType) {
    std::string Device = sourceText(Core->getSourceRange(), Context, 100);
    if (Device.empty())
      return Result;
    Result.Hints.push_back(FixItHint::CreateReplacement(Range, "torch::kCPU"));
    Finish(Device);
    return Result;
  }
  if (Kind != TypeKind::Options)
    return Result;
  if (const CallExpr *Link = linkOf(Core, "device")) {
    std::string Device = sourceText(Link->getArg(0)->getSourceRange(), Context, 100);
    CharSourceRange LinkRange = fileRange(Link->getSourceRange(), Context);
    if (Device.empty() || LinkRange.isInvalid())
      return Result;
    if (const auto *Member = dyn_cast<MemberExpr>(Link->getCallee()->IgnoreParens()))
      Result.Hints.push_back(FixItHint::CreateRemoval(
          CharSourceRange::getCharRange(Member->getOperatorLoc(), LinkRange.getEnd())));
    else
      Result.Hints.push_back(FixItHint::CreateReplacement(LinkRange, "torch::TensorOptions()"));
    Finish(Device);
    return Result;
  }
  // Options kept in a variable.
  const Expr *Named = strip(Core);
  if (!isa<DeclRefExpr>(Named) && !isa<MemberExpr>(Named))
    return Result;
  Result.Hints.push_back(FixItHint::CreateInsertion(Range.getEnd(), ".device(torch::kCPU)"));
  Finish(Text + ".device()");
  return Result;
}

Edit BlobFixer::describeDevice(const BlobEvent &E, int Type) const {
  Edit Result;
  const std::string Typed = Type >= 0 ? ".dtype(" + constantOf(Type) + ")" : std::string();
  if (!E.Origin) {
    appendOption(E, Typed + ".device(torch::kCUDA)", Result);
    return Result;
  }
  const Expr *Tensor = strip(E.Origin);
  std::string Text = sourceText(E.Origin, Context, 80);
  if ((!isa<DeclRefExpr>(Tensor) && !isa<MemberExpr>(Tensor)) || Text.empty() ||
      E.Origin->getType()->isPointerType())
    return Result;
  appendOption(E, Typed + ".device(" + Text + ".device())", Result);
  return Result;
}

} // namespace torch_tidy::fixes
