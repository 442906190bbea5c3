//===--- Blobs.cpp - from_blob and the memory below it ---------------------===//
//
// A tensor of from_blob borrows memory. Its storage object leads to what the memory belongs to: a
// local array or container, a member, another tensor. When that ends, the storage is dead; a dead
// storage that is used, and a borrowed one that leaves the function, is an event.
//
//===----------------------------------------------------------------------===//
#include "../model/Sinks.h"
#include "../support/Compat.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

const Expr *stripCasts(const Expr *E) {
  for (;;) {
    const Expr *Core = strip(E)->IgnoreParens();
    if (const auto *C = dyn_cast<CastExpr>(Core))
      Core = C->getSubExpr();
    if (Core == E)
      return E;
    E = Core;
  }
}

/// The variable that \p E names, or that the copy or move \p E makes is of.
static const VarDecl *variableIn(const Expr *E) {
  for (E = stripCasts(E);;) {
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || !C->getNumArgs() || !C->getConstructor()->isCopyOrMoveConstructor())
      break;
    E = stripCasts(C->getArg(0));
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

//===----------------------------------------------------------------------===//
// What a function does with variables that own memory
//===----------------------------------------------------------------------===//

/// Whether \p E gives a handle of memory that nobody else holds: a result of a function, a clone.
static bool givesOwnHandle(const Expr *E) {
  E = stripCasts(E);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (C->getConstructor()->isCopyOrMoveConstructor())
      return givesOwnHandle(C->getArg(0));
    // A header over memory of somebody else.
    return llvm::none_of(C->arguments(), [](const Expr *A) {
      QualType T = stripCasts(A)->getType();
      return (T->isPointerType() || T->isArrayType()) && !isa<StringLiteral>(stripCasts(A));
    });
  }
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *D = M->getMethodDecl();
    return D && D->getIdentifier() && (D->getName() == "clone" || D->getName() == "copy");
  }
  return isa<CallExpr>(E) && !isa<CXXOperatorCallExpr>(E) && E->isPRValue();
}

const Engine::OwnerUses &Engine::usesOf(const Decl *Function) {
  auto [It, New] = OwnerUsesOf.try_emplace(Function);
  OwnerUses &Uses = It->second;
  const auto *Fn = dyn_cast_or_null<FunctionDecl>(Function);
  if (!New || !Fn || !Fn->getBody())
    return Uses;
  auto Insert = [](std::set<const VarDecl *> &Into, const Expr *E) {
    if (const VarDecl *D = variableIn(E))
      Into.insert(D->getCanonicalDecl());
  };
  std::vector<const Stmt *> Work{Fn->getBody()};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const LambdaCapture &C : L->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByCopy)
          if (const auto *D = dyn_cast<VarDecl>(C.getCapturedVar()))
            Uses.Copied.insert(D->getCanonicalDecl());
      Work.push_back(L->getBody());
    } else if (const auto *R = dyn_cast<ReturnStmt>(S)) {
      if (R->getRetValue())
        Insert(Uses.Moved, R->getRetValue());
    } else if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Decls->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
          if (!givesOwnHandle(V->getInit()))
            Uses.Copied.insert(V->getCanonicalDecl());
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
      if (C->getConstructor()->isCopyConstructor() && C->getNumArgs())
        Insert(Uses.Copied, C->getArg(0));
    } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
      const Expr *Object = Member ? Member->getImplicitObjectArgument() : nullptr;
      const std::string Name = Callee ? Callee->getNameAsString() : "";
      if (Name == "move" || Name == "forward" || Name == "swap" || Name == "exchange") {
        for (const Expr *A : Call->arguments())
          Insert(Uses.Moved, A);
        if (Object)
          Insert(Uses.Moved, Object);
      } else if (model::allocatesOnDevice(Name) && Call->getNumArgs()) {
        const auto *Address = dyn_cast<UnaryOperator>(stripCasts(Call->getArg(0)));
        const Expr *To = Address ? stripCasts(Address->getSubExpr()) : nullptr;
        if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(To))
          Uses.Device.insert(Ref->getDecl());
        else if (const auto *Field = dyn_cast_or_null<MemberExpr>(To))
          Uses.Device.insert(Field->getMemberDecl());
      } else if (Name == "reserve" && Object) {
        Insert(Uses.Reserved, Object);
      } else if (Name == "detach" && Object) {
        Uses.Detaches |= Types.kind(Object->getType()) == TypeKind::Thread;
      } else if (Name == "operator=" && Call->getNumArgs() == 2) {
        Insert(Uses.Copied, Call->getArg(1));
        if (!givesOwnHandle(Call->getArg(1)))
          Insert(Uses.Copied, Call->getArg(0));
      }
    }
    for (const Stmt *Child : S->children())
      if (Child)
        Work.push_back(Child);
  }
  return Uses;
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

/// Whether template argument \p Index of \p R is a class of the standard library named \p Name.
static bool hasStandardArgument(const CXXRecordDecl *R, unsigned Index, StringRef Name) {
  const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(R);
  if (!S || S->getTemplateArgs().size() <= Index)
    return false;
  const TemplateArgument &A = S->getTemplateArgs()[Index];
  const CXXRecordDecl *Arg =
      A.getKind() == TemplateArgument::Type ? A.getAsType()->getAsCXXRecordDecl() : nullptr;
  return Arg && Arg->isInStdNamespace() && Arg->getIdentifier() && Arg->getName() == Name;
}

bool Engine::outlives(LocationId L) const {
  const LocationId Root = T.Locations.rootOf(L);
  const PathStep::Kind Op = T.Locations[Root].Step.Op;
  if (Op == PathStep::This)
    return true;
  const auto *D = dyn_cast_or_null<VarDecl>(T.Locations.rootVariable(L));
  if (!D)
    return false;
  if (!D->hasLocalStorage() || D->getType()->isReferenceType())
    return true;
  // What a pointer points to belongs to somebody else.
  if (!D->getType()->isPointerType())
    return false;
  for (LocationId At = L; At != Root; At = T.Locations[At].Parent)
    if (T.Locations[At].Parent == Root)
      return T.Locations[At].Step.Op == PathStep::Pointee;
  return false;
}

Engine::MemoryOwner Engine::ownerOf(LocationId L) {
  llvm::SmallVector<LocationId, 6> Path;
  for (LocationId At = L; At != LocationTable::None; At = T.Locations[At].Parent)
    Path.push_back(At);
  std::reverse(Path.begin(), Path.end());
  MemoryOwner R;
  QualType Type;
  const auto *D = dyn_cast_or_null<VarDecl>(T.Locations.rootVariable(L));
  // `new float[n]`: gone when it is deleted.
  if (Allocated.count(Path.front())) {
    R.Owner = Path.front();
    R.Host = R.Heap = true;
    return R;
  }
  if (D)
    Type = D->getType();
  else if (T.Locations[Path.front()].Step.Op != PathStep::This)
    return R;
  R.Owner = Path.front();
  R.Local = D && D->hasLocalStorage() && !Type->isReferenceType();
  bool Handle = false;  // The owner is a class of which more is not known.
  bool Element = false; // On the way there is an element of a container.
  for (size_t I = 1; I < Path.size(); ++I) {
    const PathStep &Step = T.Locations[Path[I]].Step;
    if (!Type.isNull())
      Type = Type.getNonReferenceType().getCanonicalType();
    switch (Step.Op) {
    case PathStep::Field: {
      const auto *F = static_cast<const FieldDecl *>(static_cast<const Decl *>(Step.Key));
      const bool Last = I + 2 == Path.size() && F->getType()->isPointerType();
      if (F->getType()->isReferenceType())
        return {};
      if (Last) {
        // A pointer member of an object that frees the memory when it ends.
        const auto *Class = dyn_cast<CXXRecordDecl>(F->getParent());
        if (!Class || !Class->hasDefinition() || !Class->hasNonTrivialDestructor() || !R.Local)
          return {};
        Handle = true;
        R.Heap = true;
        R.Owner = Path[I - 1];
        R.Element = Element;
        ++I;
      }
      Type = F->getType();
      break;
    }
    case PathStep::Instance:
      Element = true;
      break;
    case PathStep::Index:
    case PathStep::Element:
    case PathStep::Pointee: {
      if (Type.isNull())
        return {};
      if (const auto *A = Type->getAsArrayTypeUnsafe()) {
        Type = A->getElementType();
        break;
      }
      const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
      if (!Class || !Class->getIdentifier() || !Class->hasDefinition())
        return {};
      const StringRef Name = Class->getName();
      const bool Standard = Class->isInStdNamespace();
      const TypeKind Kind = Types.kind(Class);
      if (Standard && Name == "array") {
        Type = model::Types::elementOf(Type);
        break;
      }
      if (Standard && (Name == "optional" || Name == "pair" || Name == "tuple"))
        return {};
      if ((Standard && (Name == "vector" || Name == "deque") &&
           hasStandardArgument(Class, 1, "allocator")) ||
          (Standard && Name == "basic_string") ||
          (Standard && Name == "unique_ptr" && hasStandardArgument(Class, 1, "default_delete"))) {
        R.Owner = Path[I - 1];
        R.Heap = true;
        R.Element = Element;
        Type = model::Types::elementOf(Type);
        if (Type->isArrayType())
          Type = Type->getAsArrayTypeUnsafe()->getElementType();
        break;
      }
      // An image and the like hands out its memory by a method.
      if (Step.Op == PathStep::Pointee && R.Local && Class->hasNonTrivialDestructor() &&
          (Kind == TypeKind::Other || Kind == TypeKind::MemoryView) && I + 1 == Path.size()) {
        Handle = true;
        R.Heap = true;
        R.Owner = Path[I - 1];
        R.Element = Element;
        break;
      }
      return {};
    }
    default:
      return {};
    }
  }
  R.Host = !Handle;
  if (!R.Local)
    return R;
  const OwnerUses &Uses = usesOf(dyn_cast<Decl>(D->getDeclContext()));
  if (Uses.Moved.count(D->getCanonicalDecl()))
    R.Local = false;
  if (Handle && (isa<ParmVarDecl>(D) || Uses.Copied.count(D->getCanonicalDecl())))
    R.Local = false;
  R.Reserved = Uses.Reserved.count(D->getCanonicalDecl());
  return R;
}

//===----------------------------------------------------------------------===//
// from_blob
//===----------------------------------------------------------------------===//

/// A deleter that frees, or keeps, the memory: anything but a lambda that does nothing.
static bool ownsMemory(const Expr *Deleter) {
  for (unsigned I = 0; I < 8; ++I) {
    Deleter = stripCasts(Deleter);
    const auto *C = dyn_cast<CXXConstructExpr>(Deleter);
    if (!C || !C->getNumArgs())
      break;
    Deleter = C->getArg(0);
  }
  const auto *L = dyn_cast<LambdaExpr>(Deleter);
  if (!L)
    return !isa<CXXNullPtrLiteralExpr>(Deleter);
  const auto *Body = dyn_cast_or_null<CompoundStmt>(L->getBody());
  return L->capture_size() || (Body && !Body->body_empty());
}

static bool isDeleter(QualType Type) {
  const CXXRecordDecl *R = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return (R && (R->isLambda() || (R->getIdentifier() && R->getName() == "function"))) ||
         Type->isFunctionPointerType();
}

const Value *Engine::fromBlob(const CallExpr *Call, const FunctionDecl *Fn,
                              llvm::ArrayRef<const Expr *> Args, State &St) {
  OptionsFacts O;
  optionsFrom(Args.drop_front(), St, O);
  const Value *P = value(Args[0], St);
  TensorFacts R;
  R.Device = O.Device;
  R.Grad = O.Grad;
  R.Types = O.Types ? O.Types : defaultTypes();
  R.TypeFrom = Call;
  R.Sizes = Args.size() > 1 ? sizesOf(Args[1], St) : nullptr;
  R.OneElement = countOf(R.Sizes) == 1;
  const bool Strides =
      Fn->getNumParams() > 2 && Fn->getParamDecl(2)->getName() == "strides" && Args.size() > 2;
  R.Order = Strides ? LayoutUnknown : LayoutContiguous;
  R.Impls = fresh(Call, 1, St);
  R.Storages = fresh(Call, 0, St);

  BlobMemory M;
  M.Call = Call;
  bool Owned = false;
  for (const Expr *A : Args.drop_front(Args.size() > 1 ? 2 : 1)) {
    if (Types.kind(A->getType()) == TypeKind::Options)
      M.OptionsArg = A;
    if (isDeleter(A->getType()))
      Owned |= ownsMemory(A);
  }
  if (P && P->K == Value::Kind::Pointer) {
    M.Origins.append(P->Origins.begin(), P->Origins.end());
    WrapsTensors = true;
    const bool OnHost = !O.HasDevice || St.evaluate(T.Facts, O.Device) == Evidence::None;
    use(P, OnHost ? UseKind::Blob : UseKind::Device, Call, St);
  }
  if (P && P->K == Value::Kind::Reference && P->Locations.size() == 1)
    M.Of = ownerOf(P->Locations.front());
  if (M.Of.Owner != LocationTable::None && Allocated.count(M.Of.Owner)) {
    const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(Args[0]));
    M.Name = Ref ? Ref->getDecl()->getNameAsString() : "the array";
  } else if (M.Of.Owner != LocationTable::None) {
    M.Name = nameOf(M.Of.Owner);
  }
  describeBlob(M, Args[0], O, R.Types, St);
  // `make().data()`: the container ends with the full expression.
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(stripCasts(Args[0]))) {
    const Expr *Object = Member->getImplicitObjectArgument()->IgnoreParenImpCasts();
    const CXXRecordDecl *Class = Object->getType()->getAsCXXRecordDecl();
    M.Temporary = (Object->isPRValue() || isa<MaterializeTemporaryExpr>(Object)) && Class &&
                  Class->isInStdNamespace() && Class->getIdentifier() &&
                  (Class->getName() == "vector" || Class->getName() == "array" ||
                   Class->getName() == "basic_string");
  }
  if (Owned) {
    M.Of.Owner = LocationTable::None;
    M.Temporary = false;
    M.Origins.clear();
  }
  const ObjectId Storage = R.Storages.front().Object;
  if (M.Temporary) {
    St.Dead.insert(Storage);
    BlobGone[Storage] = {OwnerGone::EndOfExpression, Call->getExprLoc()};
  } else {
    St.Dead.erase(Storage);
  }
  Blobs[Storage] = std::move(M);
  return tensorValue(std::move(R));
}

/// `for_blob(p, sizes).options(o).deleter(d).make_tensor()`
const Value *Engine::madeTensor(const CallExpr *Call, State &St) {
  llvm::SmallVector<const Expr *, 4> Args;
  const Expr *At = Call;
  while (const auto *M = dyn_cast<CXXMemberCallExpr>(At)) {
    const CXXMethodDecl *Method = M->getMethodDecl();
    if (!Method || !Method->getIdentifier())
      return nullptr;
    if (Method->getName() == "context")
      return nullptr; // It owns the memory.
    if (M != Call && M->getNumArgs() && Method->getName() != "target_device")
      Args.push_back(M->getArg(0));
    At = stripCasts(M->getImplicitObjectArgument());
  }
  const auto *Blob = dyn_cast<CallExpr>(At);
  const FunctionDecl *Fn = Blob ? Blob->getDirectCallee() : nullptr;
  if (!Fn || !Fn->getIdentifier() || Fn->getName() != "for_blob" || Blob->getNumArgs() < 2)
    return nullptr;
  Args.insert(Args.begin(), Blob->getArg(1));
  Args.insert(Args.begin(), Blob->getArg(0));
  return fromBlob(Call, Fn, Args, St);
}

/// What the elements are that a pointer points to, before casts, and whether a cast took const
/// away.
static QualType pointeeOf(const Expr *E, bool &ConstTaken, unsigned Nesting = 0) {
  for (;;) {
    const Expr *Core = strip(E)->IgnoreParens();
    if (const auto *C = dyn_cast<CastExpr>(Core)) {
      QualType To = C->getType(), From = C->getSubExpr()->getType();
      if (To->isPointerType() && From->isPointerType())
        ConstTaken |=
            From->getPointeeType().isConstQualified() && !To->getPointeeType().isConstQualified();
      Core = C->getSubExpr();
    }
    if (Core == E)
      break;
    E = Core;
  }
  QualType Type = E->getType();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && !Nesting)
    if (const auto *D = dyn_cast<VarDecl>(Ref->getDecl());
        D && D->getInit() && Type->isPointerType() && !isa<ParmVarDecl>(D))
      pointeeOf(D->getInit(), ConstTaken, 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && Type->isPointerType())
    pointeeOf(B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS(), ConstTaken, 1);
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  while (const auto *A = Type->getAsArrayTypeUnsafe())
    Type = A->getElementType();
  return Type;
}

/// `c10::ScalarType` that from_blob should name for memory of \p Type; -1 where the type says
/// nothing (bytes, classes).
static int blobTypeOf(QualType Type) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (Type->isAnyCharacterType() || Type->isEnumeralType() || Type->isVoidType())
    return -1;
  if (const auto *B = Type->getAs<BuiltinType>())
    switch (B->getKind()) {
    case BuiltinType::UShort:
      return 2;
    case BuiltinType::UInt:
      return 3;
    case BuiltinType::ULong:
    case BuiltinType::ULongLong:
      return 4;
    default:
      break;
    }
  return model::Types::scalarTypeOf(Type);
}

void Engine::describeBlob(BlobMemory &M, const Expr *Pointer, const OptionsFacts &O,
                          ElementTypes Described, State &St) {
  const QualType Pointee = pointeeOf(Pointer, M.Const);
  if (!Emitting || !RecordEvents)
    return;
  auto Report = [&](BlobIssue Issue, Evidence Level) -> BlobEvent & {
    return blobEvent(M, Issue, Level, M.Call->getExprLoc());
  };
  if (const int As = blobTypeOf(Pointee); As >= 0) {
    const ElementTypes Wrong = misfits(Described, As, true);
    if (Wrong && Wrong == (Described & ~TypesFromTest)) {
      BlobEvent &E = Report(BlobIssue::ElementType, Evidence::Proven);
      E.PointerType = As;
      E.Described = Described;
    }
  }
  const Evidence Device = O.HasDevice ? St.evaluate(T.Facts, O.Device) : Evidence::None;
  Evidence Memory = Evidence::None;
  FactId Strongest = FactTable::Host;
  for (const PointerOrigin &Origin : M.Origins) {
    const Evidence Here = St.evaluate(T.Facts, Origin.Tensor->Device);
    if (Here > Memory)
      Strongest = Origin.Tensor->Device;
    Memory = &Origin == &M.Origins.front() ? Here : joinEvidence(Memory, Here);
  }
  // Pointers from the accelerator's allocator.
  const Expr *Core = stripCasts(Pointer);
  const ValueDecl *Named = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Core))
    Named = Ref->getDecl();
  else if (const auto *Field = dyn_cast<MemberExpr>(Core))
    Named = Field->getMemberDecl();
  if (Named && Device == Evidence::None && usesOf(Current->Function).Device.count(Named)) {
    BlobEvent &E = Report(BlobIssue::DeviceAsHost, Evidence::Proven);
    E.Memory = Named->getNameAsString();
    return;
  }
  const bool OnHost = M.Of.Host || (!M.Origins.empty() && Memory == Evidence::None);
  if (OnHost && Device != Evidence::None) {
    BlobEvent &E = Report(BlobIssue::HostAsDevice, Device);
    E.DeviceFrom = T.Facts[St.strongest(T.Facts, O.Device)];
    return;
  }
  Symbol From = T.Facts[St.strongest(T.Facts, Strongest)];
  if (Memory == Evidence::Possible && M.Origins.size() == 1 &&
      copiedElsewhere(Sites[M.Origins.front().Site].Receiver, From))
    Memory = Evidence::Likely;
  if (Memory >= Evidence::Likely && Device == Evidence::None) {
    BlobEvent &E = Report(BlobIssue::DeviceAsHost, Memory);
    E.DeviceFrom = From;
    E.Origin = Sites[M.Origins.front().Site].Receiver;
  }
}

//===----------------------------------------------------------------------===//
// The memory ends, or the tensor leaves
//===----------------------------------------------------------------------===//

BlobEvent &Engine::blobEvent(const BlobMemory &M, BlobIssue Issue, Evidence Level,
                             SourceLocation At) {
  BlobEvent E;
  E.Issue = Issue;
  E.Call = M.Call;
  E.OptionsArg = M.OptionsArg;
  E.Level = Level;
  E.At = At;
  E.Memory = M.Name;
  BlobEvents.push_back(std::move(E));
  return BlobEvents.back();
}

void Engine::blobLeft(ObjectId Storage, const TensorFacts &X, BlobLeaves How, SourceLocation At,
                      State &St) {
  if (!Emitting || !RecordEvents)
    return;
  const BlobMemory &M = Blobs.at(Storage);
  BlobEvent &E = blobEvent(M, BlobIssue::Outlives, certainty(X), At);
  if (M.Temporary)
    E.Memory.clear();
  E.Leaves = How;
  auto It = BlobGone.find(Storage);
  if (M.Temporary)
    E.Gone = OwnerGone::EndOfExpression;
  else if (How == BlobLeaves::Used && It == BlobGone.end()) {
    E.Gone = OwnerGone::ScopeEnd;
    E.GoneLoc = T.Locations.rootVariable(M.Of.Owner)->getLocation();
  } else if ((How == BlobLeaves::Used || St.Dead.count(Storage)) && It != BlobGone.end())
    std::tie(E.Gone, E.GoneLoc) = It->second;
}

void Engine::memoryGone(LocationId Owner, OwnerGone Why, SourceLocation Loc, State &St) {
  for (const auto &[Storage, M] : Blobs) {
    if (M.Of.Owner == LocationTable::None || St.Dead.count(Storage))
      continue;
    switch (Why) {
    case OwnerGone::ScopeEnd:
      if (!M.Of.Local || T.Locations.rootOf(M.Of.Owner) != Owner)
        continue;
      break;
    case OwnerGone::Resized:
      if (!M.Of.Heap || M.Of.Element || M.Of.Owner != Owner)
        continue;
      break;
    default: {
      LocationId At = M.Of.Owner;
      while (At != LocationTable::None && At != Owner)
        At = T.Locations[At].Parent;
      if (!M.Of.Heap || M.Of.Element || At != Owner)
        continue;
      break;
    }
    }
    bool Held = false;
    for (const auto &[L, V] : St.environment()) {
      if (V->K != Value::Kind::Tensor)
        continue;
      for (const Alternative &A : V->Tensor.Storages) {
        if (A.Object != Storage)
          continue;
        // What leaves together with the owner is another's business.
        if (Why == OwnerGone::ScopeEnd && T.Locations.rootOf(L) == Owner)
          continue;
        Held = true;
        if (Why == OwnerGone::ScopeEnd && outlives(L)) {
          auto At = StoredAt.find({L, M.Call});
          blobLeft(Storage, V->Tensor, BlobLeaves::Stored,
                   At == StoredAt.end() ? M.Call->getExprLoc() : At->second, St);
        }
      }
    }
    if (!Held)
      continue;
    St.Dead.insert(Storage);
    BlobGone[Storage] = {Why, Loc};
  }
}

void Engine::memoryGone(const Value *Owner, OwnerGone Why, SourceLocation Loc, State &St) {
  if (Blobs.empty() || !Owner || Owner->K != Value::Kind::Reference || Owner->Locations.size() != 1)
    return;
  memoryGone(Owner->Locations.front(), Why, Loc, St);
}

/// The variables of \p Function whose end is no element of the CFG: parameters, plain arrays.
void Engine::localsGone(const Decl *Function, State &St) {
  if (Blobs.empty())
    return;
  std::set<LocationId> Roots;
  for (const auto &[Storage, M] : Blobs)
    if (M.Of.Local && M.Of.Owner != LocationTable::None && isLocal(M.Of.Owner, Function))
      Roots.insert(T.Locations.rootOf(M.Of.Owner));
  for (LocationId L : Roots)
    memoryGone(L, OwnerGone::ScopeEnd, T.Locations.rootVariable(L)->getLocation(), St);
}

/// Whether \p At stands behind the block of the array that the storage is over.
bool Engine::arrayEnded(ObjectId Storage, const Expr *At) const {
  const auto It = Blobs.find(Storage);
  if (It == Blobs.end() || It->second.Of.Owner == LocationTable::None)
    return false;
  const auto *D = dyn_cast_or_null<VarDecl>(T.Locations.rootVariable(It->second.Of.Owner));
  const CompoundStmt *Block = D ? Current->Graph->ArrayScopes.lookup(D) : nullptr;
  if (!Block)
    return false;
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Use = SM.getExpansionLoc(At->getExprLoc());
  return SM.isBeforeInTranslationUnit(Use, SM.getExpansionLoc(Block->getBeginLoc())) ||
         SM.isBeforeInTranslationUnit(SM.getExpansionLoc(Block->getEndLoc()), Use);
}

void Engine::blobLeaves(const Value *V, BlobLeaves How, const Expr *At, State &St,
                        LocationId With) {
  if (!V || !Emitting || Blobs.empty())
    return;
  if (V->K == Value::Kind::Aggregate)
    for (const auto &[Step, Part] : V->Parts)
      blobLeaves(Part, How, At, St, With);
  if (V->K == Value::Kind::Lambda)
    capturesLeave(V->Lambda, At, St);
  if (V->K != Value::Kind::Tensor)
    return;
  for (const Alternative &A : V->Tensor.Storages) {
    auto It = Blobs.find(A.Object);
    if (It == Blobs.end())
      continue;
    const BlobMemory &M = It->second;
    const bool Ends =
        M.Temporary || St.Dead.count(A.Object) ||
        (M.Of.Owner != LocationTable::None && M.Of.Local &&
         T.Locations.rootOf(M.Of.Owner) != With &&
         (How == BlobLeaves::Returned ? isLocal(M.Of.Owner, Current->Function) : true));
    if (Ends)
      blobLeft(A.Object, V->Tensor, How, At->getExprLoc(), St);
    if (How == BlobLeaves::Returned)
      for (const PointerOrigin &O : M.Origins)
        use(O, UseKind::Return, At, St, false);
  }
}

/// Tensors in what a return statement gives: the value itself, or the arguments of what makes it.
void Engine::blobReturned(const Expr *E, State &St) {
  if (!Emitting || (Blobs.empty() && Copies.empty()))
    return;
  const VarDecl *D = variableIn(E);
  const LocationId With = D ? T.Locations.variable(D) : LocationId(LocationTable::None);
  std::vector<const Expr *> Work{E};
  for (unsigned Steps = 0; !Work.empty() && Steps < 200; ++Steps) {
    const Expr *At = Work.back();
    Work.pop_back();
    const Value *V = value(At, St);
    if (V && V->K == Value::Kind::Reference && At->isPRValue() && !At->getType()->isPointerType())
      V = load(V, QualType(), St);
    if (V && (V->K == Value::Kind::Tensor || V->K == Value::Kind::Aggregate ||
              V->K == Value::Kind::Lambda)) {
      blobLeaves(V, BlobLeaves::Returned, E, St, With);
      copyKept(V);
      valueRead(V, E, St);
      continue;
    }
    At = strip(At);
    if (const auto *C = dyn_cast<CXXConstructExpr>(At))
      Work.insert(Work.end(), C->arg_begin(), C->arg_end());
    else if (const auto *L = dyn_cast<InitListExpr>(At))
      for (const Expr *Init : L->inits())
        Work.push_back(Init);
    else if (const auto *C = dyn_cast<ExplicitCastExpr>(At))
      Work.push_back(C->getSubExpr());
  }
}

void Engine::capturesLeave(const LambdaExpr *L, const Expr *At, State &St) {
  for (const LambdaCapture &C : L->captures()) {
    if (!C.capturesVariable() || C.getCaptureKind() != LCK_ByCopy)
      continue;
    const auto *D = dyn_cast<VarDecl>(C.getCapturedVar());
    const Value *V = D ? St.lookup(T.Locations.variable(D)) : nullptr;
    if (V && V->K == Value::Kind::Tensor)
      blobLeaves(V, BlobLeaves::Captured, At, St);
  }
}

} // namespace torch_tidy::flow
