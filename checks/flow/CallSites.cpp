//===--- CallSites.cpp - where calls of LibTorch stand in the source ------===//
#include "CallSites.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace torch_tidy::flow {
namespace {

/// Walks one body with a work list: the nesting of generated code has no bound.
class Walker {
public:
  Walker(const SourceManager &SM, llvm::function_ref<bool(const CallExpr *)> Wanted,
         std::vector<CallSite> &Sites)
      : SM(SM), Wanted(Wanted), Sites(Sites) {}

  void walk(const Code &C) {
    Function = C.Function;
    push({C.Body});
    while (!Work.empty()) {
      Item I = Work.back();
      Work.pop_back();
      // Children are visited in their order, before what follows.
      size_t First = Work.size();
      if (const auto *E = dyn_cast<Expr>(I.S))
        visitExpr(E, I);
      else
        visitStmt(I.S);
      std::reverse(Work.begin() + First, Work.end());
    }
  }

private:
  struct Item {
    const Stmt *S = nullptr;
    const Expr *Root = nullptr;
    const VarDecl *Variable = nullptr;
    bool Discarded = false;
  };

  void push(Item I) {
    if (I.S)
      Work.push_back(I);
  }

  void visitExpr(const Expr *E, Item I) {
    if (!I.Root)
      I.Root = E;
    if (const auto *Call = dyn_cast<CallExpr>(E); Call && Wanted(Call))
      Sites.push_back({Call, I.Root, Function, I.Variable, I.Discarded});

    if (const auto *L = dyn_cast<LambdaExpr>(E))
      return visitLambda(L, I.Root);
    if (const auto *SE = dyn_cast<StmtExpr>(E))
      // `({ ...; value; })`: the last expression is its value.
      return visitCompound(SE->getSubStmt(), I.Discarded ? nullptr : SE->getSubStmt()->body_back());
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->getOpcode() == BO_Comma) {
      push({B->getLHS(), I.Root, nullptr, true});
      push({B->getRHS(), I.Root, nullptr, I.Discarded});
      return;
    }
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      push({C->getCond(), I.Root});
      push({C->getTrueExpr(), I.Root, nullptr, I.Discarded});
      push({C->getFalseExpr(), I.Root, nullptr, I.Discarded});
      return;
    }
    const bool Passes = isa<ParenExpr>(E) || isa<FullExpr>(E) || isa<CXXBindTemporaryExpr>(E) ||
                        isa<MaterializeTemporaryExpr>(E) || isa<ImplicitCastExpr>(E);
    const auto *Ctor = dyn_cast<CXXConstructExpr>(E);
    const bool Copies = Ctor && Ctor->getNumArgs() == 1;
    for (const Stmt *Child : E->children())
      push({Child, I.Root, Passes || Copies ? I.Variable : nullptr, Passes && I.Discarded});
  }

  void visitLambda(const LambdaExpr *L, const Expr *Root) {
    for (const Expr *Init : L->capture_inits())
      push({Init, Root});
    push({L->getBody()});
    if (const FunctionTemplateDecl *Generic = L->getLambdaClass()->getDependentLambdaCallOperator())
      for (const FunctionDecl *Spec : Generic->specializations())
        if (Spec->hasBody())
          push({Spec->getBody()});
  }

  void visitCompound(const CompoundStmt *C, const Stmt *Value) {
    for (const Stmt *Child : C->body())
      push({Child, nullptr, nullptr, Child != Value && discards(C, Child)});
  }

  void visitStmt(const Stmt *S) {
    if (const auto *C = dyn_cast<CompoundStmt>(S))
      return visitCompound(C, nullptr);
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Each : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Each))
          push({V->getInit(), nullptr, V});
      return;
    }
    for (const Stmt *Child : S->children())
      if (Child)
        push({Child, nullptr, nullptr, isStatementOf(S, Child) && discards(S, Child)});
  }

  /// Whether \p Child is a statement of its own, whose value nobody takes.
  static bool isStatementOf(const Stmt *S, const Stmt *Child) {
    if (const auto *If = dyn_cast<IfStmt>(S))
      return Child == If->getThen() || Child == If->getElse();
    if (const auto *For = dyn_cast<ForStmt>(S))
      return Child == For->getInit() || Child == For->getInc() || Child == For->getBody();
    if (const auto *While = dyn_cast<WhileStmt>(S))
      return Child == While->getBody();
    if (const auto *Do = dyn_cast<DoStmt>(S))
      return Child == Do->getBody();
    if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
      return Child == Range->getBody();
    if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      return Child == Switch->getBody();
    if (const auto *Case = dyn_cast<SwitchCase>(S))
      return Child == Case->getSubStmt();
    return isa<LabelStmt>(S) || isa<AttributedStmt>(S);
  }

  /// A statement that is spelled in the file as an argument of the macro that has the block around
  /// it is thrown away by the macro.
  bool discards(const Stmt *Around, const Stmt *Child) const {
    return !inFile(Child->getBeginLoc(), SM).isValid() ||
           inFile(Around->getBeginLoc(), SM).isValid();
  }

  const SourceManager &SM;
  llvm::function_ref<bool(const CallExpr *)> Wanted;
  std::vector<CallSite> &Sites;
  const FunctionDecl *Function = nullptr;
  std::vector<Item> Work;
};

} // namespace

std::vector<CallSite> callSites(const TranslationUnit &TU,
                                llvm::function_ref<bool(const CallExpr *)> Wanted) {
  std::vector<CallSite> Sites;
  Walker W(TU.context().getSourceManager(), Wanted, Sites);
  for (const Code &C : TU.code())
    W.walk(C);
  return Sites;
}

TensorCall tensorCall(const CallExpr *Call, const SourceScope &Scope, const model::Types &Types) {
  TensorCall Result;
  const Expr *Callee = Call->getCallee()->IgnoreParens();
  if (const auto *M = dyn_cast<MemberExpr>(Callee)) {
    const auto *Method = dyn_cast<CXXMethodDecl>(M->getMemberDecl());
    // A user's class that is derived from a tensor has methods of its own.
    if (!Method || !Method->getIdentifier() || Scope.isUserCode(Method) ||
        Types.kind(Method->getParent()) != model::TypeKind::Tensor)
      return Result;
    Result.Object = M->getBase();
    Result.Arrow = M->isArrow();
    Result.Name = Method->getName();
    Result.NameLoc = M->getMemberLoc();
    Result.TemplateArgs = M->template_arguments();
    Result.Method = Method;
  } else if (const auto *U = dyn_cast<UnresolvedMemberExpr>(Callee)) {
    // data<scalar_t>() in a template, on a tensor.
    const IdentifierInfo *Name = U->getMemberName().getAsIdentifierInfo();
    if (!Name || U->isImplicitAccess() || U->getNumDecls() == 0 ||
        Scope.isUserCode((*U->decls_begin())->getUnderlyingDecl()) ||
        Types.kind(U->getNamingClass()) != model::TypeKind::Tensor)
      return Result;
    Result.Object = U->getBase();
    Result.Arrow = U->isArrow();
    Result.Name = Name->getName();
    Result.NameLoc = U->getMemberLoc();
    Result.TemplateArgs = U->template_arguments();
  }
  return Result;
}

bool usedAfter(const ValueDecl *V, SourceLocation Loc, const Stmt *Body, const SourceManager &SM) {
  std::vector<const Stmt *> Work{Body};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S);
        Ref && Ref->getDecl() == V && SM.isBeforeInTranslationUnit(Loc, Ref->getLocation()))
      return true;
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return false;
}

} // namespace torch_tidy::flow
