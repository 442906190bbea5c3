//===--- Shapes.cpp - sizes and layouts of results -------------------------===//
//
// What views do is in Views.cpp.
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::LayoutRule;
using torch_tidy::model::OutputInfo;
using torch_tidy::model::ShapeRule;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

using Dims = std::vector<int64_t>;

static bool isOneOf(StringRef Name, std::initializer_list<StringRef> Names) {
  return llvm::is_contained(Names, Name);
}

//===----------------------------------------------------------------------===//
// Numbers and lists in the source
//===----------------------------------------------------------------------===//

const Expr *innermost(const Expr *E) {
  for (unsigned I = 0; I < 60; ++I) {
    E = strip(E);
    if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
      if (C->getNumArgs() >= 1 && (C->getNumArgs() == 1 || isa<CXXDefaultArgExpr>(C->getArg(1)))) {
        E = C->getArg(0);
        continue;
      }
    } else if (const auto *F = dyn_cast<CXXFunctionalCastExpr>(E)) {
      if (F->getType()->isRecordType()) {
        E = F->getSubExpr();
        continue;
      }
    }
    return E;
  }
  return E;
}

int64_t countOf(const SizeList &Sizes) {
  if (!Sizes)
    return -1;
  int64_t Count = 1;
  for (int64_t S : *Sizes) {
    if (S < 0 || (S && Count > INT64_MAX / S))
      return -1;
    Count *= S;
  }
  return Count;
}

bool Engine::integer(const Expr *E, State &St, int64_t &N) {
  if (!E)
    return false;
  const Expr *Core = innermost(E);
  if (const Value *V = value(Core, St)) {
    N = V->Number;
    return V->K == Value::Kind::Integer;
  }
  if (!Core->getType()->isIntegralOrEnumerationType())
    return false;
  const auto Constant = integerOf(Core);
  if (Constant)
    N = *Constant;
  return bool(Constant);
}

SizeList Engine::sizesOf(const Expr *E, State &St, unsigned Nesting) {
  for (unsigned I = 0; E && I < 60 && Nesting < 4; ++I) {
    // `x.sizes()`
    if (const Value *V = value(E, St); V && V->K == Value::Kind::Pointer)
      return V->Origins.size() == 1 && V->Origins[0].Kind == ViewKind::Shape
                 ? V->Origins[0].Tensor->Sizes
                 : nullptr;
    E = strip(E);
    if (const auto *L = dyn_cast<InitListExpr>(E)) {
      Dims D;
      for (const Expr *Each : L->inits()) {
        int64_t N = -1;
        D.push_back(integer(Each, St, N) ? N : -1);
      }
      return makeSizes(std::move(D));
    }
    if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
      const auto *R = C->getType()->getAsCXXRecordDecl();
      if (C->getNumArgs() == 0)
        return R && R->getIdentifier() && R->getName() == "ArrayRef" ? makeSizes({}) : nullptr;
      if (C->getNumArgs() > 1 && !isa<CXXDefaultArgExpr>(C->getArg(1)))
        return nullptr;
      const Expr *Arg = C->getArg(0);
      if (Arg->getType()->isIntegralOrEnumerationType()) {
        // `view(-1)`: a list of one; vector(n) is n zeros.
        if (!R || !R->getIdentifier() || R->getName() == "vector")
          return nullptr;
        int64_t N = -1;
        return makeSizes({integer(Arg, St, N) ? N : -1});
      }
      E = Arg;
      continue;
    }
    if (const auto *C = dyn_cast<ExplicitCastExpr>(E)) {
      E = C->getSubExpr();
      continue;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var || !Var->getType().isConstQualified() || !Var->getInit())
        return nullptr;
      return sizesOf(Var->getInit(), St, Nesting + 1);
    }
    if (E->getType()->isIntegralOrEnumerationType()) {
      int64_t N = -1;
      return makeSizes({integer(E, St, N) ? N : -1});
    }
    return nullptr;
  }
  return nullptr;
}

/// `c10::MemoryFormat` among the arguments, -1 for none, -2 for one that is not known.
int Engine::memoryFormat(llvm::ArrayRef<const Expr *> Args) {
  for (const Expr *A : Args) {
    const Expr *Core = innermost(A);
    const auto *Enum = Core->getType().getNonReferenceType()->getAs<EnumType>();
    if (!Enum || !Enum->getDecl()->getIdentifier() || Enum->getDecl()->getName() != "MemoryFormat")
      continue;
    Expr::EvalResult R;
    if (Core->isValueDependent() || !Core->EvaluateAsInt(R, Context))
      return -2;
    return int(R.Val.getInt().getExtValue());
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

/// The sizes that `view` and `reshape` give: one -1 follows from the number of elements.
static SizeList reshaped(const SizeList &To, const SizeList &From) {
  if (!To)
    return nullptr;
  int64_t Count = countOf(From), Known = 1, Missing = -1;
  for (size_t I = 0; I < To->size(); ++I) {
    if ((*To)[I] >= 0) {
      Known *= (*To)[I];
      continue;
    }
    if (Missing >= 0)
      return To;
    Missing = int64_t(I);
  }
  if (Missing < 0 || Count < 0 || Known <= 0 || Count % Known)
    return To;
  Dims D(*To);
  D[size_t(Missing)] = Count / Known;
  return makeSizes(std::move(D));
}

/// What `clone`, `to` and pointwise operators make of a layout: dense tensors keep theirs.
static uint8_t copiedLayout(uint8_t Order) {
  if (Order & LayoutGapped)
    Order = uint8_t((Order & ~LayoutGapped) | LayoutContiguous);
  return Order;
}

void Engine::convertFacts(TensorFacts &R, const TensorFacts &Self, Evidence New, const Expr *Call) {
  (void)Call;
  if (New == Evidence::None)
    return;
  if (New == Evidence::Proven) {
    R.Order = copiedLayout(Self.Order);
    R.Lazy = false;
  } else {
    R.Order |= copiedLayout(Self.Order);
  }
}

/// The sizes without the dimensions that a reduction runs over.
static SizeList reducedSizes(const SizeList &Sizes, const SizeList &Over, bool Keep) {
  if (!Sizes || !Over)
    return nullptr;
  llvm::SmallVector<bool, 6> Gone(Sizes->size(), Over->empty());
  for (int64_t D : *Over) {
    if (!wrapDim(D, Sizes))
      return nullptr;
    Gone[size_t(D)] = true;
  }
  Dims R;
  for (size_t I = 0; I < Sizes->size(); ++I) {
    if (!Gone[I])
      R.push_back((*Sizes)[I]);
    else if (Keep)
      R.push_back(1);
  }
  return makeSizes(std::move(R));
}

static SizeList broadcast(const SizeList &A, const SizeList &B) {
  if (!A || !B)
    return nullptr;
  const Dims &Long = A->size() >= B->size() ? *A : *B, &Short = &Long == A.get() ? *B : *A;
  Dims R(Long);
  for (size_t I = 0; I < Short.size(); ++I) {
    int64_t &X = R[Long.size() - Short.size() + I];
    if (X == 1)
      X = Short[I];
    else if (X != Short[I] && Short[I] != 1 && X < 0)
      X = Short[I] > 1 ? Short[I] : -1;
  }
  return makeSizes(std::move(R));
}

void Engine::resultShape(const Operands &B, unsigned Output, TensorFacts &R, State &St) {
  if (!B.Op || Output >= B.Op->outputs().size())
    return;
  const OutputInfo &Out = B.Op->outputs()[Output];
  const StringRef Name = B.Op->name();
  const TensorFacts *Base = B.tensor(Out.TypeArg);
  if (Base && viewShape(B, *Base, R, St)) {
    R.OneElement = countOf(R.Sizes) == 1 || (Out.Shape == ShapeRule::SameCount && Base->OneElement);
    return;
  }

  // Sizes.
  bool One = false;
  const Expr *Dim = B.arg("dim");
  switch (Out.Shape) {
  case ShapeRule::SameAsBase:
    R.Sizes = Base ? Base->Sizes : nullptr;
    One = Base && Base->OneElement;
    break;
  case ShapeRule::SameCount: {
    One = Base && Base->OneElement;
    const Expr *To = B.arg("size") ? B.arg("size") : B.arg("shape");
    if (To && Base) {
      R.Sizes = reshaped(sizesOf(To, St), Base->Sizes);
    } else if (isOneOf(Name, {"view_as", "reshape_as"}) && B.tensor(1)) {
      R.Sizes = B.tensor(1)->Sizes;
    } else if (isOneOf(Name, {"flatten", "ravel"}) && !B.arg("start_dim")) {
      R.Sizes = makeSizes({Base ? countOf(Base->Sizes) : -1});
    } else if (Name == "unsqueeze" && Base && Base->Sizes) {
      int64_t D = 0;
      if (integer(Dim, St, D)) {
        D = D < 0 ? D + int64_t(Base->Sizes->size()) + 1 : D;
        if (D >= 0 && D <= int64_t(Base->Sizes->size())) {
          Dims Sizes(*Base->Sizes);
          Sizes.insert(Sizes.begin() + D, 1);
          R.Sizes = makeSizes(std::move(Sizes));
        }
      }
    } else if (Name == "squeeze" && Base && Base->Sizes) {
      int64_t D = 0;
      if (Dim && integer(Dim, St, D) && wrapDim(D, Base->Sizes)) {
        const int64_t Size = (*Base->Sizes)[size_t(D)];
        Dims Sizes(*Base->Sizes);
        if (Size == 1)
          Sizes.erase(Sizes.begin() + D);
        if (Size >= 0)
          R.Sizes = makeSizes(std::move(Sizes));
      } else if (!Dim && !llvm::is_contained(*Base->Sizes, -1)) {
        Dims Sizes;
        for (int64_t S : *Base->Sizes)
          if (S != 1)
            Sizes.push_back(S);
        R.Sizes = makeSizes(std::move(Sizes));
      }
    }
    break;
  }
  case ShapeRule::Broadcast: {
    One = !B.Tensors.empty();
    for (const TensorFacts *X : B.Tensors) {
      One &= X->OneElement;
      R.Sizes = X == B.Tensors.front() ? X->Sizes : broadcast(R.Sizes, X->Sizes);
    }
    break;
  }
  case ShapeRule::OneElement:
    R.Sizes = makeSizes({});
    break;
  case ShapeRule::OneElementIfReduced: {
    int64_t Reduction = 1;
    const Expr *E = B.arg("reduction");
    if (!E || (integer(E, St, Reduction) && Reduction != 0))
      R.Sizes = makeSizes({});
    break;
  }
  case ShapeRule::OneElementIfNoDim:
    if (!Dim) {
      One = true;
      int64_t Keep = 0;
      if (!B.arg("keepdim") || (integer(B.arg("keepdim"), St, Keep) && !Keep))
        R.Sizes = makeSizes({});
    }
    break;
  case ShapeRule::Unknown:
    if (const Expr *Size = B.arg("size"))
      R.Sizes = sizesOf(Size, St);
    else if (Name == "scalar_tensor")
      R.Sizes = makeSizes({});
    else if (isOneOf(Name, {"arange", "linspace", "logspace", "randperm", "range"}))
      R.Sizes = makeSizes({-1});
    else if (Name == "nonzero" && Base)
      R.Sizes = makeSizes({-1, Base->Sizes ? int64_t(Base->Sizes->size()) : -1});
    else if (isOneOf(Name, {"mm", "matmul"}) && Base && B.tensor(1) && Base->Sizes &&
             B.tensor(1)->Sizes && Base->Sizes->size() == 2 && B.tensor(1)->Sizes->size() == 2)
      R.Sizes = makeSizes({(*Base->Sizes)[0], (*B.tensor(1)->Sizes)[1]});
    break;
  }
  if (!R.Sizes && !One && Base && B.Op->findArg("keepdim") >= 0) {
    // `sum(1)`, `max(0)`, `argmax(-1, true)`; sizesOf reads a single number as a list, too.
    int64_t Keep = 0;
    if (!B.arg("keepdim") || integer(B.arg("keepdim"), St, Keep)) {
      SizeList Over = Dim ? sizesOf(Dim, St) : nullptr;
      int64_t Single = 0;
      if (Dim && !Over && integer(Dim, St, Single))
        Over = makeSizes({Single});
      if (!Dim && isOneOf(Name, {"median", "mode", "kthvalue", "nanmedian"}))
        Over = makeSizes({-1});
      R.Sizes = reducedSizes(Base->Sizes, Over, Keep != 0);
    }
  }
  if (Name == "topk" && Base && Base->Sizes) {
    int64_t K = -1, D = -1;
    if ((!Dim || integer(Dim, St, D)) && wrapDim(D, Base->Sizes)) {
      Dims Sizes(*Base->Sizes);
      Sizes[size_t(D)] = integer(B.arg("k"), St, K) ? K : -1;
      R.Sizes = makeSizes(std::move(Sizes));
    }
  }
  R.OneElement = One || countOf(R.Sizes) == 1;

  // Layout.
  const uint8_t From = Base ? Base->Order : uint8_t(LayoutUnknown);
  R.LayoutFrom = Base ? Base->LayoutFrom : nullptr;
  switch (Out.Layout) {
  case LayoutRule::Contiguous:
    R.Order = LayoutContiguous;
    break;
  case LayoutRule::KeepsLayout: {
    R.Lazy = Out.Storage != model::StorageRule::New && Base && Base->Lazy;
    R.Order = Out.Storage == model::StorageRule::New ? copiedLayout(From) : From;
    // Several tensors: where they lie alike.
    for (const TensorFacts *X : B.Tensors)
      if (!X->OneElement && X != Base && copiedLayout(X->Order) != copiedLayout(From))
        R.Order = LayoutUnknown;
    break;
  }
  case LayoutRule::ContiguousIfInputs: {
    R.Lazy = Out.Storage == model::StorageRule::View && Base && Base->Lazy;
    bool All = !B.Tensors.empty();
    for (const TensorFacts *X : B.Tensors)
      All &= X->Order == LayoutContiguous;
    R.Order = All ? LayoutContiguous : LayoutUnknown;
    if (All || !Base)
      break;
    if (isOneOf(Name, {"squeeze", "unsqueeze", "squeeze_", "unsqueeze_"})) {
      R.Order = From;
    } else if (isOneOf(Name, {"reshape", "flatten", "ravel"}) && R.Sizes && R.Sizes->size() == 1 &&
               !(From & LayoutUnknown)) {
      // To one dimension: a permuted tensor must be copied, and one with gaps unless it has one
      // dimension already.
      R.Order = LayoutContiguous;
      if (From & LayoutGapped)
        R.Order = !Base->Sizes               ? uint8_t(LayoutUnknown)
                  : Base->Sizes->size() == 1 ? From
                                             : uint8_t(LayoutContiguous);
    }
    break;
  }
  case LayoutRule::LazyBit: {
    R.Order = From;
    const bool Real =
        Base &&
        !(Base->Types & (elementType(8) | elementType(9) | elementType(10) | UnknownElementType));
    R.Lazy = Base && Name == "conj" && !Real ? !Base->Lazy : Base && Base->Lazy;
    if (R.Lazy)
      R.LayoutFrom = B.Call;
    break;
  }
  case LayoutRule::ViewChanges:
  case LayoutRule::Unknown:
    break;
  }
  if (Name == "resolve_conj")
    R.Lazy = false;
  switch (memoryFormat(B.Args)) {
  case 0:
    R.Order = LayoutContiguous;
    break;
  case 2:
  case 3: {
    // One channel, or one pixel: both orders are the same.
    const bool Plain =
        R.Sizes && R.Sizes->size() >= 4 &&
        ((*R.Sizes)[1] == 1 || (R.Sizes->back() == 1 && (*R.Sizes)[R.Sizes->size() - 2] == 1));
    R.Order = Plain ? LayoutUnknown : LayoutPermuted;
    R.LayoutFrom = B.Call;
    break;
  }
  case -2:
    R.Order = LayoutUnknown;
    break;
  default:
    break;
  }
}

} // namespace torch_tidy::flow
