//===--- TranslationUnit.cpp - the analysis of one file ---------------------===//
#include "TranslationUnit.h"
#include "../support/Compat.h"
#include "EngineImpl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

struct TranslationUnit::Index {
  std::vector<const FunctionDecl *> Functions; ///< With a tensor in them, in source order.
  std::set<const FunctionDecl *> Called;
  std::set<const FunctionDecl *> AddressTaken;
  std::set<const ParmVarDecl *> Tested; ///< Parameters whose device the function asks for.
  std::vector<const FieldDecl *> Fields;
  std::map<const FunctionDecl *, bool> Registered; ///< For the CPU key: true; for CUDA: false.
  std::set<std::string> CudaNames;
  std::map<const VarDecl *, SourceLocation> ConvertedToHost;
  std::set<const ValueDecl *> Returned; ///< Members and variables that functions hand out.
};

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The words of an identifier or path part: split at `_`, `-`, `.` and camel humps, lower case.
static std::vector<std::string> wordsOf(StringRef Name) {
  std::vector<std::string> Words;
  std::string Word;
  auto Flush = [&] {
    if (!Word.empty())
      Words.push_back(StringRef(Word).lower());
    Word.clear();
  };
  auto IsUpper = [](char C) { return C >= 'A' && C <= 'Z'; };
  auto IsLower = [](char C) { return C >= 'a' && C <= 'z'; };
  for (size_t I = 0; I < Name.size(); ++I) {
    char C = Name[I];
    if (!llvm::isAlnum(C)) {
      Flush();
      continue;
    }
    if (IsUpper(C) && I &&
        (IsLower(Name[I - 1]) ||
         (I + 1 < Name.size() && IsLower(Name[I + 1]) && IsUpper(Name[I - 1]))))
      Flush();
    Word += C;
  }
  Flush();
  return Words;
}

/// What a name tells about where its tensors are.
enum class Place : uint8_t { Unsaid, Cpu, Other };

static Place placeOf(StringRef Name) {
  const std::vector<std::string> Words = wordsOf(Name);
  bool Cpu = false;
  for (size_t I = 0; I < Words.size(); ++I) {
    if (Words[I] == "cuda" || Words[I] == "gpu")
      return Place::Other;
    if (Words[I] != "cpu")
      continue;
    Cpu = true;
    // Names that convert (to_cpu, cpu_copy) say where the result is, not the argument; others ask.
    for (StringRef Verb : {"to", "copy", "from", "is", "on", "check", "use", "has", "as", "into"})
      if ((I && Words[I - 1] == Verb) || (I + 1 < Words.size() && Words[I + 1] == Verb))
        return Place::Other;
  }
  return Cpu ? Place::Cpu : Place::Unsaid;
}

bool saysCpu(StringRef Name) { return placeOf(Name) == Place::Cpu; }

bool givesCpu(StringRef Name) {
  std::vector<std::string> Words = wordsOf(Name);
  const size_t N = Words.size();
  return saysCpu(Name) || (N >= 2 && Words[N - 1] == "cpu" && Words[N - 2] == "to");
}

/// A directory named `cpu`, or a stem that starts with `cpu_` or ends in `_cpu`, `Cpu`, `CPU`.
static bool fileSaysCpu(StringRef Path) {
  StringRef Stem = llvm::sys::path::stem(Path);
  for (auto I = llvm::sys::path::begin(Path), E = llvm::sys::path::end(Path); I != E; ++I)
    if (*I == "cpu")
      return true;
  return support::startsWith(Stem, "cpu_") || support::endsWith(Stem, "_cpu") ||
         support::endsWith(Stem, "Cpu") || support::endsWith(Stem, "CPU");
}

//===----------------------------------------------------------------------===//
// Functions, fields, registrations
//===----------------------------------------------------------------------===//

/// The dispatch key in the name that TORCH_LIBRARY_IMPL gives its function, or empty.
static StringRef registrationKey(StringRef Name) {
  size_t At = Name.find("TORCH_LIBRARY_IMPL_init_");
  if (At == StringRef::npos)
    return {};
  for (StringRef Key : {"_CPU_", "_CUDA_", "_AutogradCPU_", "_QuantizedCPU_", "_AutogradCUDA_"})
    if (Name.contains(Key))
      return Key;
  return {};
}

void TranslationUnit::readBody(const Stmt *Body, const FunctionDecl *Fn, Index &I) {
  bool Tensor = false;
  std::string FnName = Fn ? Fn->getNameAsString() : "";
  StringRef Key = registrationKey(FnName);
  std::vector<const Stmt *> Work{Body};
  std::set<const Expr *> Callees;
  auto Register = [&](const FunctionDecl *Kernel) {
    if (!Key.empty())
      I.Registered[Kernel->getCanonicalDecl()] = Key.contains("CPU");
  };
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (const auto *R = dyn_cast<ReturnStmt>(S))
      if (const ValueDecl *D =
              R->getRetValue() ? Engine::returnedHolder(R->getRetValue()) : nullptr)
        I.Returned.insert(D);
    if (const auto *E = dyn_cast<Expr>(S)) {
      if (!Tensor)
        switch (Types.kind(E->getType())) {
        case TypeKind::Tensor:
        case TypeKind::Module:
        case TypeKind::JitModule:
        case TypeKind::IValue:
        case TypeKind::Storage:
        case TypeKind::Accessor:
        case TypeKind::PackedAccessor:
        case TypeKind::Options:
        case TypeKind::Device:
          Tensor = true;
          break;
        default:
          break;
        }
      if (const auto *C = dyn_cast<CallExpr>(E)) {
        if (const FunctionDecl *Callee = C->getDirectCallee()) {
          I.Called.insert(Callee->getCanonicalDecl());
          if (const FunctionDecl *Pattern = Callee->getTemplateInstantiationPattern())
            I.Called.insert(Pattern->getCanonicalDecl());
        }
        Callees.insert(C->getCallee()->IgnoreParenImpCasts());
        if (const auto *M = dyn_cast<CXXMemberCallExpr>(C)) {
          const Expr *Object = M->getImplicitObjectArgument()->IgnoreParenImpCasts();
          if (const auto *Ref = dyn_cast<DeclRefExpr>(Object))
            if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
                Var && Types.isTensor(Var->getType()) && copiesToHost(M))
              I.ConvertedToHost.try_emplace(Var, M->getExprLoc());
          // x.device().is_cuda() asks; x.device() alone makes another tensor beside x.
          if (const auto *Device = dyn_cast<CXXMemberCallExpr>(Object))
            if (const CXXMethodDecl *D = Device->getMethodDecl();
                D && D->getIdentifier() && (D->getName() == "device" || D->getName() == "type"))
              Object = Device->getImplicitObjectArgument()->IgnoreParenImpCasts();
          if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Object))
            Object = Arrow->getArg(0)->IgnoreParenImpCasts();
          const auto *Ref = dyn_cast<DeclRefExpr>(Object);
          const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
          const CXXMethodDecl *Method = M->getMethodDecl();
          if (P && Method && Method->getIdentifier())
            if (StringRef N = Method->getName(); N == "is_cuda" || N == "is_cpu" || N == "is_xpu")
              I.Tested.insert(P);
        }
      }
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()); F && !Callees.count(E)) {
          I.AddressTaken.insert(F->getCanonicalDecl());
          Register(F);
        }
      // TORCH_FN(f) carries the function in its type.
      if (!Key.empty())
        if (const auto *Spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
                E->getType()->getAsCXXRecordDecl()))
          for (const TemplateArgument &A : Spec->getTemplateArgs().asArray())
            if (A.getKind() == TemplateArgument::Declaration)
              if (const auto *F = dyn_cast<FunctionDecl>(A.getAsDecl())) {
                I.AddressTaken.insert(F->getCanonicalDecl());
                Register(F);
              }
      if (const auto *L = dyn_cast<LambdaExpr>(E)) {
        for (const Expr *Init : L->capture_inits())
          if (Init)
            Work.push_back(Init);
        Work.push_back(L->getBody());
        continue;
      }
    }
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  if (Fn && (Tensor || llvm::any_of(Fn->parameters(), [&](const ParmVarDecl *P) {
               return Types.holdsTensor(P->getType());
             })))
    I.Functions.push_back(Fn);
}

void TranslationUnit::collectFunction(const FunctionDecl *Fn, Index &I) {
  if (!Fn->isThisDeclarationADefinition() || !Fn->hasBody() || !Scope.isUserCode(Fn))
    return;
  if (const auto *M = dyn_cast<CXXMethodDecl>(Fn); M && M->getParent()->isLambda())
    return;
  if (Fn->getIdentifier()) {
    std::vector<std::string> Words = wordsOf(Fn->getName());
    if (llvm::is_contained(Words, "cuda") || llvm::is_contained(Words, "gpu"))
      I.CudaNames.insert(Fn->getNameAsString());
  }
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(Fn);
  if (Ctor)
    for (const CXXCtorInitializer *Init : Ctor->inits())
      if (Init->getInit() && Init->isWritten())
        AllCode.push_back({Init->getInit(), Fn});
  AllCode.push_back({Fn->getBody(), Fn});
  if (Fn->isDependentContext())
    return;
  if (Ctor)
    for (const CXXCtorInitializer *Init : Ctor->inits())
      if (Init->getInit())
        readBody(Init->getInit(), nullptr, I);
  readBody(Fn->getBody(), Fn, I);
  // A constructor may do all its work in its initialisers.
  if (isa<CXXConstructorDecl>(Fn) && (I.Functions.empty() || I.Functions.back() != Fn))
    I.Functions.push_back(Fn);
}

/// The member functions of a class template as they are written: only their text is of interest.
void TranslationUnit::collectPattern(const CXXRecordDecl *R) {
  for (const Decl *D : R->decls()) {
    if (const auto *FT = dyn_cast<FunctionTemplateDecl>(D))
      D = FT->getTemplatedDecl();
    else if (const auto *CT = dyn_cast<ClassTemplateDecl>(D))
      D = CT->getTemplatedDecl();
    if (const auto *Fn = dyn_cast<FunctionDecl>(D)) {
      if (Fn->isThisDeclarationADefinition() && Fn->hasBody())
        AllCode.push_back({Fn->getBody(), Fn});
    } else if (const auto *Inner = dyn_cast<CXXRecordDecl>(D)) {
      if (Inner->isThisDeclarationADefinition() && !Inner->isInjectedClassName())
        collectPattern(Inner);
    }
  }
}

void TranslationUnit::collect(const DeclContext *DC, Index &I) {
  const bool TopLevel = isa<TranslationUnitDecl>(DC);
  std::vector<const Decl *> Decls;
  if (TopLevel)
    for (const Decl *D : DC->noload_decls())
      Decls.push_back(D);
  else
    for (const Decl *D : DC->decls())
      Decls.push_back(D);
  for (const Decl *D : Decls) {
    if (!Scope.isUserCode(D))
      continue;
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      collectFunction(F, I);
    } else if (const auto *FT = dyn_cast<FunctionTemplateDecl>(D)) {
      collectFunction(FT->getTemplatedDecl(), I);
      for (const FunctionDecl *Spec : FT->specializations())
        if (const FunctionDecl *Def = Spec->getDefinition())
          collectFunction(Def, I);
    } else if (const auto *CT = dyn_cast<ClassTemplateDecl>(D)) {
      if (CT->isThisDeclarationADefinition())
        collectPattern(CT->getTemplatedDecl());
      for (const ClassTemplateSpecializationDecl *Spec : CT->specializations())
        if (Spec->hasDefinition())
          collect(Spec, I);
    } else if (const auto *R = dyn_cast<CXXRecordDecl>(D)) {
      if (!R->isThisDeclarationADefinition())
        continue;
      if (R->isDependentContext()) {
        collectPattern(R);
        continue;
      }
      for (const FieldDecl *F : R->fields())
        if (F->hasInClassInitializer() && F->getInClassInitializer())
          AllCode.push_back({F->getInClassInitializer(), nullptr});
      for (const FieldDecl *F : R->fields())
        if (Types.kind(F->getType()) != TypeKind::Other || Types.holdsTensor(F->getType()))
          I.Fields.push_back(F);
      collect(R, I);
    } else if (isa<NamespaceDecl>(D) || isa<LinkageSpecDecl>(D) || isa<ExportDecl>(D)) {
      collect(cast<DeclContext>(D), I);
    } else if (const auto *V = dyn_cast<VarDecl>(D)) {
      if (V->hasInit() && !V->getType()->isDependentType()) {
        AllCode.push_back({V->getInit(), nullptr});
        readBody(V->getInit(), nullptr, I);
        // REGISTER_DISPATCH(stub, &kernel) in a file for the CPU.
        if (const auto *R = V->getType()->getAsCXXRecordDecl();
            R && R->getIdentifier() && support::startsWith(R->getName(), "Register") &&
            support::endsWith(R->getName(), "Dispatch")) {
          std::vector<const Stmt *> Work{V->getInit()};
          while (!Work.empty()) {
            const Stmt *S = Work.back();
            Work.pop_back();
            if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
              if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()))
                I.Registered[F->getCanonicalDecl()] = R->getName().contains("CPU");
            for (const Stmt *Child : S->children())
              if (Child)
                Work.push_back(Child);
          }
        }
      }
    }
  }
}

void TranslationUnit::trustNames(Index &I) {
  if (!Options.TrustCpuNames)
    return;
  for (const FunctionDecl *Fn : I.Functions) {
    if (I.Registered.count(Fn->getCanonicalDecl()))
      continue;
    // The nearest name counts: `namespace lib_gpu { void sort_cpu(...); }`.
    Place Said = Fn->getIdentifier() ? placeOf(Fn->getName()) : Place::Unsaid;
    auto Consider = [&](const DeclContext *C, bool Namespaces) {
      for (; C && Said == Place::Unsaid && !C->isTranslationUnit(); C = C->getParent())
        if (const auto *N = dyn_cast<NamedDecl>(C);
            N && N->getIdentifier() && isa<NamespaceDecl>(C) == Namespaces)
          Said = placeOf(N->getName());
    };
    Consider(Fn->getDeclContext(), false);
    if (Said == Place::Unsaid && fileSaysCpu(Scope.pathOf(Fn->getLocation())))
      Said = Place::Cpu;
    Consider(Fn->getDeclContext(), true);
    bool Cpu = Said == Place::Cpu;
    // A sibling `f_cuda`, `fCuda` of `f` with the same parameters does the other half.
    if (Said == Place::Unsaid && Fn->getIdentifier())
      for (StringRef Suffix : {"_cuda", "_gpu", "Cuda", "CUDA", "_cuda_kernel"})
        Cpu |= I.CudaNames.count((Fn->getName() + Suffix).str()) != 0;
    if (Cpu)
      I.Registered[Fn->getCanonicalDecl()] = true;
  }
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

static Evidence levelOf(const HostTransfer &E) { return E.Device; }
static Evidence levelOf(const EarlyUse &E) { return E.Device; }
static Evidence levelOf(const GraphKept &E) { return E.Grad; }
static Evidence levelOf(const BlobEvent &E) { return E.Level; }
static Evidence levelOf(const CopyWrite &E) { return E.Level; }

/// The events of all instantiations and callers, in source order of what \p Place gives: for each
/// \p Key, an expression and a number, the strongest.
template <class Event, class PlaceOf, class KeyOf>
static std::vector<Event> strongest(const std::vector<Event> &Events, const SourceManager &SM,
                                    PlaceOf Place, KeyOf Key) {
  std::vector<Event> Result;
  std::map<std::pair<SourceLocation, unsigned>, size_t> Index;
  auto LocOf = [&](const Expr *E) { return SM.getFileLoc(E->getExprLoc()); };
  for (const Event &E : Events) {
    const std::pair<const Expr *, unsigned> K = Key(E);
    auto [It, New] = Index.try_emplace({LocOf(K.first), K.second}, Result.size());
    if (New)
      Result.push_back(E);
    else if (levelOf(E) > levelOf(Result[It->second]))
      Result[It->second] = E;
  }
  llvm::stable_sort(Result, [&](const Event &A, const Event &B) {
    return SM.isBeforeInTranslationUnit(LocOf(Place(A)), LocOf(Place(B)));
  });
  return Result;
}

template <class Event, class PlaceOf>
static std::vector<Event> strongest(const std::vector<Event> &Events, const SourceManager &SM,
                                    PlaceOf Place) {
  return strongest(Events, SM, Place, [&](const Event &E) { return std::pair(Place(E), 0u); });
}

TranslationUnit::TranslationUnit(ASTContext &Context, Settings Opts)
    : Context(Context), Options(std::move(Opts)), Scope(Context) {
  if (!Scope.hasLibTorch())
    return;
  Index I;
  collect(Context.getTranslationUnitDecl(), I);
  std::stable_partition(AllCode.begin(), AllCode.end(), [](const Code &C) {
    return C.Function && C.Function->isDependentContext();
  });
  if (I.Functions.empty())
    return;
  std::set<const FunctionDecl *> ByRegistration;
  for (const auto &[Fn, Cpu] : I.Registered)
    ByRegistration.insert(Fn);
  trustNames(I);

  Engine E(Context, Scope, Options);
  for (const FunctionDecl *Fn : I.Functions) {
    auto It = I.Registered.find(Fn->getCanonicalDecl());
    if (It == I.Registered.end())
      continue;
    for (const ParmVarDecl *P : Fn->parameters()) {
      // A function that asks for the device of a parameter gets both kinds.
      if (I.Tested.count(P) && !ByRegistration.count(It->first))
        continue;
      OutsideFacts Facts;
      Facts.Level = It->second ? Evidence::None : Evidence::Proven;
      Facts.Loc = P->getLocation();
      Facts.Text = "the function is registered for an accelerator's dispatch key";
      E.ParameterFacts[P] = Facts;
    }
  }
  settleMembers(I, E);

  E.ConvertedToHost = std::move(I.ConvertedToHost);
  E.RecordEvents = true;
  E.ReturnedHolders = std::move(I.Returned);
  auto Internal = [&](const FunctionDecl *Fn) {
    const FunctionDecl *C = Fn->getCanonicalDecl();
    return !Fn->isExternallyVisible() && I.Called.count(C) && !I.AddressTaken.count(C) &&
           !I.Registered.count(C);
  };
  // Others may call it, but not through an object of another class.
  auto OfThisFile = [](const FunctionDecl *Fn) {
    const auto *M = dyn_cast<CXXMethodDecl>(Fn);
    return !M || (M->getAccess() == AS_private && !M->isVirtual() && !isa<CXXConstructorDecl>(M));
  };
  std::vector<const FunctionDecl *> Later, Called;
  for (const FunctionDecl *Fn : I.Functions) {
    const FunctionDecl *C = Fn->getCanonicalDecl();
    if (Internal(Fn))
      Later.push_back(Fn);
    else if (I.Called.count(C) && !I.AddressTaken.count(C) && !I.Registered.count(C) &&
             OfThisFile(Fn))
      Called.push_back(Fn);
    else
      E.analyse(Fn);
  }
  const size_t Callers = E.events().size();
  // `if (x.is_cuda()) return onDevice(x); return onHost(x);`: callers first, they mostly stand
  // last.
  for (const FunctionDecl *Fn : llvm::reverse(Called)) {
    for (const ParmVarDecl *P : Fn->parameters()) {
      auto It = E.GivenFor.find(P);
      if (It == E.GivenFor.end() || !It->second.Host || !It->second.Guarded ||
          E.NotInlined.count(Fn->getCanonicalDecl()) || E.ParameterFacts.count(P))
        continue;
      OutsideFacts Host;
      Host.Level = Evidence::None;
      E.ParameterFacts[P] = Host;
    }
    E.analyse(Fn);
  }
  const size_t Callees = E.events().size();
  // Internal helpers were analysed with what their callers pass; those that nobody reached, or
  // that were too deep, on their own.
  for (const FunctionDecl *Fn : Later) {
    const FunctionDecl *C = Fn->getCanonicalDecl();
    if (!E.Inlined.count(C) || E.NotInlined.count(C))
      E.analyse(Fn);
  }
  // What a function tells of its own accesses comes before what its callers do.
  std::vector<PointerUse> Events = E.events();
  std::rotate(Events.begin(), Events.begin() + Callers, Events.begin() + Callees);
  group(Events);
  groupCalls(E);
}

/// Events about one call, once for all instantiations and callers.
void TranslationUnit::groupCalls(const Engine &E) {
  const SourceManager &SM = Context.getSourceManager();
  Blobs = strongest(
      E.blobs(), SM, [](const BlobEvent &X) { return X.Call; },
      [](const BlobEvent &X) { return std::pair(X.Call, unsigned(X.Issue)); });
  CopyWrites = strongest(
      E.copyWrites(), SM, [](const CopyWrite &X) { return X.Write; },
      [](const CopyWrite &X) { return std::pair(X.Copy, 0u); });
  Transfers = strongest(E.transfers(), SM, [](const HostTransfer &X) { return X.Call; });
  EarlyUses = strongest(E.earlyUses(), SM, [](const EarlyUse &X) { return X.At; });
  // What one caller differentiates later must be kept for it.
  std::set<SourceLocation> Consumed;
  for (const GraphKept &X : E.kept())
    if (X.Consumed || (X.Member && E.ConsumedHolders.count(X.Member)) ||
        (X.Member && !X.BackwardDone && E.ReturnedHolders.count(X.Member)))
      Consumed.insert(SM.getFileLoc(X.At->getExprLoc()));
  Kept = strongest(E.kept(), SM, [](const GraphKept &X) { return X.At; });
  llvm::erase_if(Kept, [&](const GraphKept &X) {
    return Consumed.count(SM.getFileLoc(X.At->getExprLoc())) != 0;
  });
}

void TranslationUnit::settleMembers(Index &I, Engine &E) {
  std::set<const FieldDecl *> Private;
  for (const FieldDecl *F : I.Fields)
    if (F->getAccess() == AS_private || F->getAccess() == AS_protected)
      Private.insert(F->getCanonicalDecl());
  if (I.Fields.empty())
    return;
  // Start from "always on the host" and take back what a store contradicts, until it holds.
  for (const FieldDecl *F : Private)
    E.FieldFacts[F].Level = Evidence::None;
  E.RecordEvents = false;
  for (unsigned Round = 0; Round < 4; ++Round) {
    E.FieldStores.clear();
    for (const FieldDecl *F : I.Fields)
      if (F->hasInClassInitializer() && F->getInClassInitializer())
        E.analyseInitializer(F);
    bool All = true;
    for (const FunctionDecl *Fn : I.Functions)
      All &= E.analyse(Fn);
    if (!All)
      break;
    bool Changed = false;
    std::map<const FieldDecl *, OutsideFacts> Next;
    for (const FieldDecl *F : I.Fields) {
      const FieldDecl *C = F->getCanonicalDecl();
      auto It = E.FieldStores.find(C);
      if (It == E.FieldStores.end())
        continue; // never stored here: nothing is known
      OutsideFacts Facts;
      bool First = true;
      for (const Engine::Stored &S : It->second) {
        Evidence Joined = First ? S.Level : joinEvidence(Facts.Level, S.Level);
        if (S.Level > Evidence::Possible &&
            (First || S.Level >= Facts.Level || Facts.Text.empty())) {
          Facts.Loc = S.Loc;
          Facts.Text = S.Text;
        }
        Facts.Level = Joined;
        First = false;
      }
      // Others may store into what is not private: only evidence counts, no proof.
      if (!Private.count(C) && Facts.Level <= Evidence::Possible)
        continue;
      if (Facts.Level == Evidence::Possible) {
        Facts.Loc = C->getLocation();
        Facts.Text = "member '" + C->getNameAsString() + "'";
      }
      Next[C] = Facts;
    }
    Changed = Next.size() != E.FieldFacts.size();
    for (const auto &[F, Facts] : Next) {
      auto It = E.FieldFacts.find(F);
      Changed |= It == E.FieldFacts.end() || It->second.Level != Facts.Level;
    }
    E.FieldFacts = std::move(Next);
    if (!Changed)
      return;
  }
  // No agreement: proofs are not to be had.
  for (auto It = E.FieldFacts.begin(); It != E.FieldFacts.end();)
    It = It->second.Level == Evidence::None ? E.FieldFacts.erase(It) : std::next(It);
}

void TranslationUnit::group(const std::vector<PointerUse> &Events) {
  const SourceManager &SM = Context.getSourceManager();
  std::map<std::pair<FileID, unsigned>, size_t> Index;
  for (const PointerUse &U : Events) {
    // The name of the method tells the calls of `a().data_ptr()` and `b().data_ptr()` in one
    // macro apart no further than the line: they are reported once.
    SourceLocation Loc = SM.getFileLoc(U.Site.Call->getExprLoc());
    auto [It, New] = Index.try_emplace(SM.getDecomposedLoc(Loc), Accesses.size());
    if (New)
      Accesses.push_back({U.Site, {}});
    Access &A = Accesses[It->second];
    // The same use again from another instantiation or caller: the strongest stays.
    SourceLocation UseLoc = SM.getFileLoc(U.UseLoc);
    auto Same = llvm::find_if(A.Uses, [&](const PointerUse &O) {
      return O.Kind == U.Kind && SM.getFileLoc(O.UseLoc) == UseLoc;
    });
    if (Same == A.Uses.end()) {
      A.Uses.push_back(U);
      continue;
    }
    if (U.Device > Same->Device) {
      Same->Device = U.Device;
      Same->DeviceFrom = U.DeviceFrom;
    }
    const bool Grad = U.Recording && (!Same->Recording || U.Grad > Same->Grad);
    if (Grad) {
      Same->Grad = U.Grad;
      Same->GradFrom = U.GradFrom;
      Same->Recording = true;
    }
    Same->FirstElement &= U.FirstElement;
    Same->Tensor.OneElement &= U.Tensor.OneElement;
    Same->Tensor.Order |= U.Tensor.Order;
    Same->Tensor.Lazy |= U.Tensor.Lazy;
    if (!Same->Tensor.LayoutFrom)
      Same->Tensor.LayoutFrom = U.Tensor.LayoutFrom;
    if (U.Mistyped > Same->Mistyped) {
      Same->Mistyped = U.Mistyped;
      Same->Misfits = U.Misfits;
      Same->TakenAs = U.TakenAs;
      Same->Tensor.TypeFrom = U.Tensor.TypeFrom;
      Same->Tensor.Types = U.Tensor.Types;
    }
    if (U.Dangling > Same->Dangling) {
      Same->Dangling = U.Dangling;
      Same->Gone = U.Gone;
      Same->GoneLoc = U.GoneLoc;
    }
  }
  llvm::stable_sort(Accesses, [&](const Access &A, const Access &B) {
    return SM.isBeforeInTranslationUnit(SM.getFileLoc(A.Site.Call->getExprLoc()),
                                        SM.getFileLoc(B.Site.Call->getExprLoc()));
  });
}

} // namespace torch_tidy::flow
