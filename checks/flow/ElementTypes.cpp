//===--- ElementTypes.cpp - element types of results -----------------------===//
#include "Operands.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::ArgKind;
using torch_tidy::model::DtypeRule;
using torch_tidy::model::OutputInfo;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

// Enumerators of c10::ScalarType.
enum : int {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  ComplexHalf = 8,
  ComplexFloat = 9,
  ComplexDouble = 10,
  Bool = 11,
  BFloat16 = 15,
};

namespace {

enum class Category : uint8_t { Bool, Integer, Floating, Complex, Other };

Category categoryOf(int Type) {
  if (Type == Bool)
    return Category::Bool;
  if (Type >= Byte && Type <= Long)
    return Category::Integer;
  if ((Type >= Half && Type <= Double) || Type == BFloat16)
    return Category::Floating;
  if (Type >= ComplexHalf && Type <= ComplexDouble)
    return Category::Complex;
  return Category::Other;
}

/// c10::promoteTypes for two types of one category.
int promoteAlike(int A, int B) {
  if (A == B)
    return A;
  if (A > B)
    std::swap(A, B);
  if (A == Byte && B == Char)
    return Short;
  if (A == Half && B == BFloat16)
    return Float;
  return B == BFloat16 ? A : B;
}

int complexOf(int Type) {
  return Type == Double || Type == ComplexDouble ? ComplexDouble
         : Type == Half                          ? ComplexHalf
         : categoryOf(Type) == Category::Complex ? Type
                                                 : ComplexFloat;
}

int realOf(int Type) {
  return Type == ComplexDouble  ? Double
         : Type == ComplexFloat ? Float
         : Type == ComplexHalf  ? Half
                                : Type;
}

/// One side of a promotion. Numbers count less than tensors, and tensors without dimensions less
/// than others, where the category is the same.
struct Operand {
  ElementTypes Types = 0;
  enum Rank : uint8_t { Number, Unsure, ZeroDim, Dimensioned } Weight = Unsure;
};

/// Applies \p Each to every type in the set.
template <class Function> ElementTypes mapTypes(ElementTypes Set, Function Each) {
  constexpr ElementTypes Marks = UnknownElementType | TypesFromTest;
  ElementTypes R = Set & Marks;
  for (int I = 0; I < 62; ++I)
    if (Set >> I & 1)
      R |= Each(I);
  return R;
}

ElementTypes promotePair(int A, Operand::Rank WA, int B, Operand::Rank WB, ElementTypes Default) {
  Category CA = categoryOf(A), CB = categoryOf(B);
  if (CA == Category::Other || CB == Category::Other)
    return UnknownElementType;
  if (CA == CB) {
    if (A == B)
      return elementType(A);
    if (WA == Operand::Number || WB == Operand::Number)
      return elementType(WA == Operand::Number ? B : A);
    if (WA == WB && WA != Operand::Unsure)
      return elementType(promoteAlike(A, B));
    if (WA != Operand::Unsure && WB != Operand::Unsure)
      return elementType(WA == Operand::Dimensioned ? A : B);
    return UnknownElementType;
  }
  if (CA < CB) {
    std::swap(A, B);
    std::swap(CA, CB);
    std::swap(WA, WB);
  }
  // `A` has the higher category.
  if (WA == Operand::Number && WB != Operand::Number) {
    if (CA == Category::Floating)
      return Default;
    if (CA == Category::Complex)
      return elementType(complexOf(B));
    return elementType(Long);
  }
  if (CA == Category::Complex && CB == Category::Floating)
    return elementType(B == Double ? ComplexDouble : A);
  return elementType(A);
}

Operand promote(const Operand &A, const Operand &B, ElementTypes Default) {
  Operand R;
  R.Weight = std::max(A.Weight, B.Weight);
  if (A.Weight != Operand::Number && B.Weight != Operand::Number && A.Weight != B.Weight &&
      R.Weight != Operand::Dimensioned)
    R.Weight = Operand::Unsure;
  R.Types = (A.Types | B.Types) & (UnknownElementType | TypesFromTest);
  mapTypes(A.Types, [&](int X) {
    mapTypes(B.Types, [&](int Y) {
      R.Types |= promotePair(X, A.Weight, Y, B.Weight, Default);
      return ElementTypes(0);
    });
    return ElementTypes(0);
  });
  return R;
}

/// The type of a number given as an operand; 0 where it is not known.
ElementTypes numberType(const Expr *E) {
  const Expr *Core = innermost(E);
  QualType T = Core->getType().getNonReferenceType().getCanonicalType();
  if (T->isBooleanType())
    return elementType(Bool);
  if (T->isIntegerType())
    return elementType(Long);
  if (T->isRealFloatingType())
    return elementType(Double);
  if (int Known = model::Types::scalarTypeOf(T); Known >= 0) {
    if (categoryOf(Known) == Category::Complex)
      return elementType(ComplexDouble);
    if (categoryOf(Known) == Category::Floating)
      return elementType(Double);
  }
  return 0;
}

bool isNumber(const model::ArgInfo &Arg) {
  if (Arg.Kind != ArgKind::Scalar && Arg.Kind != ArgKind::Int && Arg.Kind != ArgKind::Float)
    return false;
  return llvm::is_contained(
      llvm::ArrayRef<StringRef>{"self", "other", "exponent", "min", "max", "x", "n"}, Arg.name());
}

ElementTypes floatOf(ElementTypes Set, ElementTypes Default) {
  return mapTypes(
      Set, [&](int T) { return categoryOf(T) <= Category::Integer ? Default : elementType(T); });
}

} // namespace

/// What factories give without a dtype: float, unless the program calls `set_default_dtype`.
ElementTypes Engine::defaultTypes() {
  if (DefaultTypes)
    return DefaultTypes;
  DefaultTypes = elementType(Float);
  const DeclContext *TU = Context.getTranslationUnitDecl();
  for (StringRef Space : {"c10", "torch", "at"})
    for (const NamedDecl *N : TU->lookup(&Context.Idents.get(Space)))
      if (const auto *NS = dyn_cast<NamespaceDecl>(N))
        for (const NamedDecl *D : NS->lookup(&Context.Idents.get("set_default_dtype")))
          if (D->isReferenced())
            DefaultTypes = UnknownElementType;
  return DefaultTypes;
}

ElementTypes Engine::resultTypes(const Operands &B, unsigned Output, State &St) {
  if (!B.Op || Output >= B.Op->outputs().size())
    return B.Options.Types ? B.Options.Types : UnknownElementType;
  const OutputInfo &Out = B.Op->outputs()[Output];
  const ElementTypes Default = defaultTypes();
  if (Out.DtypeArg >= 0) {
    if (B.Options.Types)
      return B.Options.Types;
    if (const TensorFacts *Like = B.tensor(Out.DtypeArg))
      return Like->Types;
    const Expr *Given = B.ByNumber[Out.DtypeArg];
    // nullopt, and options without a dtype, leave the type to the rule.
    if (Given && Types.kind(Given->getType()) == TypeKind::ElementType)
      return UnknownElementType;
    if (Given && Types.kind(Given->getType()) == TypeKind::Options && !value(Given, St))
      return UnknownElementType;
  }
  const TensorFacts *Base = B.tensor(Out.TypeArg);
  const ElementTypes Of = Base ? Base->Types : UnknownElementType;
  auto Promoted = [&] {
    Operand All;
    bool First = true;
    auto Add = [&](Operand X) {
      All = First ? X : promote(All, X, Default);
      First = false;
    };
    llvm::ArrayRef<model::ArgInfo> Args = B.Op->args();
    for (size_t N = size_t(std::max<int>(Out.TypeArg, 0)); N < Args.size(); ++N)
      for (const TensorFacts *X : B.TensorsOf[N])
        Add({X->Types, !X->Sizes           ? Operand::Unsure
                       : X->Sizes->empty() ? Operand::ZeroDim
                                           : Operand::Dimensioned});
    for (size_t N = 0; N < Args.size(); ++N)
      if (B.ByNumber[N] && isNumber(Args[N])) {
        ElementTypes T = numberType(B.ByNumber[N]);
        // A Scalar of unknown kind leaves floats as they are.
        if (!T && !First &&
            !(All.Types & ~(TypesFromTest | elementType(Half) | elementType(Float) |
                            elementType(Double) | elementType(BFloat16))))
          continue;
        Add({T ? T : UnknownElementType, Operand::Number});
      }
    return First ? UnknownElementType : All.Types;
  };
  switch (Out.Dtype) {
  case DtypeRule::Unknown:
    // div(a, b, "floor") keeps integers, div(a, b, nullopt) does not.
    if (const Expr *Mode = B.arg("rounding_mode"); Mode && isa<StringLiteral>(innermost(Mode)))
      return Promoted();
    return UnknownElementType;
  case DtypeRule::Same:
    return Of;
  case DtypeRule::Bool:
    return elementType(Bool);
  case DtypeRule::BoolUnlessUInt8:
    return mapTypes(Of, [](int T) { return elementType(T == Byte ? Byte : Bool); });
  case DtypeRule::UInt8:
    return elementType(Byte);
  case DtypeRule::Int32:
    return elementType(Int);
  case DtypeRule::Int64:
    return elementType(Long);
  case DtypeRule::Int64OrInt32:
    return B.arg("out_int32") ? elementType(Long) | elementType(Int) | UnknownElementType
                              : elementType(Long);
  case DtypeRule::Float32:
    return elementType(Float);
  case DtypeRule::Float64:
    return elementType(Double);
  case DtypeRule::Promoted:
    return Promoted();
  case DtypeRule::FloatPromoted:
    return floatOf(Promoted(), Default);
  case DtypeRule::SumPromoted:
    return mapTypes(
        Of, [](int T) { return elementType(categoryOf(T) <= Category::Integer ? int(Long) : T); });
  case DtypeRule::FloatFromInt:
    return floatOf(Of, Default);
  case DtypeRule::RealOf:
    return mapTypes(Of, [](int T) { return elementType(realOf(T)); });
  case DtypeRule::RealFloatOf:
    return floatOf(mapTypes(Of, [](int T) { return elementType(realOf(T)); }), Default);
  case DtypeRule::ComplexOf:
    return mapTypes(Of, [](int T) { return elementType(complexOf(T)); });
  case DtypeRule::Default:
    return Default;
  case DtypeRule::FromScalars: {
    ElementTypes All = 0;
    for (size_t N = 0; N < B.ByNumber.size(); ++N)
      if (B.ByNumber[N] && B.Op->args()[N].Kind == ArgKind::Scalar) {
        ElementTypes T = numberType(B.ByNumber[N]);
        All |= T ? T : UnknownElementType;
      }
    if (!All || All & UnknownElementType)
      return UnknownElementType;
    if (All & elementType(ComplexDouble))
      return elementType(ComplexFloat);
    if (All & elementType(Double))
      return Default;
    return All == elementType(Bool) ? All : elementType(Long);
  }
  case DtypeRule::Int64IfNoOptions:
    return B.HasOptions ? Default : elementType(Long);
  }
  return UnknownElementType;
}

//===----------------------------------------------------------------------===//
// torch::tensor
//===----------------------------------------------------------------------===//

/// The type of the first number in (nested) braces, and the sizes of the braces.
static QualType dataType(const Expr *E, std::vector<int64_t> &Sizes, bool &SizesKnown) {
  for (unsigned I = 0; I < 60; ++I) {
    E = strip(E);
    if (const auto *L = dyn_cast<InitListExpr>(E)) {
      Sizes.push_back(L->getNumInits());
      if (!L->getNumInits())
        return {};
      E = L->getInit(0);
      continue;
    }
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (C && C->getNumArgs() >= 1) {
      const auto *R = C->getType()->getAsCXXRecordDecl();
      if (R && R->getName() == "TensorDataContainer") {
        E = C->getArg(0);
        continue;
      }
      if (R && R->getName() != "vector" && R->getName() != "ArrayRef" && R->getName() != "array" &&
          C->getNumArgs() == 1 && model::Types::scalarTypeOf(C->getType()) < 0) {
        E = C->getArg(0);
        continue;
      }
    }
    break;
  }
  QualType T = E->getType().getNonReferenceType();
  if (model::Types::scalarTypeOf(T) >= 0)
    return T;
  // A vector, an ArrayRef: one more dimension of unknown size.
  QualType Element = model::Types::elementOf(T);
  if (model::Types::scalarTypeOf(Element) >= 0) {
    Sizes.push_back(-1);
    return Element;
  }
  SizesKnown = false;
  return {};
}

const Value *Engine::dataTensor(const Expr *Call, llvm::ArrayRef<const Expr *> Args, State &St) {
  OptionsFacts O;
  optionsFrom(Args.drop_front(), St, O);
  TensorFacts R;
  R.Device = O.Device;
  R.Grad = O.Grad;
  R.Order = LayoutContiguous;
  R.Storages = fresh(Call, 0, St);
  R.Impls = fresh(Call, 1, St);
  R.TypeFrom = Call;
  std::vector<int64_t> Sizes;
  bool SizesKnown = true;
  const int Type = model::Types::scalarTypeOf(dataType(Args[0], Sizes, SizesKnown));
  if (SizesKnown)
    R.Sizes = std::make_shared<const std::vector<int64_t>>(std::move(Sizes));
  R.OneElement = countOf(R.Sizes) == 1;
  if (O.Types)
    R.Types = O.Types;
  else if (Type == Int || Type == Long)
    R.Types = elementType(Long);
  else if (Type == Float || Type == Double)
    R.Types = defaultTypes();
  else if (Type >= 0)
    R.Types = elementType(Type);
  return tensorValue(std::move(R));
}

} // namespace torch_tidy::flow
