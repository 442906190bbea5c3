//===--- DeprecatedAccessCheck.cpp ------------------------------------------===//
#include "DeprecatedAccessCheck.h"
#include "fixes/CallFix.h"
#include "fixes/ConstFix.h"
#include "flow/EngineImpl.h"
#include "model/Deprecated.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy {

using flow::CallSite;
using flow::inFile;
using flow::TensorCall;
using flow::UseKind;

DeprecatedAccessCheck::DeprecatedAccessCheck(llvm::StringRef Name,
                                             clang::tidy::ClangTidyContext *Context,
                                             std::shared_ptr<SharedAnalysis> Analysis)
    : TorchCheck(Name, Context, std::move(Analysis), flow::Evidence::Possible),
      PreferConst(Options.get("PreferConst", Flag::Off)) {}

void DeprecatedAccessCheck::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) {
  TorchCheck::storeOptions(Opts);
  Options.store(Opts, "PreferConst", PreferConst);
}

void DeprecatedAccessCheck::report(const flow::TranslationUnit &TU) {
  reportSpellings(TU);
  if (PreferConst == Flag::On)
    reportConst(TU);
}

namespace {

/// One spelling in the source, over all instantiations of the code around it.
struct Spelling {
  CallSite Site;
  TensorCall Tensor;    ///< The deprecated method, or the `type()` in front of it.
  SourceLocation Loc;   ///< Where the method's name is written.
  std::string Old, New; ///< "type().is_cuda()", "is_cuda()"
  const char *Reason = nullptr;
  fixes::Edit Fix;
  bool Fixable = true;
};

class SpellingFinder {
public:
  explicit SpellingFinder(const flow::TranslationUnit &TU)
      : TU(TU), Context(TU.context()), SM(Context.getSourceManager()),
        Fixer(Context, TU.scope(), Types) {}

  std::vector<Spelling> find() {
    for (const CallSite &Site : flow::callSites(TU, [&](const CallExpr *C) { return wanted(C); })) {
      Spelling S;
      S.Site = Site;
      S.Tensor = flow::tensorCall(Site.Call, TU.scope(), Types);
      if (!(S.Tensor.Object ? S.Tensor.Name == "type" ? dispatch(S) : accessor(S) : typeQuery(S)))
        continue;
      S.Loc = inFile(S.Tensor.NameLoc, SM);
      if (S.Loc.isInvalid()) // the body of a macro
        continue;
      add(std::move(S));
    }
    return std::move(Found);
  }

private:
  bool wanted(const CallExpr *Call) const {
    TensorCall T = flow::tensorCall(Call, TU.scope(), Types);
    return T.Object
               ? T.Name == "type" || (!T.TemplateArgs.empty() && model::deprecatedAccessor(T.Name))
               : typeOf(Call) != nullptr;
  }

  /// `t.type()` in `t.type().is_cuda()`.
  const CallExpr *typeOf(const CallExpr *Call) const {
    const auto *M = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    const auto *Type = M ? dyn_cast<CXXMemberCallExpr>(flow::strip(M->getBase())) : nullptr;
    if (!Type || !M->getMemberDecl()->getIdentifier() ||
        !model::deprecatedTypeQuery(M->getMemberDecl()->getName()) ||
        flow::tensorCall(Type, TU.scope(), Types).Name != "type")
      return nullptr;
    return Type;
  }

  bool typeQuery(Spelling &S) const {
    const auto *M = cast<MemberExpr>(S.Site.Call->getCallee()->IgnoreParens());
    const auto *Method = model::deprecatedTypeQuery(M->getMemberDecl()->getName());
    S.Tensor = flow::tensorCall(typeOf(S.Site.Call), TU.scope(), Types);
    S.Old = ("type()." + StringRef(Method->Name) + "()").str();
    S.New = std::string(Method->Replacement) + "()";
    S.Reason = Method->Reason;
    S.Fix = Fixer.replaceTokens(S.Tensor.NameLoc, M->getMemberLoc(), Method->Replacement);
    return true;
  }

  /// AT_DISPATCH_FLOATING_TYPES(t.type(), ...): the macro makes a variable of its argument and asks
  /// `::detail::scalar_type` for the element type.
  bool dispatch(Spelling &S) const {
    const VarDecl *V = S.Site.Variable;
    if (!V || !V->getLocation().isMacroID() || inFile(V->getLocation(), SM).isValid())
      return false;
    if (TU.scope().isUserCode(SM.getSpellingLoc(V->getLocation())) && !onlyDispatchedOn(S))
      return false;
    S.Old = "type()";
    S.New = "scalar_type()";
    S.Reason = "is deprecated for a dispatch, and later releases do not compile it";
    S.Fix = Fixer.extendName(S.Tensor.NameLoc, "scalar_", false);
    return true;
  }

  /// Whether a project's own dispatch macro does with its variable what LibTorch's does.
  static bool onlyDispatchedOn(const Spelling &S) {
    std::vector<const Stmt *> Work;
    if (S.Site.Function)
      Work.push_back(S.Site.Function->getBody());
    unsigned Uses = 0, Dispatches = 0;
    while (!Work.empty()) {
      const Stmt *Each = Work.back();
      Work.pop_back();
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Each))
        Uses += Ref->getDecl() == S.Site.Variable;
      if (const auto *C = dyn_cast<CallExpr>(Each); C && C->getNumArgs() == 1)
        if (const FunctionDecl *Fn = C->getDirectCallee();
            Fn && model::qualifiedName(Fn) == "detail::scalar_type")
          if (const auto *Ref = dyn_cast<DeclRefExpr>(flow::strip(C->getArg(0))))
            Dispatches += Ref->getDecl() == S.Site.Variable;
      for (const Stmt *Child : Each->children())
        if (Child)
          Work.push_back(Child);
    }
    return Dispatches && Uses == Dispatches;
  }

  bool accessor(Spelling &S) const {
    const auto *Method = model::deprecatedAccessor(S.Tensor.Name);
    llvm::ArrayRef<TemplateArgumentLoc> Args = S.Tensor.TemplateArgs;
    std::string Old(Method->Name), New(Method->Replacement);
    S.Reason = Method->Reason;
    fixes::Edit Drop;
    if (Args.size() > 3) {
      switch (indexWidth(S)) {
      case 32:
        New = "packed_accessor32";
        break;
      case 0:
        S.Fixable = false;
        break;
      }
      Drop = Fixer.dropTemplateArgument(Args, 3);
      S.Fixable &= bool(Drop);
    }
    S.Old = Old;
    S.New = New;
    if (Args.size() == 1)
      if (std::string Type = fixes::sourceText(Args[0].getSourceRange(), Context, 30);
          !Type.empty()) {
        S.Old += "<" + Type + ">()";
        S.New += "<" + Type + ">()";
      }
    // Behind the name, so that an insertion in front of it can be made at the same time.
    S.Fix = Fixer.extendName(S.Tensor.NameLoc, StringRef(New).drop_front(Old.size()), true);
    S.Fix.Hints.append(Drop.Hints.begin(), Drop.Hints.end());
    return true;
  }

  /// The width of the index in `packed_accessor<T, N, Traits, index_t>`: 64 also where nobody
  /// depends on the type, 0 where it is not known.
  unsigned indexWidth(const Spelling &S) const {
    const TemplateArgument &A = S.Tensor.TemplateArgs[3].getArgument();
    if (A.getKind() != TemplateArgument::Type || A.getAsType()->isDependentType())
      return 0;
    QualType T = A.getAsType().getCanonicalType();
    const TargetInfo &Target = Context.getTargetInfo();
    if (Context.hasSameType(T, Context.IntTy) && Target.getIntWidth() == 32)
      return 32;
    if (Context.hasSameType(T, Target.getInt64Type() == TargetInfo::SignedLong
                                   ? Context.LongTy
                                   : Context.LongLongTy))
      return 64;
    // size_t, as the first tutorials had it: another type than packed_accessor64 returns.
    return S.Site.Variable && S.Site.Function &&
                   fixes::onlySubscripted(S.Site.Variable, S.Site.Function->getBody())
               ? 64
               : 0;
  }

  void add(Spelling S) {
    auto [It, New] = Index.try_emplace(S.Loc, Found.size());
    // data<T>() of something whose type the template's argument decides: an edit would change
    // what other instantiations call. The template as written comes before its instantiations.
    if (New) {
      const FunctionDecl *Fn = S.Site.Function;
      S.Fixable &= !(Fn && Fn->isTemplateInstantiation());
      Found.push_back(std::move(S));
      return;
    }
    Spelling &First = Found[It->second];
    First.Fixable &= S.Fixable && First.New == S.New;
  }

  const flow::TranslationUnit &TU;
  const ASTContext &Context;
  const SourceManager &SM;
  const model::Types Types;
  const fixes::CallFixer Fixer;
  std::vector<Spelling> Found;
  std::map<SourceLocation, size_t> Index;
};

} // namespace

void DeprecatedAccessCheck::reportSpellings(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  const SourceManager &SM = Context.getSourceManager();
  std::vector<Spelling> Found = SpellingFinder(TU).find();

  // std::copy(t.data<float>(), t.data<float>() + n, out): one report mends both.
  std::vector<Spelling *> Reports;
  std::map<std::pair<SourceLocation, std::string>, Spelling *> Groups;
  for (Spelling &S : Found) {
    std::string Tensor = fixes::sourceText(S.Tensor.Object, Context, 400);
    if (!Tensor.empty()) {
      SourceLocation Root = SM.getFileLoc(S.Site.Root->getBeginLoc());
      auto [It, New] = Groups.try_emplace({Root, Tensor}, &S);
      if (!New) {
        Spelling &First = *It->second;
        First.Fixable &= S.Fixable;
        First.Fix.Hints.append(S.Fix.Hints.begin(), S.Fix.Hints.end());
        continue;
      }
    }
    Reports.push_back(&S);
  }
  for (const Spelling *S : Reports) {
    std::string Tensor = textOf(S->Tensor.Object, Context);
    auto Diag = warn(S->Loc, flow::Evidence::Proven, "'%0' of %1 %2; use '%3'")
                << S->Old << (Tensor.empty() ? "the tensor" : "'" + Tensor + "'") << S->Reason
                << S->New;
    if (S->Fixable)
      Diag << S->Fix;
  }
}

//===----------------------------------------------------------------------===//
// PreferConst
//===----------------------------------------------------------------------===//

/// Whether this LibTorch has const_data_ptr<T>().
static bool hasConstAccess(const CXXMethodDecl *Method) {
  return !Method->getParent()
              ->lookup(&Method->getASTContext().Idents.get("const_data_ptr"))
              .empty();
}

void DeprecatedAccessCheck::reportConst(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  const model::Types Types;
  const fixes::CallFixer Fixer(Context, TU.scope(), Types);
  fixes::ConstFixer Const(Context);
  fixes::ReportedTensors Reported(Context);
  for (const flow::Access &A : TU.accesses()) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(flow::strip(A.Site.Call));
    const TensorCall T = Call ? flow::tensorCall(Call, TU.scope(), Types) : TensorCall();
    SourceLocation At = inFile(T.NameLoc, Context.getSourceManager());
    // What torch-host-access says about the call comes first.
    if (!T.Method || T.Name != "data_ptr" || T.TemplateArgs.empty() || At.isInvalid() ||
        A.Uses.empty() || !hasConstAccess(T.Method) || hostReports(*Shared, A))
      continue;
    auto All = [&](UseKind Kind) {
      return llvm::all_of(A.Uses, [&](const flow::PointerUse &U) { return U.Kind == Kind; });
    };
    const bool Reads = All(UseKind::Read);
    if ((!Reads && !All(UseKind::Write)) || !Reported.first(A))
      continue;
    // The same tensor in the same full expression is read by the same statement.
    fixes::Edit Fix = Reads ? Const.readOnly(A, TU.accesses())
                            : Fixer.replaceTokens(T.NameLoc, T.NameLoc, "mutable_data_ptr");
    std::string Tensor = textOf(A.Site.Receiver, Context);
    auto Diag = warn(At, flow::Evidence::Proven,
                     "the memory of %0 is only %select{written|read}1, but 'data_ptr' "
                     "%select{does not say so|copies a copy-on-write storage}1; use "
                     "'%select{mutable_data_ptr|const_data_ptr}1'")
                << (Tensor.empty() ? "the tensor" : "'" + Tensor + "'") << Reads;
    Diag << Fix;
  }
}

} // namespace torch_tidy
