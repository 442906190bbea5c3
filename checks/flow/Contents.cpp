//===--- Contents.cpp - who reads and who writes the elements of tensors ---===//
//
// Where the storage of a tensor is dead (see Blobs.cpp), every use of its elements is an event.
// Where a call made a copy (`cpu()`, `contiguous()`) and something is written into the copy, the
// write is lost unless somebody reads the copy; it is reported where the original goes on.
//
//===----------------------------------------------------------------------===//
#include "../model/Synchronisation.h"
#include "../model/TensorMethods.h"
#include "../support/Compat.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::MethodKind;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

/// What is read, returned or kept from here on speaks for a report on a write into its copy.
void Engine::originalsUsed(const TensorFacts &X, const State &St) {
  for (const Expr *Call : St.WrittenCopies)
    if (auto It = OriginalOf.find(Call);
        It != OriginalOf.end() && sharesAny(It->second, X.Storages))
      OriginalsUsed.insert(Call);
}

void Engine::contentRead(const TensorFacts &X, const Expr *At, State &St) {
  if (!Emitting || !RecordEvents)
    return;
  for (const Alternative &A : X.Storages) {
    if (Blobs.count(A.Object) && (St.Dead.count(A.Object) || arrayEnded(A.Object, At))) {
      const BlobMemory &M = Blobs.at(A.Object);
      // A temporary lives to the end of its full expression.
      const Stmt *Root = Current->Graph->Roots.lookup(M.Call);
      if (!M.Temporary || !Root || Root != Current->Graph->Roots.lookup(At))
        blobLeft(A.Object, X, BlobLeaves::Used, At->getExprLoc(), St);
    }
    if (auto It = Blobs.find(A.Object); It != Blobs.end())
      for (const PointerOrigin &O : It->second.Origins) {
        ObjectId Which = 0;
        if (dangling(O, St, Which) != Evidence::None)
          use(O, UseKind::Blob, At, St, false);
      }
    if (auto It = Copies.find(A.Object);
        It != Copies.end() && St.WrittenCopies.count(It->second.Call))
      CopiesRead.insert(It->second.Call);
  }
  originalsUsed(X, St);
}

void Engine::valueRead(const Value *V, const Expr *At, State &St) {
  if (!V)
    return;
  if (V->K == Value::Kind::Tensor)
    contentRead(V->Tensor, At, St);
  if (V->K == Value::Kind::Aggregate)
    for (const auto &[Step, Part] : V->Parts)
      valueRead(Part, At, St);
}

void Engine::contentWritten(const TensorFacts &X, const Expr *At, State &St) {
  for (const Alternative &A : X.Storages) {
    if (auto It = Copies.find(A.Object); It != Copies.end()) {
      const MadeCopy &C = It->second;
      St.WrittenCopies.insert(C.Call);
      if (Emitting && RecordEvents) {
        CopyWrite W;
        W.Copy = C.Call;
        W.Write = At;
        W.Level = C.New;
        if (St.evaluate(T.Facts, C.Device) != Evidence::None)
          W.DeviceFrom = T.Facts[St.strongest(T.Facts, C.Device)];
        FirstWrites.try_emplace(C.Call, std::move(W));
      }
    }
    auto It = Blobs.find(A.Object);
    if (It == Blobs.end() || !Emitting || !RecordEvents)
      continue;
    const BlobMemory &M = It->second;
    if (M.Const)
      blobEvent(M, BlobIssue::ConstWritten, certainty(X), At->getExprLoc());
    if ((St.Dead.count(A.Object) || arrayEnded(A.Object, At)) && !M.Temporary)
      blobLeft(A.Object, X, BlobLeaves::Used, At->getExprLoc(), St);
  }
}

void Engine::copyMade(const Expr *Call, const TensorFacts &Self, Evidence New) {
  const auto *C = dyn_cast<CallExpr>(Call);
  if (!C || New == Evidence::None)
    return;
  MadeCopy &M = Copies[T.Objects.get(Call, 2, Call->getExprLoc(), false)];
  M.Call = C;
  M.New = New;
  M.Device = Self.Device;
  OriginalOf[Call] = Self.Storages;
}

/// Somebody keeps \p V: whether it is read cannot be seen.
void Engine::copyKept(const Value *V) {
  if (!V || Copies.empty())
    return;
  if (V->K == Value::Kind::Aggregate)
    for (const auto &[Step, Part] : V->Parts)
      copyKept(Part);
  auto Keep = [&](const TensorFacts &X) {
    for (const Alternative &A : X.Storages)
      if (auto It = Copies.find(A.Object); It != Copies.end())
        CopiesRead.insert(It->second.Call);
  };
  if (V->K == Value::Kind::Tensor)
    Keep(V->Tensor);
  for (const PointerOrigin &O : V->Origins)
    Keep(*O.Tensor);
}

void Engine::copiesAtExit(const State &Exit) {
  for (const auto &[L, V] : Exit.environment()) {
    if (V->K != Value::Kind::Tensor || !outlives(L))
      continue;
    copyKept(V);
    originalsUsed(V->Tensor, Exit);
  }
  for (auto &[Call, Write] : FirstWrites)
    if (!CopiesRead.count(Call) && OriginalsUsed.count(Call))
      CopyWrites.push_back(std::move(Write));
}

/// `p[i] = p[i] > 1 ? 1 : p[i]` reads only to write there again.
static bool readToUpdate(const Expr *Read, const Stmt *Root) {
  const auto *RootExpr = dyn_cast_or_null<Expr>(Root);
  const auto *Assign = RootExpr ? dyn_cast<BinaryOperator>(strip(RootExpr)) : nullptr;
  if (!Assign || Assign->getOpcode() != BO_Assign)
    return false;
  auto Base = [](const Expr *E) -> const ValueDecl * {
    for (unsigned I = 0; I < 20; ++I) {
      E = stripCasts(E);
      if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
        E = S->getBase();
      else if (const auto *U = dyn_cast<UnaryOperator>(E))
        E = U->getSubExpr();
      else if (const auto *B = dyn_cast<BinaryOperator>(E))
        E = B->getLHS();
      else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E); C && C->getNumArgs())
        E = C->getArg(0);
      else
        break;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref ? Ref->getDecl() : nullptr;
  };
  const ValueDecl *To = Base(Assign->getLHS());
  return To && To == Base(Read);
}

void Engine::pointerUsed(const PointerOrigin &O, UseKind Kind, const Expr *At, State &St) {
  if (Kind == UseKind::Write)
    return contentWritten(*O.Tensor, At, St);
  if (Kind == UseKind::Taken || O.Kind == ViewKind::Shape)
    return;
  // Making the accessor reads nothing yet.
  if (Kind == UseKind::Read) {
    if (At == Sites[O.Site].Call || readToUpdate(At, Current->Graph->Roots.lookup(At)))
      return;
    return contentRead(*O.Tensor, At, St);
  }
  contentRead(*O.Tensor, At, St);
  Value V;
  V.Origins.push_back(O);
  copyKept(&V);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Methods that look at the handle, or hand out its memory, but read no element.
static bool readsNoElement(StringRef Name, MethodKind Kind) {
  switch (Kind) {
  case MethodKind::Operator:
  case MethodKind::Conversion:
    return false;
  case MethodKind::NoResult:
    return !model::readsElements(Name);
  default:
    return true;
  }
}

void Engine::contentUses(const CallExpr *Call, const Value *Result, State &St) {
  if (!Emitting || !RecordEvents || (Blobs.empty() && St.WrittenCopies.empty() && !WrapsTensors))
    return;
  const FunctionDecl *Fn = Call->getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Fn);
  llvm::SmallVector<const Expr *, 6> Args(Call->arg_begin(), Call->arg_end());
  const Expr *Object = nullptr;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(Call))
    Object = M->getImplicitObjectArgument();
  else if (Method && !Method->isStatic() && isa<CXXOperatorCallExpr>(Call) && !Args.empty()) {
    Object = Args.front();
    Args.erase(Args.begin());
  }
  if (Fn) {
    // The body tells; functions of the standard library and containers pass handles on.
    if (Scope.isUserCode(Fn) && Fn->hasBody())
      return;
    if (Fn->isInStdNamespace() || (Method && Method->getParent()->isInStdNamespace()))
      return;
  }
  const std::string Name = Fn ? Fn->getNameAsString() : "";
  if (Method) {
    switch (Types.kind(Method->getParent())) {
    case TypeKind::Container:
    case TypeKind::Pointer:
    case TypeKind::Tuple:
    case TypeKind::IValue:
    case TypeKind::Options:
    case TypeKind::Storage:
      return;
    default:
      break;
    }
  }
  // A result that has the storage is the tensor in another shape.
  const Alternatives *Derived =
      Result && Result->K == Value::Kind::Tensor ? &Result->Tensor.Storages : nullptr;
  if (Result && Result->K == Value::Kind::Reference)
    if (const Value *V = load(Result, QualType(), St); V && V->K == Value::Kind::Tensor)
      Derived = &V->Tensor.Storages;
  llvm::SmallVector<const TensorFacts *, 4> Read;
  if (Method && Object && Types.isTensor(Object->getType())) {
    const MethodKind Kind =
        model::methodKind(Name, Method->getTemplateSpecializationArgs() != nullptr);
    if (Kind == MethodKind::Handle) {
      // Handles are copied; `x[0] = y` copies elements.
      if (Object->isLValue() && Method->getRefQualifier() != RQ_RValue)
        return;
    } else if (readsNoElement(Name, Kind)) {
      return;
    } else if (Method->isOverloadedOperator() ? !Call->isGLValue()
                                              : !support::endsWith(Name, "_")) {
      if (const TensorFacts *X = tensor(Object, St))
        Read.push_back(X);
    }
  }
  const bool InPlace = !Method && (support::endsWith(Name, "_") || support::endsWith(Name, "_out"));
  for (const Expr *A : Args) {
    if (isa<CXXDefaultArgExpr>(A) || (InPlace && A == Args.front()))
      continue;
    if (const Value *V = value(A, St)) {
      if (V->K == Value::Kind::Tensor)
        Read.push_back(&V->Tensor);
      else if (V->K == Value::Kind::Aggregate)
        valueRead(V, Call, St);
    }
  }
  for (const TensorFacts *X : Read)
    if (!Derived || !sharesAny(X->Storages, *Derived))
      contentRead(*X, Call, St);
}

} // namespace torch_tidy::flow
