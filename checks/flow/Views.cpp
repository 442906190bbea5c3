//===--- Views.cpp - sizes and layouts of views ----------------------------===//
//
// A view of plain memory is plain again only where the dimensions that changed places, or that were
// cut, have one element: what is not known stays unknown, so that nothing is reported for it.
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy::flow {

using Dims = std::vector<int64_t>;

static bool isOneOf(StringRef Name, std::initializer_list<StringRef> Names) {
  return llvm::is_contained(Names, Name);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The layout of plain memory of \p Sizes whose dimension \p Dim was cut. What lies before the
/// dimension decides: the rows of a matrix are plain, its columns are not.
static uint8_t cutLayout(const SizeList &Sizes, int64_t Dim) {
  if (Dim == 0)
    return LayoutContiguous;
  if (!Sizes)
    return LayoutUnknown;
  for (int64_t I = 0; I < Dim; ++I)
    if ((*Sizes)[size_t(I)] != 1)
      return LayoutGapped;
  return LayoutContiguous;
}

namespace {

/// A view of plain memory: its sizes and its layout.
struct View {
  SizeList Sizes;
  uint8_t Order = LayoutUnknown;
};

View permuted(const SizeList &Sizes, const Dims &Order) {
  View V;
  Dims D;
  int64_t Last = -1;
  V.Order = LayoutContiguous;
  for (int64_t From : Order) {
    int64_t Size = Sizes ? (*Sizes)[size_t(From)] : -1;
    D.push_back(Size);
    if (Size == 1)
      continue;
    if (From < Last)
      V.Order = LayoutPermuted;
    Last = std::max(Last, From);
  }
  V.Sizes = makeSizes(std::move(D));
  return V;
}

View transposed(const SizeList &Sizes, int64_t A, int64_t B) {
  if (!Sizes) {
    View V;
    V.Order = A == B ? LayoutContiguous : (A < 0) == (B < 0) ? LayoutPermuted : LayoutUnknown;
    return V;
  }
  if (!wrapDim(A, Sizes) || !wrapDim(B, Sizes))
    return {};
  Dims Order(Sizes->size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = int64_t(I);
  std::swap(Order[size_t(A)], Order[size_t(B)]);
  return permuted(Sizes, Order);
}

View selected(const SizeList &Sizes, int64_t Dim) {
  View V;
  if (!wrapDim(Dim, Sizes))
    return V;
  V.Order = cutLayout(Sizes, Dim);
  if (!Sizes)
    return V;
  const int64_t Size = (*Sizes)[size_t(Dim)];
  // A column of an N x 1 matrix is plain.
  if (V.Order == LayoutGapped && Size <= 1)
    V.Order = Size == 1 ? LayoutContiguous : LayoutUnknown;
  Dims D(*Sizes);
  D.erase(D.begin() + Dim);
  V.Sizes = makeSizes(std::move(D));
  return V;
}

/// \p Length: elements that stay, -1 where it is not known; \p Whole: it is all of them.
View sliced(const SizeList &Sizes, int64_t Dim, int64_t Length, int64_t Step, bool Whole) {
  View V;
  if (!wrapDim(Dim, Sizes))
    return V;
  const int64_t Size = Sizes ? (*Sizes)[size_t(Dim)] : -1;
  if (Whole && Step == 1) {
    V.Sizes = Sizes;
    V.Order = LayoutContiguous;
    return V;
  }
  if (Sizes) {
    Dims D(*Sizes);
    D[size_t(Dim)] = Length;
    V.Sizes = makeSizes(std::move(D));
  }
  if (Step != 1) {
    V.Order = Size == 1 || Length == 1 ? LayoutUnknown : LayoutGapped;
    return V;
  }
  V.Order = cutLayout(Sizes, Dim);
  if (V.Order == LayoutGapped && (Size < 0 || Length < 0))
    V.Order = LayoutUnknown;
  if (V.Order == LayoutGapped && Length >= Size)
    V.Order = LayoutContiguous;
  return V;
}

View expanded(const SizeList &Sizes, const SizeList &To) {
  View V;
  V.Sizes = To;
  if (!Sizes || !To || To->size() < Sizes->size())
    return V;
  Dims D(*To);
  V.Order = LayoutContiguous;
  const size_t Added = To->size() - Sizes->size();
  for (size_t I = 0; I < D.size(); ++I) {
    const int64_t Old = I < Added ? 1 : (*Sizes)[I - Added];
    // -1 keeps the size; a size that is not known is hardly always 1.
    const bool Keeps = D[I] == -1 && I >= Added && Old != 1;
    if (Keeps)
      D[I] = Old;
    else if (Old == 1 && D[I] != 1)
      V.Order = LayoutGapped;
  }
  V.Sizes = makeSizes(std::move(D));
  return V;
}

} // namespace

/// Views with strides of their own, and calls that look like one. False for other operators.
bool Engine::viewShape(const Operands &B, const TensorFacts &Base, TensorFacts &R, State &St) {
  const StringRef Name = B.Op->name().rtrim('_');
  const SizeList &Sizes = Base.Sizes;
  auto Number = [&](StringRef Arg, int64_t Default, int64_t &N) {
    const Expr *E = B.arg(Arg);
    N = Default;
    return !E || integer(E, St, N);
  };
  View V;
  bool Reorders = false; // Dimensions change places, nothing is cut.
  bool Lazy = false;
  int64_t X = 0, Y = 0, Z = 0;
  if (Name == "permute") {
    Reorders = true;
    SizeList Order = sizesOf(B.arg("dims"), St);
    if (Order && (!Sizes || Sizes->size() == Order->size())) {
      Dims D(*Order);
      bool Known = true;
      for (int64_t &Each : D) {
        if (Each < 0)
          Each += int64_t(D.size());
        Known &= Each >= 0 && Each < int64_t(D.size());
      }
      // A size that is not known reads as -1, which is the last dimension: then it is there twice.
      Dims Sorted(D);
      llvm::sort(Sorted);
      Known &= std::adjacent_find(Sorted.begin(), Sorted.end()) == Sorted.end();
      if (Known)
        V = permuted(Sizes, D);
    }
  } else if (isOneOf(Name, {"transpose", "swapaxes", "swapdims"})) {
    Reorders = true;
    const StringRef A = Name == "swapaxes" ? "axis0" : "dim0";
    const StringRef C = Name == "swapaxes" ? "axis1" : "dim1";
    if (Number(A, 0, X) && Number(C, 0, Y))
      V = transposed(Sizes, X, Y);
  } else if (isOneOf(Name, {"t", "numpy_T", "T", "H", "matrix_H"})) {
    Reorders = true;
    Lazy = isOneOf(Name, {"H", "matrix_H"});
    if (Sizes) {
      Dims Order;
      for (size_t I = Sizes->size(); I-- > 0;)
        Order.push_back(int64_t(I));
      V = permuted(Sizes, Order);
    } else {
      V.Order = LayoutPermuted;
    }
  } else if (isOneOf(Name, {"mT", "mH", "adjoint"})) {
    Reorders = true;
    Lazy = Name != "mT";
    V = transposed(Sizes, -2, -1);
  } else if (isOneOf(Name, {"movedim", "moveaxis"})) {
    Reorders = true;
    int64_t From = 0, To = 0;
    if (Number("source", 0, From) && Number("destination", 0, To) && wrapDim(From, Sizes) &&
        wrapDim(To, Sizes) && Sizes) {
      Dims Order;
      for (size_t I = 0; I < Sizes->size(); ++I)
        if (int64_t(I) != From)
          Order.push_back(int64_t(I));
      Order.insert(Order.begin() + To, From);
      V = permuted(Sizes, Order);
    } else if (B.arg("source") && integer(B.arg("source"), St, From) && From != To) {
      V.Order = LayoutPermuted;
    }
  } else if (Name == "select") {
    if (Number("dim", 0, X))
      V = selected(Sizes, X);
  } else if (Name == "narrow") {
    if (Number("dim", 0, X)) {
      const bool Known = Number("length", -1, Y);
      V = sliced(Sizes, X, Known ? Y : -1, 1, false);
    }
  } else if (Name == "slice") {
    const Expr *Start = B.arg("start"), *End = B.arg("end");
    int64_t From = 0, To = INT64_MAX;
    if (Number("dim", 0, X) && Number("step", 1, Z)) {
      const bool Known = (!Start || integer(Start, St, From)) && (!End || integer(End, St, To));
      int64_t Dim = X;
      const int64_t Size = Sizes && wrapDim(Dim, Sizes) ? (*Sizes)[size_t(Dim)] : -1;
      const bool Whole = Known && From == 0 && (To == INT64_MAX || (Size >= 0 && To >= Size));
      int64_t Length = -1;
      if (Known && Z > 0 && (Size >= 0 || (From >= 0 && To >= 0 && To != INT64_MAX))) {
        const int64_t Start0 = From < 0 ? std::max<int64_t>(From + Size, 0) : From;
        const int64_t End0 = To < 0 ? To + Size : Size >= 0 ? std::min(To, Size) : To;
        Length = std::max<int64_t>((End0 - Start0 + Z - 1) / Z, 0);
      }
      V = sliced(Sizes, X, Length, Z, Whole);
    }
  } else if (isOneOf(Name, {"expand", "broadcast_to"})) {
    V = expanded(Sizes, sizesOf(B.arg("size"), St));
  } else if (Name == "expand_as") {
    const TensorFacts *Other = B.tensor(1);
    V = expanded(Sizes, Other ? Other->Sizes : nullptr);
  } else if (Name == "diagonal") {
    V.Order = countOf(Sizes) == 1 ? LayoutContiguous : LayoutGapped;
    if (Sizes && Sizes->size() >= 2)
      V.Sizes = makeSizes(Dims(Sizes->size() - 1, -1));
  } else if (Name == "unfold") {
    V.Order = LayoutGapped;
  } else if (Name == "as_strided") {
    SizeList To = sizesOf(B.arg("size"), St), Strides = sizesOf(B.arg("stride"), St);
    V.Sizes = To;
    if (To && Strides && To->size() == Strides->size()) {
      // Literal strides that grow towards the end, or a last stride that is not 1.
      int64_t Plain = 1;
      V.Order = LayoutContiguous;
      for (size_t I = To->size(); I-- > 0;) {
        const int64_t Stride = (*Strides)[I], Size = (*To)[I];
        if (Size == 1)
          continue;
        if (Stride < 0 || Plain < 0) {
          V.Order = LayoutUnknown;
          break;
        }
        if (Stride != Plain) {
          V.Order = LayoutGapped;
          break;
        }
        Plain = Size < 0 ? -1 : Plain * Size;
      }
    }
  } else if (isOneOf(Name, {"unbind", "split", "chunk", "tensor_split", "split_with_sizes",
                            "unsafe_split", "unsafe_chunk"})) {
    if (Number("dim", 0, X)) {
      V = selected(Sizes, X);
      if (Name != "unbind" && V.Sizes && Sizes) {
        Dims D(*Sizes);
        wrapDim(X, Sizes);
        D[size_t(X)] = -1;
        V.Sizes = makeSizes(std::move(D));
        if (V.Order == LayoutGapped && Name != "split_with_sizes" && Name != "split" &&
            Name != "chunk")
          V.Order = LayoutUnknown;
      }
    }
  } else if (isOneOf(Name, {"real", "imag"})) {
    const ElementTypes Complex = elementType(8) | elementType(9) | elementType(10);
    V.Sizes = Sizes;
    V.Order = !(Base.Types & (Complex | UnknownElementType)) ? LayoutContiguous
              : !(Base.Types & ~Complex)                     ? LayoutGapped
                                                             : LayoutUnknown;
  } else {
    return false;
  }
  R.Sizes = V.Sizes;
  R.Order = 0;
  if (Base.Order & LayoutContiguous)
    R.Order |= V.Order;
  // Permuted once more it may lie in order again; a cut may be taken out of the gaps.
  if (Base.Order & LayoutGapped)
    R.Order |= Reorders ? LayoutGapped : LayoutUnknown;
  if (Base.Order & (LayoutPermuted | LayoutUnknown))
    R.Order |= LayoutUnknown;
  R.LayoutFrom = R.Order == Base.Order && Base.LayoutFrom ? Base.LayoutFrom : B.Call;
  R.Lazy = Base.Lazy != Lazy;
  if (Lazy && !(Base.Types & (elementType(8) | elementType(9) | elementType(10))))
    R.Lazy = false;
  return true;
}

//===----------------------------------------------------------------------===//
// index({Slice(), 1})
//===----------------------------------------------------------------------===//

/// The parts of `{Slice(), 1, None}`, or null for a list that is not spelled here.
static const InitListExpr *indexList(const Expr *E) {
  for (unsigned I = 0; I < 20; ++I) {
    E = strip(E);
    if (const auto *L = dyn_cast<InitListExpr>(E))
      return L;
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || !C->getNumArgs())
      return nullptr;
    E = C->getArg(0);
  }
  return nullptr;
}

/// Indexing by slices, numbers, `None` and `...` makes a view; a tensor among them makes a copy.
const Value *Engine::basicIndex(const Expr *Call, const TensorFacts &Self,
                                llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  if (Args.size() != 1 || Types.isTensor(model::Types::elementOf(Args[0]->getType())))
    return nullptr;
  TensorFacts R = Self;
  R.Impls = fresh(Call, 1, St);
  if (St.Mode == GradMode::Off)
    R.Grad = FactTable::Host;
  Done = true;
  const InitListExpr *List = indexList(Args[0]);
  if (!List) {
    R.Order = LayoutUnknown;
    R.Sizes = nullptr;
    R.OneElement = false;
    R.Storages = maybeSame(Self.Storages, Call, Evidence::Possible, St);
    return tensorValue(std::move(R));
  }
  // One step after the other, as LibTorch does.
  View V{Self.Sizes, LayoutContiguous};
  bool Copies = false, Changes = false;
  int64_t Dim = 0;
  auto Apply = [&](View Next) {
    V.Sizes = Next.Sizes;
    if (V.Order == LayoutContiguous)
      V.Order = Next.Order;
    else if (Next.Order != LayoutContiguous)
      V.Order = LayoutUnknown;
    Changes = true;
  };
  for (const Expr *Each : List->inits()) {
    const Expr *Core = strip(Each);
    if (const auto *C = dyn_cast<CXXConstructExpr>(Core); C && C->getNumArgs())
      if (const auto *Class = C->getType()->getAsCXXRecordDecl();
          Class && Class->getName() == "TensorIndex")
        Core = strip(C->getArg(0));
    QualType Type = Core->getType().getNonReferenceType();
    if (Types.isTensor(Type)) {
      Copies = true;
      break;
    }
    const auto *Class = Type->getAsCXXRecordDecl();
    const StringRef ClassName = Class && Class->getIdentifier() ? Class->getName() : StringRef();
    if (ClassName == "Slice") {
      for (const auto *Copy = dyn_cast<CXXConstructExpr>(Core);
           Copy && Copy->getConstructor()->isCopyOrMoveConstructor();
           Copy = dyn_cast<CXXConstructExpr>(Core))
        Core = strip(Copy->getArg(0));
      const auto *C = dyn_cast<CXXConstructExpr>(Core);
      const Expr *Parts[3] = {};
      bool Known = C != nullptr;
      for (unsigned I = 0; C && I < C->getNumArgs() && I < 3; ++I)
        if (!isa<CXXDefaultArgExpr>(C->getArg(I)) &&
            innermost(C->getArg(I))->getType()->isIntegralOrEnumerationType())
          Parts[I] = C->getArg(I);
      int64_t From = 0, To = INT64_MAX, Step = 1;
      Known &= !Parts[0] || integer(Parts[0], St, From);
      Known &= !Parts[1] || integer(Parts[1], St, To);
      const bool StepKnown = C && (!Parts[2] || integer(Parts[2], St, Step));
      int64_t D = Dim;
      const int64_t Size = V.Sizes && wrapDim(D, V.Sizes) ? (*V.Sizes)[size_t(D)] : -1;
      int64_t Length = -1;
      if (Known && StepKnown && Step > 0 && (Size >= 0 || (From >= 0 && To >= 0 && To < INT64_MAX)))
        Length = std::max<int64_t>(((To < 0      ? To + Size
                                     : Size >= 0 ? std::min(To, Size)
                                                 : To) -
                                    (From < 0 ? From + Size : From) + Step - 1) /
                                       Step,
                                   0);
      if (!StepKnown)
        Apply({V.Sizes ? makeSizes(Dims(V.Sizes->size(), -1)) : nullptr, LayoutUnknown});
      else if (Parts[0] || Parts[1] || Parts[2])
        Apply(sliced(V.Sizes, Dim, Length, Step,
                     Known && From == 0 && (To == INT64_MAX || (Size >= 0 && To >= Size))));
      ++Dim;
    } else if (Type->isIntegerType() && !Type->isBooleanType()) {
      Apply(selected(V.Sizes, Dim));
    } else if (ClassName == "nullopt_t") {
      if (V.Sizes && Dim <= int64_t(V.Sizes->size())) {
        Dims D(*V.Sizes);
        D.insert(D.begin() + Dim, 1);
        V.Sizes = makeSizes(std::move(D));
      }
      ++Dim;
    } else if (ClassName == "EllipsisIndexType" || Type->isArrayType() || Type->isPointerType()) {
      // What follows counts from the end.
      int64_t After = 0;
      bool Counted = V.Sizes != nullptr;
      for (const Expr *Rest : List->inits())
        After += Rest == Each ? -After : 1;
      if (Counted)
        Dim = int64_t(V.Sizes->size()) - After;
      else
        Apply({nullptr, LayoutUnknown});
      if (Dim < 0)
        break;
    } else {
      Apply({nullptr, LayoutUnknown});
      Copies |= Type->isBooleanType();
    }
  }
  R.Sizes = V.Sizes;
  R.OneElement = countOf(R.Sizes) == 1;
  if (Copies) {
    R.Sizes = nullptr;
    R.OneElement = false;
    R.Order = Self.Order == LayoutContiguous ? LayoutContiguous : LayoutUnknown;
    R.Storages = fresh(Call, 0, St);
    return tensorValue(std::move(R));
  }
  if (Changes) {
    R.Order = Self.Order == LayoutContiguous ? V.Order : uint8_t(LayoutUnknown);
    R.LayoutFrom = Call;
  }
  return tensorValue(std::move(R));
}

} // namespace torch_tidy::flow
