//===--- OperatorModel.cpp - the operator table and its lookup ------------===//

#include "OperatorModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <iterator>

namespace torch_tidy::model {
namespace {

// Operators.inc lists the names once and the operators once; each pass below takes from it what it
// needs. Everything is folded by the compiler into four arrays and one string.

enum NameId : std::uint16_t {
#define NAME(Name) N_##Name,
#include "Operators.inc"
  NumNames
};

constexpr char NamePool[] =
#define NAME(Name) #Name "\0"
#include "Operators.inc"
    ;
static_assert(sizeof(NamePool) < 65536, "name offsets are 16 bits wide");

constexpr std::array<std::uint16_t, NumNames + 1> findNameOffsets() {
  std::array<std::uint16_t, NumNames + 1> Offsets{};
  unsigned Index = 0;
  for (unsigned I = 0; I + 1 < sizeof(NamePool); ++I)
    if (NamePool[I] == '\0')
      Offsets[++Index] = static_cast<std::uint16_t>(I + 1);
  return Offsets;
}
constexpr auto NameOffsets = findNameOffsets();

#define UNWRAP(...) __VA_ARGS__

constexpr ArgInfo Args[] = {
#define ARG(Name, Kind, Flags) {N_##Name, ArgKind::Kind, Flags},
#define OP(Name, Overload, Flags, ArgList, OutputList) UNWRAP ArgList
#include "Operators.inc"
};
#undef ARG

constexpr OutputInfo Outputs[] = {
#define OUT(Storage, StorageArg, Dtype, DtypeArg, Device, DeviceArg, Layout, Shape, TypeArg,       \
            Differentiable, IsList)                                                                \
  {StorageRule::Storage,                                                                           \
   DtypeRule::Dtype,                                                                               \
   DeviceRule::Device,                                                                             \
   LayoutRule::Layout,                                                                             \
   ShapeRule::Shape,                                                                               \
   Differentiable,                                                                                 \
   IsList,                                                                                         \
   StorageArg,                                                                                     \
   TypeArg,                                                                                        \
   DtypeArg,                                                                                       \
   DeviceArg},
#define OP(Name, Overload, Flags, ArgList, OutputList) UNWRAP OutputList
#include "Operators.inc"
};
#undef OUT

// The lines carry no positions, so that a new operator changes one line; here they are summed up.
constexpr OperatorInfo CountedOperators[] = {
#define ARG(Name, Kind, Flags) +1
#define OUT(...) +1
#define OP(Name, Overload, Flags, ArgList, OutputList)                                             \
  {N_##Name, N_##Overload, 0, 0, 0 UNWRAP ArgList, 0 UNWRAP OutputList, Flags},
#include "Operators.inc"
};
#undef ARG
#undef OUT
#undef UNWRAP

static_assert(std::size(Args) < 65536 && std::size(Outputs) < 65536, "positions are 16 bits wide");

constexpr auto placeOperators() {
  std::array<OperatorInfo, std::size(CountedOperators)> Placed{};
  std::uint16_t Arg = 0, Output = 0;
  for (unsigned I = 0; I < Placed.size(); ++I) {
    OperatorInfo Op = CountedOperators[I];
    Op.FirstArg = Arg;
    Op.FirstOutput = Output;
    Arg = static_cast<std::uint16_t>(Arg + Op.NumArgs);
    Output = static_cast<std::uint16_t>(Output + Op.NumOutputs);
    Placed[I] = Op;
  }
  return Placed;
}
constexpr auto Operators = placeOperators();

llvm::StringRef nameAt(unsigned Index) {
  unsigned Begin = NameOffsets[Index];
  return {NamePool + Begin, NameOffsets[Index + 1] - Begin - 1u};
}

/// The operators that at::Tensor overloads, and `[]`, which is select(0, i).
struct Spelling {
  char Cxx[4];
  char Aten[16];
};
constexpr Spelling Spellings[] = {
    {"+", "add"},           {"-", "sub"},
    {"*", "mul"},           {"/", "div"},
    {"%", "remainder"},     {"&", "bitwise_and"},
    {"|", "bitwise_or"},    {"^", "bitwise_xor"},
    {"~", "bitwise_not"},   {"<", "lt"},
    {"<=", "le"},           {">", "gt"},
    {">=", "ge"},           {"==", "eq"},
    {"!=", "ne"},           {"+=", "add_"},
    {"-=", "sub_"},         {"*=", "mul_"},
    {"/=", "div_"},         {"&=", "bitwise_and_"},
    {"|=", "bitwise_or_"},  {"^=", "bitwise_xor_"},
    {"<<", "__lshift__"},   {">>", "__rshift__"},
    {"<<=", "__ilshift__"}, {">>=", "__irshift__"},
    {"[]", "select"},
};

/// The name under which the table has what C++ calls \p Name.
llvm::StringRef tableName(llvm::StringRef Name) {
  llvm::StringRef Symbol = Name;
  if (Symbol.consume_front("operator")) {
    for (const Spelling &S : Spellings)
      if (Symbol == S.Cxx)
        return S.Aten;
    return Name;
  }
  if (Name.size() > 5 && Name.substr(Name.size() - 5) == "_outf")
    return Name.drop_back();
  return Name;
}

/// The arguments that a TensorOptions parameter carries.
bool isOptionsPart(llvm::StringRef Name) {
  return Name == "dtype" || Name == "layout" || Name == "device" || Name == "pin_memory";
}

/// How well the type of a parameter fits an argument. Where it is not known, dimension names, which
/// hardly anybody uses, give way to numbers, and numbers to tensors.
int rateKind(ArgKind Param, ArgKind Arg) {
  if (Param != ArgKind::Other)
    return Param == Arg ? 2 : -6;
  if (Arg == ArgKind::Dimname || Arg == ArgKind::DimnameList)
    return -1;
  return Arg == ArgKind::Tensor ? 1 : 0;
}

/// How well the parameters of a declaration fit \p Op; higher is better. A parameter that the
/// overload does not know, or knows with another type, weighs more than an argument that the
/// declaration lacks and that callers may leave out (an older LibTorch may not have it yet).
int rateOverload(const OperatorInfo &Op, bool IsMethod, llvm::ArrayRef<llvm::StringRef> Params,
                 llvm::ArrayRef<ArgKind> Kinds) {
  llvm::ArrayRef<ArgInfo> Args = Op.args();
  bool TakesOptions = Op.findArg("options") >= 0 && llvm::is_contained(Params, "options");
  int Score = 0;
  for (const ArgInfo &Arg : Args) {
    llvm::StringRef Name = Arg.name();
    bool Given = (IsMethod && Name == "self") || (TakesOptions && isOptionsPart(Name)) ||
                 llvm::is_contained(Params, Name);
    if (Given)
      continue;
    Score -= Arg.is(AF_HasDefault) ? 1 : 4;
    Score -= Arg.Kind == ArgKind::Dimname || Arg.Kind == ArgKind::DimnameList ? 1 : 0;
  }
  for (size_t I = 0; I < Params.size(); ++I) {
    ArgKind Kind = I < Kinds.size() ? Kinds[I] : ArgKind::Other;
    int Arg = Op.findArg(Params[I]);
    if (Arg >= 0) {
      Score += 8 + (Params[I] == "options" ? 0 : rateKind(Kind, Args[Arg].Kind));
      continue;
    }
    // `operator+(x, y)` names its operands as it likes; only their position speaks.
    size_t Position = I + (IsMethod ? 1 : 0);
    Score += Position < Args.size() ? rateKind(Kind, Args[Position].Kind) : 0;
    Score -= Params[I].empty() ? 0 : 8;
  }
  return Score;
}

} // namespace

llvm::StringRef ArgInfo::name() const { return nameAt(NameIndex); }
llvm::StringRef OperatorInfo::name() const { return nameAt(NameIndex); }
llvm::StringRef OperatorInfo::overload() const { return nameAt(OverloadIndex); }

llvm::ArrayRef<ArgInfo> OperatorInfo::args() const { return {Args + FirstArg, NumArgs}; }

llvm::ArrayRef<OutputInfo> OperatorInfo::outputs() const {
  return {Outputs + FirstOutput, NumOutputs};
}

int OperatorInfo::findArg(llvm::StringRef Name) const {
  if (Name == "options")
    return findArg("layout") < 0 ? -1 : findArg("dtype");
  llvm::ArrayRef<ArgInfo> All = args();
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I].name() == Name)
      return static_cast<int>(I);
  return -1;
}

llvm::ArrayRef<OperatorInfo> allOperators() { return {Operators.data(), Operators.size()}; }

llvm::ArrayRef<OperatorInfo> lookupOperator(llvm::StringRef Name) {
  Name = tableName(Name);
  const OperatorInfo *Begin =
      std::partition_point(Operators.data(), Operators.data() + Operators.size(),
                           [&](const OperatorInfo &Op) { return Op.name() < Name; });
  const OperatorInfo *End =
      std::partition_point(Begin, Operators.data() + Operators.size(),
                           [&](const OperatorInfo &Op) { return Op.name() == Name; });
  return {Begin, End};
}

const OperatorInfo *selectOverload(llvm::ArrayRef<OperatorInfo> Overloads, bool IsMethod,
                                   llvm::ArrayRef<llvm::StringRef> ParamNames,
                                   llvm::ArrayRef<ArgKind> ParamKinds) {
  const OperatorInfo *Best = nullptr;
  int BestScore = 0;
  for (const OperatorInfo &Op : Overloads) {
    if (!Op.is(IsMethod ? OF_Method : OF_Function))
      continue;
    int Score = rateOverload(Op, IsMethod, ParamNames, ParamKinds);
    if (!Best || Score > BestScore) {
      Best = &Op;
      BestScore = Score;
    }
  }
  return Best;
}

llvm::StringRef operatorModelVersion() {
  return
#define TORCH_VERSION(Version) Version
#include "Operators.inc"
      ;
}

} // namespace torch_tidy::model
