//===--- TorchCheck.cpp - base class of the torch checks --------------------===//
#include "TorchCheck.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace clang::tidy {
using torch_tidy::fixes::FixStyle;
using torch_tidy::flow::Evidence;

llvm::ArrayRef<std::pair<Evidence, StringRef>> OptionEnumMapping<Evidence>::getEnumMapping() {
  static constexpr std::pair<Evidence, StringRef> Mapping[] = {
      {Evidence::Possible, "possible"}, {Evidence::Likely, "likely"}, {Evidence::Proven, "proven"}};
  return Mapping;
}

llvm::ArrayRef<std::pair<torch_tidy::Flag, StringRef>>
OptionEnumMapping<torch_tidy::Flag>::getEnumMapping() {
  static constexpr std::pair<torch_tidy::Flag, StringRef> Mapping[] = {
      {torch_tidy::Flag::Off, "false"}, {torch_tidy::Flag::On, "true"}};
  return Mapping;
}

llvm::ArrayRef<std::pair<FixStyle, StringRef>> OptionEnumMapping<FixStyle>::getEnumMapping() {
  static constexpr std::pair<FixStyle, StringRef> Mapping[] = {{FixStyle::Inline, "inline"},
                                                               {FixStyle::Shim, "shim"}};
  return Mapping;
}
} // namespace clang::tidy

namespace torch_tidy {

//===----------------------------------------------------------------------===//
// The shared analysis
//===----------------------------------------------------------------------===//

void SharedAnalysis::remove(TorchCheck *Check) {
  Checks.erase(std::remove(Checks.begin(), Checks.end(), Check), Checks.end());
}

void SharedAnalysis::run(ASTContext &Context) {
  if (Done == &Context)
    return;
  Done = &Context;
  ShimIncluded.clear();
  flow::TranslationUnit TU(Context, Settings);
  for (TorchCheck *Check : Checks)
    Check->report(TU);
}

std::shared_ptr<SharedAnalysis>
AnalysisRegistry::get(const clang::tidy::ClangTidyContext *Context) {
  std::lock_guard<std::mutex> Guard(Lock);
  for (auto It = Entries.begin(); It != Entries.end();)
    It = It->second.expired() ? Entries.erase(It) : std::next(It);
  std::weak_ptr<SharedAnalysis> &Entry = Entries[Context];
  std::shared_ptr<SharedAnalysis> Shared = Entry.lock();
  if (!Shared) {
    Shared = std::make_shared<SharedAnalysis>();
    Entry = Shared;
  }
  return Shared;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static void addNames(std::vector<std::string> &List, StringRef Names) {
  llvm::SmallVector<StringRef, 4> Parts;
  Names.split(Parts, ';', -1, false);
  for (StringRef Part : Parts)
    if (!llvm::is_contained(List, Part.trim()))
      List.push_back(Part.trim().str());
}

TorchCheck::TorchCheck(StringRef Name, clang::tidy::ClangTidyContext *Context,
                       std::shared_ptr<SharedAnalysis> Analysis, flow::Evidence DefaultEvidence)
    : ClangTidyCheck(Name, Context), Shared(std::move(Analysis)),
      Style(Options.getLocalOrGlobal("FixStyle", fixes::FixStyle::Inline)),
      MinEvidence(Options.get("MinEvidence", DefaultEvidence)),
      ReportEscapes(Options.getLocalOrGlobal("ReportEscapes", Flag::Off)),
      HostFunctions(Options.getLocalOrGlobal("HostFunctions", "")),
      DeviceFunctions(Options.getLocalOrGlobal("DeviceFunctions", "")),
      CpuGuards(Options.getLocalOrGlobal("CpuGuards", "")),
      CudaGuards(Options.getLocalOrGlobal("CudaGuards", "")),
      TrustCpuNames(Options.getLocalOrGlobal("TrustCpuNames", Flag::On)),
      ShowEvidence(Options.getLocalOrGlobal("ShowEvidence", Flag::Off)),
      OnlyTorch(Options.getLocalOrGlobal("OnlyTorch", Flag::Off)) {
  addNames(Shared->Settings.HostFunctions, HostFunctions);
  addNames(Shared->Settings.DeviceFunctions, DeviceFunctions);
  addNames(Shared->Settings.CpuGuards, CpuGuards);
  addNames(Shared->Settings.CudaGuards, CudaGuards);
  Shared->Settings.TrustCpuNames &= TrustCpuNames == Flag::On;
  Shared->add(this);
}

TorchCheck::~TorchCheck() { Shared->remove(this); }

void TorchCheck::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Opts) {
  Options.store(Opts, "MinEvidence", MinEvidence);
  Options.store(Opts, "ReportEscapes", ReportEscapes);
  Options.store(Opts, "HostFunctions", HostFunctions);
  Options.store(Opts, "DeviceFunctions", DeviceFunctions);
  Options.store(Opts, "CpuGuards", CpuGuards);
  Options.store(Opts, "CudaGuards", CudaGuards);
  Options.store(Opts, "TrustCpuNames", TrustCpuNames);
  Options.store(Opts, "FixStyle", Style);
  Options.store(Opts, "ShowEvidence", ShowEvidence);
  Options.store(Opts, "OnlyTorch", OnlyTorch);
}

void TorchCheck::registerMatchers(MatchFinder *Finder) {
  if (!Shared->leads(this))
    return;
  // clang-tidy visits the translation unit, clangd only the declarations of the main file.
  Finder->addMatcher(translationUnitDecl().bind("unit"), this);
  Finder->addMatcher(functionDecl(isDefinition()).bind("function"), this);
}

void TorchCheck::check(const MatchFinder::MatchResult &Result) {
  Shared->run(*Result.Context);
  // The scope is read again after the callbacks of the translation unit.
  if (OnlyTorch == Flag::On && Result.Nodes.getNodeAs<TranslationUnitDecl>("unit"))
    Result.Context->setTraversalScope({});
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

DiagnosticBuilder TorchCheck::warn(SourceLocation Loc, flow::Evidence Level, StringRef Text) {
  if (ShowEvidence == Flag::Off)
    return diag(Loc, Text);
  // A scalar read and the like depend on nothing.
  const StringRef Name = Level == flow::Evidence::Possible ? "possible"
                         : Level == flow::Evidence::Likely ? "likely"
                                                           : "proven";
  return diag(Loc, (Text + "; evidence: " + Name).str());
}

std::string TorchCheck::textOf(const Expr *E, const ASTContext &Context) const {
  return fixes::sourceText(E, Context, 40);
}

void TorchCheck::note(SourceLocation Loc, StringRef Text) {
  if (Loc.isValid() && !Text.empty())
    diag(Loc, "%0", DiagnosticIDs::Note) << Text;
}

void TorchCheck::noteUse(const flow::PointerUse &Use, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(Use.UseLoc);
  SourceLocation Access = SM.getExpansionLoc(Use.Site.Call->getExprLoc());
  if (SM.getFileID(At) == SM.getFileID(Access) &&
      SM.getExpansionLineNumber(At) == SM.getExpansionLineNumber(Access))
    return;
  switch (Use.Kind) {
  case flow::UseKind::Read:
    return note(Use.UseLoc, "the memory is read here");
  case flow::UseKind::Write:
    return note(Use.UseLoc, "the memory is written here");
  case flow::UseKind::View:
    return note(Use.UseLoc, "this object keeps the pointer");
  case flow::UseKind::Blob: {
    const auto *Call = dyn_cast<CallExpr>(Use.Use);
    const FunctionDecl *Fn = Call ? Call->getDirectCallee() : nullptr;
    const bool OfView = Fn && Fn->getIdentifier() && Fn->getName() != "from_blob";
    return note(Use.UseLoc, OfView ? "the tensor that wraps the memory is used here"
                                   : "the memory is wrapped as host memory here");
  }
  case flow::UseKind::Escape:
    return note(Use.UseLoc, "the pointer is handed out here");
  case flow::UseKind::Return:
    return note(Use.UseLoc, "the pointer is returned here");
  case flow::UseKind::Taken:
    return;
  case flow::UseKind::Device:
    return note(Use.UseLoc, "the pointer is handed to the device here");
  }
}

/// Whether the pointer goes to code that is not seen. What a function returns that only this file
/// can call is followed to its callers.
static bool leavesFile(const flow::PointerUse &U) {
  return U.Kind == flow::UseKind::Escape || (U.Kind == flow::UseKind::Return && U.Site.Function &&
                                             U.Site.Function->isExternallyVisible());
}

static bool isHostUse(const flow::PointerUse &U) {
  return U.Kind == flow::UseKind::Read || U.Kind == flow::UseKind::Write ||
         U.Kind == flow::UseKind::View || U.Kind == flow::UseKind::Blob;
}

HostVerdict judgeHost(const SharedAnalysis &Shared, const flow::Access &A) {
  HostVerdict V;
  if (A.Site.Kind == flow::ViewKind::Shape)
    return V;
  auto Judge = [&](const flow::PointerUse &U) {
    V.Writes |= U.Kind == flow::UseKind::Write;
    V.OnlyBlob &= U.Kind == flow::UseKind::Blob;
    // Of equal evidence the first use that is not the access itself tells most.
    const bool Better = U.Device > V.Device ||
                        (U.Device == V.Device && V.Strongest && V.Strongest->Use == A.Site.Call);
    if (U.Device != flow::Evidence::None && Better) {
      V.Device = U.Device;
      V.Strongest = &U;
    }
  };
  for (const flow::PointerUse &U : A.Uses)
    if (isHostUse(U))
      Judge(U);
  V.OnlyEscapes = V.Device == flow::Evidence::None;
  if (V.OnlyEscapes && Shared.HostEscapes)
    for (const flow::PointerUse &U : A.Uses)
      if (leavesFile(U))
        Judge(U);
  return V;
}

bool hostReports(const SharedAnalysis &Shared, const flow::Access &A) {
  if (!Shared.HostEnabled)
    return false;
  HostVerdict V = judgeHost(Shared, A);
  if (V.Device == flow::Evidence::None || V.Device < Shared.HostMinimum)
    return false;
  return !(V.OnlyBlob && V.Device >= flow::Evidence::Likely);
}

bool scalarReports(const SharedAnalysis &Shared, const flow::Access &A, fixes::AccessFixer &Fixer) {
  return Shared.ScalarEnabled && fixes::readsOnlyElement(A) && Fixer.elementRead(A);
}

bool dangles(const SharedAnalysis &Shared, const flow::Access &A) {
  return Shared.DanglingEnabled && llvm::any_of(A.Uses, [&](const flow::PointerUse &U) {
           return U.Dangling != flow::Evidence::None && U.Dangling >= Shared.DanglingMinimum;
         });
}

} // namespace torch_tidy
