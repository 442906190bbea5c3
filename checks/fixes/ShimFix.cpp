//===--- ShimFix.cpp - edits that use torch_host ----------------------------===//
#include "ShimFix.h"
#include "../flow/EngineImpl.h"
#include "../support/Compat.h"
#include "AccessPlaces.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy::fixes {

using flow::Access;
using flow::Evidence;
using flow::inFile;
using flow::PointerUse;
using flow::strip;
using flow::UseKind;
using flow::ViewKind;

bool ShimFixer::isTyped(const Access &A, std::string &Type) const {
  const MemberExpr *M = methodOf(A);
  const auto *Call = dyn_cast<CXXMemberCallExpr>(strip(A.Site.Call));
  if (A.Site.Kind != ViewKind::Pointer || !M || !Call || !M->hasExplicitTemplateArgs() ||
      Call->getCallee()->IgnoreParens() != M || M->getNumTemplateArgs() != 1)
    return false;
  const DeclarationName Name = M->getMemberDecl()->getDeclName();
  if (!Name.isIdentifier() || !support::endsWith(Name.getAsIdentifierInfo()->getName(), "data_ptr"))
    return false;
  StringRef Text = textAt(fileRange(M->getTemplateArgs()[0].getSourceRange(), Context), Context);
  Text = Text.trim();
  Text.consume_front("const ");
  Type = Text.str();
  return !Type.empty();
}

bool ShimFixer::fitsConst(const Access &A) {
  ParentMap *Map = parents(A);
  if (!Map)
    return false;
  const Stmt *At = A.Site.Call;
  for (unsigned I = 0; I < 30; ++I) {
    const Stmt *Up = Map->getParent(At);
    if (!Up)
      return false;
    if (const auto *C = dyn_cast<ImplicitCastExpr>(Up)) {
      const QualType To = C->getType();
      if (To->isPointerType() && To->getPointeeType().isConstQualified())
        return true;
    } else if (const auto *C = dyn_cast<ExplicitCastExpr>(Up)) {
      const QualType To = C->getTypeAsWritten();
      return To->isPointerType() && To->getPointeeType().isConstQualified();
    } else if (isa<ArraySubscriptExpr>(Up)) {
      return true;
    } else if (const auto *U = dyn_cast<UnaryOperator>(Up)) {
      return U->getOpcode() == UO_Deref;
    } else if (const auto *B = dyn_cast<BinaryOperator>(Up)) {
      if (!B->isAdditiveOp())
        return false;
    } else if (const auto *D = dyn_cast<DeclStmt>(Up)) {
      const auto *V = D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
      if (!V)
        return false;
      // `auto` and `auto *` become const; `const float *` was a cast.
      QualType T = V->getType();
      if (V->getTypeSourceInfo())
        T = V->getTypeSourceInfo()->getType();
      if (T->isPointerType())
        T = T->getPointeeType();
      return T->getContainedAutoType() != nullptr;
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(Up)) {
      // `std::vector<float>(p, p + n)` deduces its iterators.
      return C->getConstructor()->getPrimaryTemplate() != nullptr;
    } else if (const auto *C = dyn_cast<CallExpr>(Up)) {
      const FunctionDecl *Fn = C->getDirectCallee();
      return Fn && Fn->getPrimaryTemplate() != nullptr && !isa<CXXMemberCallExpr>(C);
    } else if (!isa<ParenExpr>(Up) && !isa<MaterializeTemporaryExpr>(Up)) {
      return false;
    }
    At = Up;
  }
  return false;
}

/// Methods of a tensor that tell of it without reading its elements.
static bool onlyAsks(StringRef Method) {
  for (const char *Name :
       {"size", "sizes", "numel", "dim", "defined", "stride", "strides", "scalar_type", "dtype",
        "device", "is_cpu", "is_cuda", "is_contiguous", "itemsize", "element_size", "nbytes"})
    if (Method == Name)
      return true;
  return false;
}

/// Whether \p S uses the variable or member \p D otherwise than by asking about it, outside the
/// receivers \p Except.
static bool usesOtherwise(const Stmt *S, const ValueDecl *D, llvm::ArrayRef<const Expr *> Except) {
  if (llvm::is_contained(Except, dyn_cast<Expr>(S)))
    return false;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(S)) {
    const Expr *Object = strip(Call->getImplicitObjectArgument());
    const CXXMethodDecl *M = Call->getMethodDecl();
    const auto *Ref = dyn_cast<DeclRefExpr>(Object);
    const auto *Field = dyn_cast<MemberExpr>(Object);
    const ValueDecl *Of = Ref ? Ref->getDecl() : Field ? Field->getMemberDecl() : nullptr;
    if (Of == D && M && M->getDeclName().isIdentifier() && onlyAsks(M->getName()))
      return llvm::any_of(Call->arguments(),
                          [&](const Expr *Arg) { return usesOtherwise(Arg, D, Except); });
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && Ref->getDecl() == D)
    return true;
  if (const auto *M = dyn_cast<MemberExpr>(S); M && M->getMemberDecl() == D)
    return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return Child && usesOtherwise(Child, D, Except); });
}

static bool leaves(const Stmt *S) {
  if (isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<CXXThrowExpr>(S) || isa<CoreturnStmt>(S))
    return true;
  if (isa<LambdaExpr>(S))
    return false;
  return llvm::any_of(S->children(), [](const Stmt *Child) { return Child && leaves(Child); });
}

const Stmt *ShimFixer::lastUse(llvm::ArrayRef<const Access *> Same, const Place &P) const {
  const Expr *Receiver = strip(spelledReceiver(Same.front()->Site.Receiver));
  const ValueDecl *D = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Receiver))
    D = Ref->getDecl();
  else if (const auto *M = dyn_cast<MemberExpr>(Receiver))
    D = M->getMemberDecl();
  if (!D)
    return nullptr;
  llvm::SmallVector<const Expr *, 2> Receivers;
  for (const Access *Each : Same)
    Receivers.push_back(strip(Each->Site.Receiver));
  const Stmt *Last = nullptr;
  llvm::SmallVector<const Stmt *, 8> Through;
  bool Started = false;
  size_t Needed = 0;
  for (const Stmt *S : P.Block->children()) {
    Started |= S == P.Statement;
    if (!Started || !S)
      continue;
    Through.push_back(S);
    const CharSourceRange R = fileRange(S->getSourceRange(), Context);
    const bool Uses = R.isValid() && llvm::any_of(Same, [&](const Access *A) {
                        return llvm::any_of(A->Uses, [&](const PointerUse &U) {
                          const SourceLocation Loc = SM.getFileLoc(U.UseLoc);
                          return !SM.isBeforeInTranslationUnit(Loc, R.getBegin()) &&
                                 SM.isBeforeInTranslationUnit(Loc, R.getEnd());
                        });
                      });
    if (Uses) {
      Last = S;
      Needed = Through.size();
    }
  }
  for (size_t I = 0; I < Needed; ++I)
    if (leaves(Through[I]) || usesOtherwise(Through[I], D, Receivers))
      return nullptr;
  return Last;
}

/// Where the line of an include goes: behind the last one of the file that no condition is around.
static SourceLocation afterIncludes(FileID File, const SourceManager &SM, bool &Has) {
  bool Invalid = false;
  const StringRef Buffer = SM.getBufferData(File, &Invalid);
  Has = false;
  if (Invalid)
    return {};
  size_t Found = StringRef::npos;
  unsigned Depth = 0;
  for (size_t Line = 0; Line < Buffer.size();) {
    size_t End = Buffer.find('\n', Line);
    End = End == StringRef::npos ? Buffer.size() : End + 1;
    StringRef Text = Buffer.slice(Line, End).trim();
    if (Text.consume_front("#")) {
      Text = Text.ltrim();
      if (support::startsWith(Text, "if"))
        ++Depth;
      else if (support::startsWith(Text, "endif"))
        Depth -= Depth > 0;
      else if (support::startsWith(Text, "include")) {
        Has |= Text.contains("torch_host/");
        if (Depth == 0 || Found == StringRef::npos)
          Found = Depth == 0 ? End : Found;
      }
    }
    Line = End;
  }
  if (Found == StringRef::npos)
    return {};
  return SM.getLocForStartOfFile(File).getLocWithOffset(static_cast<int>(Found));
}

void ShimFixer::include(SourceLocation At, Edit &Result) {
  const FileID File = SM.getFileID(At);
  bool Has = false;
  const SourceLocation Where = afterIncludes(File, SM, Has);
  if (Has)
    return;
  // A file whose includes all stand in conditions, an include guard for one, cannot get a line.
  if (Where.isInvalid()) {
    Result = {};
    return;
  }
  if (Included.insert(support::fileName(SM, File).str()).second)
    Result.Hints.push_back(
        FixItHint::CreateInsertion(Where, "#include <torch_host/torch_host.h>\n"));
}

Edit ShimFixer::view(const Access &A, const std::vector<Access> &All) {
  llvm::SmallVector<const Access *, 2> Same = inSameExpression(A, All);
  std::string Type;
  bool Writes = false;
  for (const Access *Each : Same) {
    std::string Other;
    if (!isTyped(*Each, Other) || (!Type.empty() && Other != Type))
      return {};
    Type = Other;
    for (const PointerUse &U : Each->Uses) {
      Writes |= U.Kind == UseKind::Write;
      // What keeps the pointer may keep it longer than the view lives; and a view that writes
      // refuses a tensor that requires grad.
      if (U.Kind != UseKind::Read && U.Kind != UseKind::Write)
        return {};
      if (U.Kind == UseKind::Write && U.Recording && U.Grad >= Evidence::Likely)
        return {};
    }
  }
  Place P;
  if (!place(A, P) || !A.Site.Function || !isPure(A.Site.Receiver) ||
      !restIsPure(P.Outermost, A.Site.Call))
    return {};
  // `p = t.data_ptr<float>()` may keep the pointer in something from further out.
  if (const auto *B = dyn_cast_or_null<BinaryOperator>(P.Outermost);
      B && B->isAssignmentOp() && strip(B->getRHS()) == strip(A.Site.Call))
    return {};
  const CharSourceRange Block = fileRange(P.Block->getSourceRange(), Context);
  for (const Access *Each : Same) {
    if (!Writes && !fitsConst(*Each))
      return {};
    // The view ends with the block.
    for (const PointerUse &U : Each->Uses) {
      const SourceLocation Loc = SM.getFileLoc(U.UseLoc);
      if (Block.isInvalid() || SM.isBeforeInTranslationUnit(Loc, Block.getBegin()) ||
          !SM.isBeforeInTranslationUnit(Loc, Block.getEnd()))
        return {};
    }
  }
  const Stmt *Last = Writes ? lastUse(Same, P) : P.Statement;
  if (!Last)
    return {};
  const SourceLocation Begin = inFile(P.Statement->getBeginLoc(), SM);
  const StringRef Receiver =
      textAt(fileRange(spelledReceiver(A.Site.Receiver)->getSourceRange(), Context), Context);
  bool Invalid = false;
  if (Begin.isInvalid() || Receiver.empty() || methodOf(A)->isArrow())
    return {};
  const StringRef Buffer = SM.getBufferData(SM.getFileID(Begin), &Invalid);
  if (Invalid)
    return {};
  const unsigned Offset = SM.getFileOffset(Begin);
  size_t Line = Buffer.rfind('\n', Offset);
  Line = Line == StringRef::npos ? 0 : Line + 1;
  const StringRef Indent = Buffer.slice(Line, Offset);
  if (!Indent.trim().empty())
    return {};

  Edit E;
  const std::string Name = freshName(A, "_view", A.Site.Function->getSourceRange());
  E.Hints.push_back(FixItHint::CreateInsertion(
      Begin, ((Writes ? "auto " : "const auto ") + Name + " = torch_host::host_view" +
              (Writes ? "_mut<" : "<const ") + Type + ">(" + Receiver + ");\n" + Indent)
                 .str()));
  for (const Access *Each : Same) {
    const CharSourceRange Call = fileRange(Each->Site.Call->getSourceRange(), Context);
    if (Call.isInvalid())
      return {};
    E.Hints.push_back(FixItHint::CreateReplacement(Call, Name + ".data()"));
  }
  if (Writes) {
    SourceLocation End = inFile(Last->getEndLoc(), SM);
    if (End.isInvalid())
      return {};
    SourceLocation Behind = Lexer::getLocForEndOfToken(End, 0, SM, Context.getLangOpts());
    // Behind the semicolon, which is in the range of declarations, not in that of expressions.
    const unsigned Ends = SM.getFileOffset(Behind);
    if (Ends == 0 || (Buffer[Ends - 1] != ';' && Buffer[Ends - 1] != '}')) {
      const StringRef Rest = Buffer.substr(Ends).ltrim();
      if (!support::startsWith(Rest, ";"))
        return {};
      Behind = SM.getLocForStartOfFile(SM.getFileID(Begin))
                   .getLocWithOffset(static_cast<int>(Rest.data() - Buffer.data()) + 1);
    }
    E.Hints.push_back(
        FixItHint::CreateInsertion(Behind, ("\n" + Indent + Name + ".commit();").str()));
  }
  include(Begin, E);
  return E;
}

} // namespace torch_tidy::fixes
