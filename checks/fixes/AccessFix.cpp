//===--- AccessFix.cpp - edits for raw accesses -------------------------------===//
#include "AccessFix.h"
#include "../flow/EngineImpl.h"
#include "../model/TensorMethods.h"
#include "../support/Compat.h"
#include "AccessPlaces.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace torch_tidy::fixes {

using flow::Access;
using flow::Evidence;
using flow::inFile;
using flow::PointerUse;
using flow::strip;
using flow::UseKind;
using flow::ViewKind;

//===----------------------------------------------------------------------===//
// Places in the source
//===----------------------------------------------------------------------===//

CharSourceRange fileRange(SourceRange R, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation B = inFile(R.getBegin(), SM), E = inFile(R.getEnd(), SM);
  if (B.isInvalid() || E.isInvalid() || SM.getFileID(B) != SM.getFileID(E))
    return {};
  E = Lexer::getLocForEndOfToken(E, 0, SM, Context.getLangOpts());
  if (E.isInvalid() || SM.isBeforeInTranslationUnit(E, B))
    return {};
  return CharSourceRange::getCharRange(B, E);
}

StringRef textAt(CharSourceRange R, const ASTContext &Context) {
  if (R.isInvalid())
    return {};
  return Lexer::getSourceText(R, Context.getSourceManager(), Context.getLangOpts());
}

const Expr *spelledReceiver(const Expr *E) {
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(strip(E));
  return Arrow && Arrow->getOperator() == OO_Arrow ? Arrow->getArg(0) : E;
}

std::string sourceText(const Expr *E, const ASTContext &Context, unsigned MaxLength) {
  return sourceText(spelledReceiver(E)->getSourceRange(), Context, MaxLength);
}

std::string sourceText(SourceRange R, const ASTContext &Context, unsigned MaxLength) {
  std::string Result;
  for (char C : textAt(fileRange(R, Context), Context)) {
    if (llvm::isSpace(C)) {
      if (!Result.empty() && Result.back() != ' ')
        Result += ' ';
      continue;
    }
    Result += C;
  }
  return Result.size() > MaxLength ? "" : Result;
}

bool ReportedTensors::first(const Access &A) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Root = A.Site.Root ? A.Site.Root->getBeginLoc() : A.Site.Call->getExprLoc();
  std::string Name = sourceText(A.Site.Receiver, Context, 400);
  if (Name.empty())
    return true;
  return Seen.insert({SM.getFileLoc(Root).getRawEncoding(), Name}).second;
}

//===----------------------------------------------------------------------===//
// The fixer
//===----------------------------------------------------------------------===//

AccessFixer::AccessFixer(const ASTContext &Context, GivenNames *Shared)
    : Context(Context), SM(Context.getSourceManager()), Names(Shared ? *Shared : Own) {}
AccessFixer::~AccessFixer() = default;

ParentMap *AccessFixer::parents(const Access &A) {
  const Stmt *Body = A.Site.Function ? A.Site.Function->getBody() : nullptr;
  if (!Body)
    return nullptr;
  std::unique_ptr<ParentMap> &Map = Maps[Body];
  if (!Map)
    Map = std::make_unique<ParentMap>(const_cast<Stmt *>(Body));
  return Map.get();
}

bool isPure(const Expr *E, unsigned Depth) {
  if (Depth > 60)
    return false;
  E = strip(E);
  if (isa<DeclRefExpr>(E) || isa<CXXThisExpr>(E) || isa<IntegerLiteral>(E) ||
      isa<FloatingLiteral>(E) || isa<StringLiteral>(E) || isa<CXXBoolLiteralExpr>(E) ||
      isa<CXXDefaultArgExpr>(E) || isa<CXXNullPtrLiteralExpr>(E) ||
      isa<UnaryExprOrTypeTraitExpr>(E))
    return true;
  auto All = [&](auto &&Range) {
    return llvm::all_of(Range, [&](const Stmt *S) {
      const auto *Sub = dyn_cast_or_null<Expr>(S);
      return Sub && isPure(Sub, Depth + 1);
    });
  };
  if (isa<MemberExpr>(E) || isa<CastExpr>(E) || isa<ArraySubscriptExpr>(E) ||
      isa<InitListExpr>(E) || isa<CXXConstructExpr>(E))
    return All(E->children());
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return !U->isIncrementDecrementOp() && isPure(U->getSubExpr(), Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && All(E->children());
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *Fn = C ? C->getDirectCallee() : nullptr;
  if (!Fn || !All(C->arguments()))
    return false;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
    if (!isPure(M->getImplicitObjectArgument(), Depth + 1))
      return false;
  std::string Name = Fn->getNameAsString();
  if (support::endsWith(Name, "_") || Name == "operator=")
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(Fn);
  if (Method && !Method->isStatic() && !Method->isConst() && Name != "operator[]" &&
      Name != "operator->" && Name != "operator*" && Name != "at" && Name != "get" &&
      Name != "front" && Name != "back" && Name != "begin" && Name != "end")
    return false;
  std::string Qualified = model::qualifiedName(Fn);
  for (StringRef Space : {"at::", "torch::", "c10::", "std::"})
    if (support::startsWith(Qualified, Space))
      return !support::startsWith(Qualified, "torch::nn::") && Name != "swap" &&
             Name != "forward" && Name != "exchange";
  return Method && Method->isConst() && C->getNumArgs() <= 1;
}

bool restIsPure(const Stmt *Root, const Expr *Except) {
  std::vector<const Stmt *> Work{Root};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (S == Except)
      continue;
    if (const auto *U = dyn_cast<UnaryOperator>(S); U && U->isIncrementDecrementOp())
      return false;
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp()) {
      // `p = t.data_ptr()` itself: the right side comes first anyway.
      if (S != Root)
        return false;
    }
    if (const auto *C = dyn_cast<CallExpr>(S)) {
      std::string Name = C->getDirectCallee() ? C->getDirectCallee()->getNameAsString() : "";
      if (support::endsWith(Name, "_"))
        return false;
      if (Name == "operator=" && S != Root)
        return false;
    }
    if (isa<LambdaExpr>(S))
      continue;
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return true;
}

bool AccessFixer::place(const Access &A, Place &P) {
  ParentMap *Map = parents(A);
  if (!Map)
    return false;
  const Stmt *At = A.Site.Call;
  bool Expressions = true;
  while (const Stmt *Up = Map->getParent(At)) {
    if (Expressions && isa<Expr>(At))
      P.Outermost = cast<Expr>(At);
    // Evaluated only sometimes: the declaration would evaluate it always.
    if (const auto *C = dyn_cast<AbstractConditionalOperator>(Up))
      if (At != C->getCond())
        return false;
    if (const auto *B = dyn_cast<BinaryOperator>(Up); B && B->isLogicalOp() && At == B->getRHS())
      return false;
    if (const auto *L = dyn_cast<LambdaExpr>(Up)) {
      // An initialiser of a capture, not the body.
      if (At != L->getBody())
        return false;
    }
    if (!isa<Expr>(Up))
      Expressions = false;
    if (isa<CompoundStmt>(Up)) {
      P.Statement = At;
      P.Block = Up;
      break;
    }
    if (isa<ForStmt>(Up) || isa<WhileStmt>(Up) || isa<DoStmt>(Up))
      return false;
    if (const auto *R = dyn_cast<CXXForRangeStmt>(Up)) {
      // The range is evaluated once, but its temporaries are subtle.
      (void)R;
      return false;
    }
    if (const auto *If = dyn_cast<IfStmt>(Up)) {
      if (At != If->getCond() && At != If->getInit() && At != If->getConditionVariableDeclStmt())
        return false; // a branch without braces
      // `else if` would be evaluated too late.
      if (const auto *Outer = dyn_cast_or_null<IfStmt>(Map->getParent(If)))
        if (Outer->getElse() == If)
          return false;
    }
    if (isa<SwitchCase>(Up))
      return false;
    At = Up;
  }
  return P.Statement && P.Block;
}

std::string AccessFixer::freshName(const Access &A, StringRef Suffix, SourceRange In) {
  // The variable or member that the tensor comes from gives the name.
  std::string Base;
  const Expr *E = strip(A.Site.Receiver);
  for (unsigned I = 0; I < 50 && E; ++I) {
    E = strip(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      Base = Ref->getDecl()->getNameAsString();
      break;
    }
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (isa<FieldDecl>(M->getMemberDecl())) {
        Base = M->getMemberDecl()->getNameAsString();
        break;
      }
      E = M->getBase();
      continue;
    }
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
      E = M->getImplicitObjectArgument();
      continue;
    }
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
      E = O->getNumArgs() ? O->getArg(0) : nullptr;
      continue;
    }
    if (const auto *C = dyn_cast<CallExpr>(E)) {
      if (const FunctionDecl *Fn = C->getDirectCallee(); Fn && Fn->getIdentifier())
        Base = Fn->getName().str();
      break;
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      E = U->getSubExpr();
      continue;
    }
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      E = C->getSubExpr();
      continue;
    }
    break;
  }
  StringRef Stem(Base);
  Stem = Stem.rtrim('_').ltrim('_');
  if (support::startsWith(Stem, "m_"))
    Stem = Stem.drop_front(2);
  std::string Name = (Stem.empty() ? "tensor" : Stem.str()) + Suffix.str();
  StringRef Text = textAt(fileRange(In, Context), Context);
  const unsigned Key = SM.getFileLoc(In.getBegin()).getRawEncoding();
  auto Taken = [&](const std::string &N) {
    for (size_t At = Text.find(N); At != StringRef::npos; At = Text.find(N, At + 1)) {
      auto IsWord = [&](size_t I) {
        return I < Text.size() && (llvm::isAlnum(Text[I]) || Text[I] == '_');
      };
      if (!(At && IsWord(At - 1)) && !IsWord(At + N.size()))
        return true;
    }
    return Names.count({Key, N}) != 0;
  };
  std::string Unique = Name;
  for (unsigned I = 2; Taken(Unique); ++I)
    Unique = Name + std::to_string(I);
  Names.insert({Key, Unique});
  return Unique;
}

const MemberExpr *methodOf(const Access &A) {
  const Expr *Receiver = strip(A.Site.Receiver);
  QualType Type = Receiver->getType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  const auto *Class = Type->getAsCXXRecordDecl();
  if (!Class || model::qualifiedName(Class) != "at::Tensor")
    return nullptr;
  const auto *C = dyn_cast<CXXMemberCallExpr>(strip(A.Site.Call));
  while (C && strip(C->getImplicitObjectArgument()) != Receiver)
    C = dyn_cast<CXXMemberCallExpr>(strip(C->getImplicitObjectArgument()));
  return C ? dyn_cast<MemberExpr>(C->getCallee()->IgnoreParens()) : nullptr;
}

/// The pointer is kept beyond the full expression, by a variable, an object, a lambda.
static bool outlives(const Access &A) {
  for (const PointerUse &U : A.Uses)
    if (U.Kind != UseKind::Device && (U.UseRoot != U.Site.Root || U.Kind == UseKind::View))
      return true;
  return false;
}

Edit AccessFixer::insertBeforeMethod(const Access &A, StringRef Calls) {
  Edit E;
  const MemberExpr *M = methodOf(A);
  if (!M)
    return E;
  SourceLocation At =
      inFile(M->hasTemplateKeyword() ? M->getTemplateKeywordLoc() : M->getMemberLoc(), SM);
  if (At.isInvalid())
    return E;
  E.Hints.push_back(FixItHint::CreateInsertion(At, (Calls + ".").str()));
  return E;
}

/// `.contiguous()` on an unknown tensor stays last: what is read must be contiguous.
static const CXXMemberCallExpr *trailingContiguous(const Expr *Receiver) {
  const auto *C = dyn_cast<CXXMemberCallExpr>(strip(Receiver));
  if (C && C->getMethodDecl() && C->getMethodDecl()->getIdentifier() &&
      C->getMethodDecl()->getName() == "contiguous")
    return C;
  return nullptr;
}

Edit AccessFixer::hoist(const Access &A, llvm::ArrayRef<const Access *> Same, StringRef Calls,
                        StringRef Suffix) {
  Edit E;
  Place P;
  if (!place(A, P) || !A.Site.Function)
    return E;
  if (!isPure(A.Site.Receiver) && !restIsPure(P.Outermost, A.Site.Receiver))
    return E;
  if (isPure(A.Site.Receiver) && !restIsPure(P.Outermost, A.Site.Call))
    return E;
  // Everything that uses the pointer must see the variable.
  CharSourceRange Block = fileRange(P.Block->getSourceRange(), Context);
  if (Block.isInvalid())
    return E;
  for (const PointerUse &U : A.Uses) {
    SourceLocation Loc = SM.getFileLoc(U.UseLoc);
    if (U.Kind == UseKind::Return)
      return E;
    const bool InCallee = U.UseRoot && U.Site.Root && U.Use && U.UseRoot != U.Site.Root &&
                          (SM.isBeforeInTranslationUnit(Loc, Block.getBegin()) ||
                           !SM.isBeforeInTranslationUnit(Loc, Block.getEnd()));
    if (!InCallee)
      continue;
    // A use outside the block: in a function that was called from within it, or by a pointer that
    // is declared further out. Only the first is known to end before the block does.
    const Decl *Pointer = nullptr;
    if (const auto *Assign = dyn_cast_or_null<BinaryOperator>(P.Outermost))
      if (Assign->isAssignmentOp())
        if (const auto *Ref = dyn_cast<DeclRefExpr>(strip(Assign->getLHS())))
          Pointer = Ref->getDecl();
    if (Pointer)
      return E;
  }
  // A pointer stored in something declared further out would outlive the variable.
  if (const auto *Assign = dyn_cast_or_null<BinaryOperator>(P.Outermost);
      Assign && Assign->isAssignmentOp() && outlives(A)) {
    const auto *Ref = dyn_cast<DeclRefExpr>(strip(Assign->getLHS()));
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var)
      return E;
    bool Here = false;
    for (const Stmt *S : P.Block->children())
      if (const auto *D = dyn_cast_or_null<DeclStmt>(S))
        Here |= llvm::is_contained(D->decls(), Var);
    if (!Here)
      return E;
  }
  const MemberExpr *M = methodOf(A);
  if (!M)
    return E;
  CharSourceRange Receiver = fileRange(spelledReceiver(A.Site.Receiver)->getSourceRange(), Context);
  SourceLocation Begin = inFile(P.Statement->getBeginLoc(), SM);
  StringRef Text = textAt(Receiver, Context);
  if (Text.empty() || Begin.isInvalid() || SM.getFileID(Begin) != SM.getFileID(Receiver.getBegin()))
    return E;
  // The statement must start its line, and the indentation is what stands before it.
  bool Invalid = false;
  StringRef Buffer = SM.getBufferData(SM.getFileID(Begin), &Invalid);
  if (Invalid)
    return E;
  unsigned Offset = SM.getFileOffset(Begin);
  size_t Line = Buffer.rfind('\n', Offset);
  Line = Line == StringRef::npos ? 0 : Line + 1;
  StringRef Indent = Buffer.slice(Line, Offset);
  const bool StartsLine = Indent.trim().empty();
  StringRef LineEnd = support::endsWith(Buffer.slice(0, Line), "\r\n") ? "\r\n" : "\n";

  std::string Name = freshName(A, Suffix, A.Site.Function->getSourceRange());
  std::string Initial;
  if (Calls.empty()) {
    Initial = Text.str();
  } else if (const CXXMemberCallExpr *C = trailingContiguous(A.Site.Receiver)) {
    CharSourceRange Inner = fileRange(C->getImplicitObjectArgument()->getSourceRange(), Context);
    StringRef InnerText = textAt(Inner, Context);
    if (InnerText.empty())
      return E;
    const auto *Member = dyn_cast<MemberExpr>(C->getCallee()->IgnoreParens());
    Initial = (InnerText + (Member && Member->isArrow() ? "->" : ".") + Calls + ".").str() +
              Text.substr(Text.rfind("contiguous")).str();
  } else {
    const Expr *Core = A.Site.Receiver->IgnoreImpCasts();
    const bool Parens = isa<CXXOperatorCallExpr>(strip(Core)) && !isa<ParenExpr>(Core) &&
                        Text.back() != ')' && Text.back() != ']';
    Initial = Parens ? ("(" + Text + ")").str() : Text.str();
    Initial += M->isArrow() ? "->" : ".";
    Initial += Calls;
  }
  std::string Declaration = "const auto " + Name + " = " + Initial + ";";
  Declaration += StartsLine ? (LineEnd + Indent).str() : " ";
  E.Hints.push_back(FixItHint::CreateInsertion(Begin, Declaration));
  for (const Access *Each : Same) {
    const MemberExpr *Method = methodOf(*Each);
    CharSourceRange R = fileRange(spelledReceiver(Each->Site.Receiver)->getSourceRange(), Context);
    if (!Method || R.isInvalid())
      return {};
    if (Method->isArrow()) {
      SourceLocation Op = inFile(Method->getOperatorLoc(), SM);
      if (Op.isInvalid())
        return {};
      R = CharSourceRange::getCharRange(
          R.getBegin(), Lexer::getLocForEndOfToken(Op, 0, SM, Context.getLangOpts()));
      E.Hints.push_back(FixItHint::CreateReplacement(R, Name + "."));
    } else {
      E.Hints.push_back(FixItHint::CreateReplacement(R, Name));
    }
  }
  return E;
}

llvm::SmallVector<const Access *, 2> AccessFixer::inSameExpression(const Access &A,
                                                                   const std::vector<Access> &All) {
  llvm::SmallVector<const Access *, 2> Same;
  std::string Name = sourceText(A.Site.Receiver, Context, 400);
  for (const Access &Other : All)
    if (&Other == &A || (A.Site.Root && Other.Site.Root == A.Site.Root && !Name.empty() &&
                         Other.Site.Kind != ViewKind::Shape &&
                         sourceText(Other.Site.Receiver, Context, 400) == Name))
      Same.push_back(&Other);
  return Same;
}

/// `from_blob(p, ...).clone()`: the view over the copy does not outlive the full expression. Any
/// other view would dangle once the copy is gone.
static bool clonedAtOnce(const PointerUse &U, ParentMap *Map) {
  const Stmt *At = Map && U.Use ? Map->getParent(U.Use) : nullptr;
  while (At && (isa<MaterializeTemporaryExpr>(At) || isa<CXXBindTemporaryExpr>(At) ||
                isa<ImplicitCastExpr>(At) || isa<ParenExpr>(At)))
    At = Map->getParent(At);
  const auto *M = dyn_cast_or_null<MemberExpr>(At);
  return M && M->getMemberDecl()->getDeclName().isIdentifier() &&
         M->getMemberDecl()->getName() == "clone";
}

Edit AccessFixer::copyToHost(const Access &A, const std::vector<Access> &All) {
  bool Detach = false;
  for (const PointerUse &U : A.Uses)
    Detach |= U.Grad != Evidence::None;
  return convert(A, All, Detach ? "detach().cpu()" : "cpu()", "_host");
}

Edit AccessFixer::convert(const Access &A, const std::vector<Access> &All, StringRef Calls,
                          StringRef Suffix) {
  // The copy would swallow what is written; the device, and code that is not seen, get another
  // memory than they did.
  auto Sharing = [](const PointerUse &U) {
    return U.Kind == UseKind::Write || U.Kind == UseKind::Device || U.Kind == UseKind::Escape;
  };
  if (llvm::any_of(A.Uses, Sharing))
    return {};
  // All accesses to this tensor in the full expression share one copy.
  llvm::SmallVector<const Access *, 2> Same = inSameExpression(A, All);
  bool Kept = false;
  for (const Access *Each : Same) {
    Kept |= outlives(*Each);
    for (const PointerUse &U : Each->Uses)
      if (Sharing(U) || (U.Kind == UseKind::Blob && !clonedAtOnce(U, parents(*Each))))
        return {};
  }
  const bool LvalueOnly =
      A.Site.Kind == ViewKind::Accessor || A.Site.Kind == ViewKind::PackedAccessor;
  if (Same.size() == 1 && !Kept && !LvalueOnly) {
    if (const CXXMemberCallExpr *C = trailingContiguous(A.Site.Receiver)) {
      const auto *M = dyn_cast<MemberExpr>(C->getCallee()->IgnoreParens());
      SourceLocation At = M ? inFile(M->getMemberLoc(), SM) : SourceLocation();
      if (At.isInvalid())
        return {};
      Edit E;
      E.Hints.push_back(FixItHint::CreateInsertion(At, (Calls + ".").str()));
      return E;
    }
    return insertBeforeMethod(A, Calls);
  }
  return hoist(A, Same, Calls, Suffix);
}

Edit AccessFixer::detach(const Access &A, const std::vector<Access> &All) {
  llvm::SmallVector<const Access *, 2> Same = inSameExpression(A, All);
  Edit Whole;
  for (const Access *Each : Same) {
    // accessor() is deleted on temporaries.
    if (Each->Site.Kind == ViewKind::Accessor || Each->Site.Kind == ViewKind::PackedAccessor)
      return hoist(A, Same, "detach()", "_detached");
    Edit One = insertBeforeMethod(*Each, "detach()");
    if (!One)
      return {};
    Whole.Hints.append(One.Hints.begin(), One.Hints.end());
  }
  return Whole;
}

/// `const Tensor &t = ...` becomes `const Tensor t = ...`.
static Edit dropReference(const VarDecl *D) {
  Edit Result;
  const auto *Info = D->getTypeSourceInfo();
  const auto Reference = Info ? Info->getTypeLoc().getAs<ReferenceTypeLoc>() : ReferenceTypeLoc();
  if (Reference.isNull() || Reference.getSigilLoc().isMacroID())
    return Result;
  Result.Hints.push_back(FixItHint::CreateRemoval(Reference.getSigilLoc()));
  return Result;
}

Edit AccessFixer::keep(const Access &A) {
  if (A.Site.Unextended)
    return dropReference(A.Site.Unextended);
  const auto *C = dyn_cast<CXXMemberCallExpr>(strip(A.Site.Receiver));
  const bool Host =
      C && C->getMethodDecl() && C->getMethodDecl()->getIdentifier() &&
      (C->getMethodDecl()->getName() == "cpu" || C->getMethodDecl()->getName() == "to");
  return hoist(A, {&A}, "", Host ? "_host" : "_tensor");
}

//===----------------------------------------------------------------------===//
// item()
//===----------------------------------------------------------------------===//

bool readsOnlyElement(const Access &A) {
  bool Reads = false;
  for (const PointerUse &U : A.Uses) {
    if (U.Kind == UseKind::Taken || U.Kind == UseKind::Device)
      return false;
    if (U.Kind != UseKind::Read || !U.Tensor.OneElement)
      return false;
    // accessor() itself counts as a read.
    Reads |= U.FirstElement;
    if (!U.FirstElement && U.Use != A.Site.Call)
      return false;
  }
  return Reads;
}

static bool isZero(const Expr *E) {
  const auto *L = dyn_cast<IntegerLiteral>(strip(E));
  return L && L->getValue() == 0;
}

const Expr *AccessFixer::elementRead(const Access &A) {
  ParentMap *Map = parents(A);
  if (!Map)
    return nullptr;
  const Stmt *At = A.Site.Call;
  const bool Pointer = A.Site.Kind == ViewKind::Pointer;
  const Expr *Read = nullptr;
  for (unsigned I = 0; I < 30; ++I) {
    const auto *Up = dyn_cast_or_null<Expr>(Map->getParent(At));
    if (!Up)
      break;
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(Up); S && S->getBase() == At)
      return Pointer && isZero(S->getIdx()) ? S : nullptr;
    if (const auto *U = dyn_cast<UnaryOperator>(Up); U && U->getOpcode() == UO_Deref)
      return Pointer ? U : nullptr;
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(Up)) {
      // accessor<float, 2>()[0][0]: the outermost subscript.
      if (Pointer || O->getOperator() != OO_Subscript ||
          strip(O->getArg(0)) != strip(cast<Expr>(At)) || !isZero(O->getArg(1)))
        break;
      Read = O;
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(Up)) {
      (void)S;
      break;
    } else if (!isa<ParenExpr>(Up) && !isa<CastExpr>(Up) && !isa<MaterializeTemporaryExpr>(Up) &&
               !isa<ExprWithCleanups>(Up) && !isa<CXXBindTemporaryExpr>(Up)) {
      break;
    } else if (const auto *C = dyn_cast<CastExpr>(Up); C && C->getCastKind() == CK_LValueToRValue) {
      break;
    }
    At = Up;
  }
  return Read;
}

Edit AccessFixer::item(const Access &A) {
  const Expr *Read = elementRead(A);
  const MemberExpr *M = methodOf(A);
  if (!Read || !M)
    return {};
  std::string Type;
  if (M->hasExplicitTemplateArgs()) {
    Type = textAt(fileRange(M->getTemplateArgs()[0].getSourceRange(), Context), Context).str();
  } else {
    PrintingPolicy Policy(Context.getLangOpts());
    Policy.adjustForCPlusPlus();
    Type = Read->getType().getUnqualifiedType().getAsString(Policy);
  }
  CharSourceRange Whole = fileRange(Read->getSourceRange(), Context);
  CharSourceRange Receiver = fileRange(A.Site.Receiver->getSourceRange(), Context);
  SourceLocation Method = inFile(M->getMemberLoc(), SM);
  if (Type.empty() || StringRef(Type).contains("const") || Whole.isInvalid() ||
      Receiver.isInvalid() || Method.isInvalid())
    return {};
  Edit E;
  // `return*x.data_ptr<float>();`
  bool Invalid = false;
  StringRef Buffer = SM.getBufferData(SM.getFileID(Whole.getBegin()), &Invalid);
  const unsigned Offset = SM.getFileOffset(Whole.getBegin());
  if (Invalid)
    return {};
  if (Whole.getBegin() != Receiver.getBegin())
    E.Hints.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(Whole.getBegin(), Receiver.getBegin()),
        Offset && llvm::isAlnum(Buffer[Offset - 1]) ? " " : ""));
  E.Hints.push_back(FixItHint::CreateReplacement(
      CharSourceRange::getCharRange(Method, Whole.getEnd()), "item<" + Type + ">()"));
  return E;
}

} // namespace torch_tidy::fixes
