//===--- DiscardedResultCheck.cpp -------------------------------------------===//
#include "DiscardedResultCheck.h"
#include "fixes/CallFix.h"
#include "flow/EngineImpl.h"
#include "model/Effects.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy {

using flow::CallSite;
using flow::inFile;

namespace {

/// A call that returns tensors and changes nothing.
struct PureCall {
  std::string Name;             ///< "to", "clamp", "operator*"; empty for other calls.
  const Expr *Tensor = nullptr; ///< The first tensor it works on, where there is one.
};

/// F::relu(x, F::ReLUFuncOptions().inplace(true)), or options that were made elsewhere.
bool mayBeInPlace(const CallExpr *Call) {
  for (const Expr *Arg : Call->arguments()) {
    std::vector<const Stmt *> Work{Arg};
    while (!Work.empty()) {
      const Stmt *S = Work.back();
      Work.pop_back();
      if (const auto *M = dyn_cast<MemberExpr>(S);
          M && M->getMemberNameInfo().getAsString() == "inplace")
        return true;
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
        if (const auto *R = Ref->getType()->getAsCXXRecordDecl();
            R && R->getIdentifier() && R->getName().contains("Options"))
          return true;
      for (const Stmt *Child : S->children())
        if (Child)
          Work.push_back(Child);
    }
  }
  return false;
}

PureCall pureCall(const CallExpr *Call, const flow::SourceScope &Scope, const model::Types &Types) {
  PureCall Result;
  if (Call->isTypeDependent() || !Types.holdsTensor(Call->getType()))
    return Result;
  if (flow::TensorCall T = flow::tensorCall(Call, Scope, Types); T.Object) {
    if (T.Method && model::methodOnlyReturns(T.Name, !T.Method->getReturnType()->isReferenceType()))
      Result = {T.Name.str(), T.Object};
    return Result;
  }
  const FunctionDecl *Fn = Call->getDirectCallee();
  if (!Fn || Scope.isUserCode(Fn))
    return Result;
  // t * 2; t[0]; -t;
  if (isa<CXXOperatorCallExpr>(Call)) {
    const Expr *First = Call->getNumArgs() ? Call->getArg(0) : nullptr;
    const std::string Name = Fn->getNameAsString();
    const bool OnTensor = llvm::any_of(
        Call->arguments(), [&](const Expr *Arg) { return Types.isTensor(Arg->getType()); });
    if (OnTensor && Types.isTensor(Call->getType()) && model::functionOnlyReturns("at", Name))
      Result = {Name, First};
    return Result;
  }
  const auto *Space = dyn_cast<NamespaceDecl>(Fn->getDeclContext());
  if (!Space || !Fn->getIdentifier())
    return Result;
  const std::string Namespace = model::qualifiedName(Space);
  if (!model::functionOnlyReturns(Namespace, Fn->getName()) || !Call->getNumArgs() ||
      (Namespace == "torch::nn::functional" && mayBeInPlace(Call)))
    return Result;
  Result.Name = Fn->getName().str();
  if (Types.isTensor(Call->getArg(0)->getType()))
    Result.Tensor = Call->getArg(0);
  return Result;
}

} // namespace

void DiscardedResultCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  const SourceManager &SM = Context.getSourceManager();
  const model::Types Types;
  const fixes::CallFixer Fixer(Context, TU.scope(), Types);

  /// Calls on one tensor in one full expression: `t.to(device), t.to(torch::kFloat);`
  struct Group {
    const CallSite *First;
    PureCall Call;
    fixes::Edit Fix;
    bool AllFixed = true;
  };
  std::vector<Group> Groups;
  std::map<std::pair<SourceLocation, std::string>, size_t> Index;
  std::set<SourceLocation> Seen;
  const std::vector<CallSite> Sites = flow::callSites(
      TU, [&](const CallExpr *Call) { return !pureCall(Call, TU.scope(), Types).Name.empty(); });
  for (const CallSite &Site : Sites) {
    SourceLocation At = inFile(Site.Call->getExprLoc(), SM);
    // The body of a macro is silent; an instantiation repeats what the template said.
    if (!Site.Discarded || At.isInvalid() ||
        inFile(static_cast<const Stmt *>(Site.Call)->getBeginLoc(), SM).isInvalid() ||
        !Seen.insert(At).second)
      continue;
    PureCall Call = pureCall(Site.Call, TU.scope(), Types);
    std::string Tensor = Call.Tensor ? fixes::sourceText(Call.Tensor, Context, 400) : "";
    SourceLocation Root = SM.getFileLoc(Site.Root->getBeginLoc());
    if (Tensor.empty())
      Tensor = std::to_string(Groups.size());
    auto [It, New] = Index.try_emplace({Root, Tensor}, Groups.size());
    if (New)
      Groups.push_back({&Site, Call, {}, true});
    Group &G = Groups[It->second];
    fixes::Edit Fix = Fixer.assignResult(Site);
    G.AllFixed &= bool(Fix);
    G.Fix.Hints.append(Fix.Hints.begin(), Fix.Hints.end());
  }

  for (const Group &G : Groups) {
    std::string Tensor = G.Call.Tensor ? textOf(G.Call.Tensor, Context) : "";
    {
      auto Diag = warn(inFile(G.First->Call->getExprLoc(), SM), flow::Evidence::Proven,
                       "'%0' leaves %1 as it is and returns another tensor, which is thrown away "
                       "here; assign the result")
                  << G.Call.Name << (Tensor.empty() ? "its argument" : "'" + Tensor + "'");
      if (G.AllFixed)
        Diag << G.Fix;
    }
    if (const auto *Ref =
            G.Call.Tensor ? dyn_cast<DeclRefExpr>(flow::strip(G.Call.Tensor)) : nullptr;
        Ref && Ref->getType().isConstQualified())
      note(Ref->getDecl()->getLocation(), "'" + Ref->getDecl()->getNameAsString() +
                                              "' is const: the result needs another variable");
    if (StringRef InPlace = model::inPlaceName(G.Call.Name); !InPlace.empty())
      note(inFile(G.First->Call->getExprLoc(), SM),
           ("'" + InPlace + "' changes the tensor itself").str());
  }
}

} // namespace torch_tidy
