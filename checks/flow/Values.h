//===--- Values.h - abstract values of the tensor-flow analysis -----------===//
//
// What an expression or a variable may hold: a tensor with its facts, a pointer into a tensor's
// memory, a device, `TensorOptions`, a condition that a guard could test, a reference to a
// location, a lambda, an aggregate of such values. Values are immutable and owned by the
// `ValueArena`.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_VALUES_H
#define TORCH_TIDY_FLOW_VALUES_H

#include "Facts.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>
#include <vector>

namespace torch_tidy::flow {

using LocationId = uint32_t;
/// A storage, or a TensorImpl (what `sizes()` points into).
using ObjectId = uint32_t;
using SiteId = uint32_t;

/// One of the objects that a handle may hold, and how surely it is this one.
struct Alternative {
  ObjectId Object = 0;
  Evidence Weight = Evidence::Proven;
  /// Which of the paths that met brought it in; 0: it is no matter of the path. After
  /// `if (f) swap(a, b)` both handles hold the same objects, but never the same one.
  uint8_t Side = 0;
  bool operator==(const Alternative &O) const {
    return Object == O.Object && Weight == O.Weight && Side == O.Side;
  }
};
using Alternatives = llvm::SmallVector<Alternative, 1>;

inline bool holds(const Alternatives &List, ObjectId O) {
  return llvm::any_of(List, [&](const Alternative &A) { return A.Object == O; });
}
/// \p List has \p A, by the same path.
inline bool holdsToo(const Alternatives &List, const Alternative &A) {
  return llvm::any_of(
      List, [&](const Alternative &X) { return X.Object == A.Object && X.Side == A.Side; });
}
inline bool sharesAny(const Alternatives &A, const Alternatives &B) {
  return llvm::any_of(A, [&](const Alternative &X) { return holds(B, X.Object); });
}

/// A set: bits are `c10::ScalarType` enumerators, the highest bit is a type that is not known.
using ElementTypes = uint64_t;
constexpr ElementTypes UnknownElementType = ElementTypes(1) << 63;
/// In a set with this bit the types are what a test left of a type that is not known: where paths
/// with several such sets meet (the cases of a dispatch), it is not known again.
constexpr ElementTypes TypesFromTest = ElementTypes(1) << 62;
constexpr ElementTypes joinTypes(ElementTypes A, ElementTypes B) {
  if ((A & ~TypesFromTest) == (B & ~TypesFromTest))
    return A & B;
  if (A & TypesFromTest)
    A = UnknownElementType;
  return A | (B & TypesFromTest ? UnknownElementType : B);
}
constexpr ElementTypes elementType(int ScalarType) { return ElementTypes(1) << ScalarType; }
/// The `c10::ScalarType` of the lowest bit; -1 where no type is known.
inline int lowestType(ElementTypes Set) {
  for (int I = 0; I < 62; ++I)
    if (Set >> I & 1)
      return I;
  return -1;
}

/// How the elements may lie in memory. TensorFacts has a set of these: one bit for each path.
enum Layout : uint8_t {
  LayoutContiguous = 1,
  LayoutPermuted = 2, ///< Dense, but in another order than that of the indices.
  LayoutGapped = 4,   ///< With gaps or overlaps: a column, a step, an expanded dimension.
  LayoutUnknown = 8,
};

/// Sizes where known, -1 for a size that is not; null where even the rank is unknown.
using SizeList = std::shared_ptr<const std::vector<int64_t>>;

/// Everything known about one tensor.
struct TensorFacts {
  FactId Device = FactTable::Host;
  FactId Grad = FactTable::Host;
  Alternatives Storages;
  Alternatives Impls;
  ElementTypes Types = UnknownElementType;
  uint8_t Order = LayoutUnknown; ///< Set of Layout.
  bool OneElement = false;
  bool Lazy = false; ///< Conjugated only when read through operators.
  SizeList Sizes;
  /// The element of a container that it is, or the container's elements that it is one of; else 0.
  ObjectId Element = 0;
  /// The calls that gave the layout and the element type; for notes.
  const clang::Expr *LayoutFrom = nullptr;
  const clang::Expr *TypeFrom = nullptr;

  bool operator==(const TensorFacts &O) const {
    return Device == O.Device && Grad == O.Grad && Storages == O.Storages && Impls == O.Impls &&
           Types == O.Types && Order == O.Order && OneElement == O.OneElement && Lazy == O.Lazy &&
           Element == O.Element && (Sizes == O.Sizes || (Sizes && O.Sizes && *Sizes == *O.Sizes));
  }
};

/// How a pointer came to be.
enum class ViewKind : uint8_t {
  Pointer,        ///< data_ptr and the like
  Accessor,       ///< accessor<T, N>(): host use by itself
  PackedAccessor, ///< packed_accessor*: host use where it is subscripted
  Shape,          ///< sizes(), strides(): points into the TensorImpl
  Object,         ///< cv::Mat, Eigen::Map, span, ... over the pointer
};

/// One raw accessor call that a pointer may come from, with the tensor as it was there.
struct PointerOrigin {
  SiteId Site = 0;
  const TensorFacts *Tensor = nullptr;
  ViewKind Kind = ViewKind::Pointer;
  bool Recording = true; ///< Gradients were recorded at the call.
  /// The element of a container that it was taken from has been given another tensor since.
  bool Overwritten = false;
  bool operator==(const PointerOrigin &O) const {
    return Site == O.Site && Kind == O.Kind && Recording == O.Recording &&
           Overwritten == O.Overwritten && (Tensor == O.Tensor || *Tensor == *O.Tensor);
  }
};

struct OptionsFacts {
  FactId Device = FactTable::Host;
  bool HasDevice = false; ///< The options name a device (or were taken from a tensor).
  ElementTypes Types = 0; ///< 0: no dtype given.
  FactId Grad = FactTable::Host;
  bool Pinned = false; ///< Page-locked host memory was asked for.
  bool operator==(const OptionsFacts &O) const {
    return Device == O.Device && HasDevice == O.HasDevice && Types == O.Types && Grad == O.Grad &&
           Pinned == O.Pinned;
  }
};

/// A condition as far as guards are concerned. Immutable trees, shared.
struct Condition {
  enum Kind : uint8_t {
    True,
    False,
    Not,
    And,
    Or,
    OnHost,
    OnAccelerator,
    NeedsGrad,
    HasType,      ///< The element type of Of is one of Types.
    IsContiguous, ///< Of is.
    HasSize,      ///< Dimension Dim of Of has Size elements.
    Opaque,
  };
  Kind Op = True;
  FactId Fact = 0;           ///< OnHost, OnAccelerator, NeedsGrad
  const void *Key = nullptr; ///< Opaque: the declaration or location it is a test of
  const Condition *L = nullptr;
  const Condition *R = nullptr;
  const TensorFacts *Of = nullptr; ///< HasType, IsContiguous, HasSize
  ElementTypes Types = 0;
  int64_t Dim = 0; ///< AllElements, Rank: `numel()`, `dim()`
  int64_t Size = 0;
  static constexpr int64_t AllElements = INT64_MIN;
  static constexpr int64_t Rank = INT64_MIN + 1;
};

struct Value;

/// One step of a location's path below its root; also names the parts of an aggregate.
struct PathStep {
  enum Kind : uint8_t { Variable, This, Temporary, Field, Index, Element, Pointee, Instance };
  Kind Op = Variable;
  const void *Key = nullptr;
  int64_t Number = 0;
  bool operator<(const PathStep &O) const {
    return std::tie(Op, Key, Number) < std::tie(O.Op, O.Key, O.Number);
  }
  bool operator==(const PathStep &O) const {
    return Op == O.Op && Key == O.Key && Number == O.Number;
  }
};

/// Some element of a container; what a pointer or optional has.
constexpr PathStep ElementStep{PathStep::Element, nullptr, 0};
constexpr PathStep PointeeStep{PathStep::Pointee, nullptr, 0};

struct Value {
  enum class Kind : uint8_t {
    Unknown,
    Undefined, ///< A default-constructed tensor: holds nothing yet.
    Tensor,
    Pointer,
    DataLvalue, ///< `p[i]`: an lvalue in tensor memory; reading or writing it is the use.
    Device,
    Options,
    ElementType,
    Condition,
    Integer,
    Reference, ///< One of some locations; as a glvalue the thing, as a prvalue the pointer to it.
    Lambda,
    Module,
    Aggregate,
    GradScope, ///< A NoGradGuard and the like: what recording was before it.
    Extent,    ///< `t.size(i)`, `t.numel()`, `t.dim()`: Number as Condition::Dim.
  };
  Kind K = Kind::Unknown;
  /// What a location holds before anything is stored: the same on every path.
  bool Initial = false;
  TensorFacts Tensor;                                    // Tensor, Extent, ElementType (OfTensor);
                                                         // Device, Grad: Module
  bool OfTensor = false;                                 // ElementType: that of `Tensor`
  llvm::SmallVector<PointerOrigin, 1> Origins;           // Pointer, DataLvalue
  clang::QualType CastFrom;                              // Pointer: type before the first cast
  bool Moved = false;                                    // Pointer: maybe not the first element
  FactId Fact = FactTable::Host;                         // Device
  OptionsFacts Options;                                  // Options
  ElementTypes Types = 0;                                // ElementType
  const Condition *Cond = nullptr;                       // Condition
  int64_t Number = 0;                                    // Integer; GradScope: mode before
  llvm::SmallVector<LocationId, 1> Locations;            // Reference
  const clang::LambdaExpr *Lambda = nullptr;             // Lambda
  std::vector<std::pair<PathStep, const Value *>> Parts; // Aggregate; Lambda: its copies
};

bool equal(const Condition *A, const Condition *B);
bool equal(const Value *A, const Value *B);

/// Owns values, tensor facts and conditions for as long as the analysis of one root function.
class ValueArena {
public:
  Value *make(Value::Kind K) {
    Values.emplace_back();
    Values.back().K = K;
    return &Values.back();
  }
  Value *copy(const Value &V) {
    Values.push_back(V);
    return &Values.back();
  }
  const TensorFacts *tensor(TensorFacts T) {
    Tensors.push_back(std::move(T));
    return &Tensors.back();
  }
  const Condition *condition(Condition C) {
    Conditions.push_back(C);
    return &Conditions.back();
  }
  size_t size() const { return Values.size(); }
  void clear() {
    Values.clear();
    Tensors.clear();
    Conditions.clear();
  }

private:
  std::deque<Value> Values;
  std::deque<TensorFacts> Tensors;
  std::deque<Condition> Conditions;
};

/// Interns locations: a root (variable, `this`, temporary) and steps below it.
class LocationTable {
public:
  struct Entry {
    LocationId Parent;
    PathStep Step;
    bool Summary; ///< Stands for many elements: writes are weak, it holds all it ever held.
    llvm::SmallVector<LocationId, 2> Children;
  };
  static constexpr LocationId None = 0;

  LocationTable() { Entries.push_back({None, {}, false, {}}); }
  LocationId root(PathStep Step) { return child(None, Step); }
  LocationId variable(const clang::ValueDecl *D) {
    return root({PathStep::Variable, D->getCanonicalDecl(), 0});
  }
  LocationId child(LocationId Parent, PathStep Step);
  const Entry &operator[](LocationId Id) const { return Entries[Id]; }
  size_t size() const { return Entries.size(); }
  /// The location \p Step below \p Parent, or None where nobody has named it.
  LocationId find(LocationId Parent, PathStep Step) const {
    auto It = Ids.find({Parent, Step});
    return It == Ids.end() ? None : It->second;
  }
  LocationId rootOf(LocationId Id) const {
    while (Entries[Id].Parent != None)
      Id = Entries[Id].Parent;
    return Id;
  }
  /// The variable at the root of \p Id, or null.
  const clang::ValueDecl *rootVariable(LocationId Id) const;

private:
  std::deque<Entry> Entries;
  std::map<std::pair<LocationId, PathStep>, LocationId> Ids;
};

/// Where a storage or TensorImpl came from.
struct Object {
  const void *Key = nullptr;
  clang::SourceLocation Loc;
  bool External = false; ///< Somebody outside the function holds it, whatever happens here.
};

class ObjectTable {
public:
  ObjectTable() { Objects.push_back({}); }
  ObjectId get(const void *Key, unsigned Variant, clang::SourceLocation Loc, bool External);
  ObjectId older(ObjectId Id);
  const Object &operator[](ObjectId Id) const { return Objects[Id]; }

private:
  std::deque<Object> Objects;
  std::map<std::pair<const void *, unsigned>, ObjectId> ByKey;
  std::map<ObjectId, ObjectId> Older;
};

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_VALUES_H
