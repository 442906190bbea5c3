//===--- Recipes.cpp - small arguments to call operators with ------------===//

#include "Recipes.h"
#include <ATen/ATen.h>
#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace torch_tidy::opmodel_test {
namespace {

using c10::IValue;
using c10::TypeKind;

std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> Parts;
  std::stringstream Stream(Text);
  for (std::string Part; std::getline(Stream, Part, Separator);)
    Parts.push_back(Part);
  return Parts;
}

template <typename T> std::vector<T> parseNumbers(std::string Text) {
  Text.erase(std::remove_if(Text.begin(), Text.end(), [](char C) { return C == '[' || C == ']'; }),
             Text.end());
  std::vector<T> Numbers;
  for (const std::string &Part : split(Text, ','))
    Numbers.push_back(static_cast<T>(std::stod(Part)));
  return Numbers;
}

/// Values that most operators take: in [0, 1], symmetric and well conditioned as a matrix; as
/// integers 1 and 2, never 0, so that they divide.
at::Tensor makeValues(at::IntArrayRef Sizes, at::ScalarType Dtype) {
  at::Tensor Values = at::full(Sizes, 0.1, at::kDouble);
  bool Whole = at::isIntegralType(Dtype, /*includeBool=*/true);
  if (Whole)
    Values.fill_(1);
  if (Sizes.size() >= 2 && Values.numel() > 0)
    Values.diagonal(0, -2, -1).fill_(Whole ? 2 : 0.9);
  else if (Sizes.size() == 1)
    Values = at::arange(1, Sizes[0] + 1, at::kDouble) / (Whole ? 1. : Sizes[0] + 1.);
  return Values.to(Dtype);
}

/// Indices and class numbers: 0, 1, 0, 1, ... As a mask: false, true, ...
at::Tensor makeIndices(at::IntArrayRef Sizes, at::ScalarType Dtype) {
  int64_t Count = std::accumulate(Sizes.begin(), Sizes.end(), int64_t(1), std::multiplies<>());
  return at::arange(Count, at::kLong).remainder(2).view(Sizes).to(Dtype);
}

/// The same values, lying in memory as asked for.
at::Tensor place(const at::Tensor &Values, Placement Layout) {
  if (Layout == Placement::Permuted && Values.dim() >= 2) {
    std::vector<int64_t> Reversed(Values.dim());
    std::iota(Reversed.rbegin(), Reversed.rend(), 0);
    return Values.permute(Reversed).contiguous().permute(Reversed);
  }
  if (Layout == Placement::Gaps && Values.dim() >= 1) {
    at::Tensor Wide = at::stack({Values, Values}, -1);
    return Wide.select(-1, 0);
  }
  return Values;
}

/// Makes the tensors of one call: counts them, so that the second gets SecondDtype.
class TensorMaker {
public:
  explicit TensorMaker(const Variation &How) : How(How) {}

  at::Tensor make(const std::string &Text) {
    auto Colon = Text.find(':');
    if (Colon == std::string::npos)
      throw std::runtime_error("no tensor: " + Text);
    std::vector<int64_t> Sizes = parseNumbers<int64_t>(Text.substr(Colon + 1));
    std::string Type = Text.substr(0, Colon);
    at::Tensor Made = Type == "x"   ? place(makeValues(Sizes, nextDtype()), How.Layout)
                      : Type == "f" ? makeValues(Sizes, at::kFloat)
                      : Type == "c" ? makeValues(Sizes, at::kComplexFloat)
                      : Type == "n" ? makeValues(Sizes, at::kLong)
                      : Type == "i" ? makeIndices(Sizes, at::kLong)
                      : Type == "I" ? makeIndices(Sizes, at::kInt)
                      : Type == "b" ? makeIndices(Sizes, at::kBool)
                      : Type == "u" ? makeIndices(Sizes, at::kByte)
                                    : throw std::runtime_error("no tensor: " + Text);
    if (How.OnMeta)
      return at::empty_strided(Made.sizes(), Made.strides(), Made.options().device(at::kMeta));
    if (How.RequiresGrad && (Made.is_floating_point() || Made.is_complex())) {
      // Not a leaf, so that in-place operators may write it.
      at::Tensor Leaf = Made.detach().requires_grad_();
      return Leaf.view_as(Leaf).clone();
    }
    return Made;
  }

private:
  at::ScalarType nextDtype() { return Made++ == 0 ? How.Dtype : How.SecondDtype; }

  const Variation &How;
  int Made = 0;
};

at::ScalarType dtypeFor(const Variation &How) {
  return How.Dtype == at::kDouble ? at::kFloat : at::kDouble;
}

IValue makeList(const c10::ListType &Type, const std::string &Text, TensorMaker &Tensors) {
  const c10::Type &Element = *Type.getElementType();
  switch (Element.kind()) {
  case TypeKind::IntType:
    return IValue(parseNumbers<int64_t>(Text));
  case TypeKind::FloatType:
    return IValue(parseNumbers<double>(Text));
  case TypeKind::BoolType: {
    c10::List<bool> Bools;
    for (int Number : parseNumbers<int>(Text))
      Bools.push_back(Number != 0);
    return Bools;
  }
  case TypeKind::NumberType: {
    c10::List<at::Scalar> Numbers;
    for (double Number : parseNumbers<double>(Text))
      Numbers.push_back(Number);
    return Numbers;
  }
  case TypeKind::TensorType: {
    c10::List<at::Tensor> List;
    for (const std::string &Part : split(Text, ';'))
      List.push_back(Tensors.make(Part));
    return List;
  }
  case TypeKind::OptionalType: {
    c10::List<c10::optional<at::Tensor>> List;
    for (const std::string &Part : split(Text, ';'))
      List.push_back(Part == "none" ? c10::optional<at::Tensor>() : Tensors.make(Part));
    return List;
  }
  default:
    throw std::runtime_error("no list of " + Element.str());
  }
}

/// `int[2]` given one number means that number twice, as in a call from C++.
IValue repeatTo(const c10::optional<int32_t> &Count, IValue List) {
  if (!Count || !List.isIntList() || List.toIntVector().size() != 1)
    return List;
  return IValue(std::vector<int64_t>(*Count, List.toIntVector()[0]));
}

IValue makeNumber(const std::string &Text) {
  if (Text == "true" || Text == "false")
    return IValue(Text == "true");
  if (Text.find_first_of(".e") != std::string::npos)
    return IValue(std::stod(Text));
  return IValue(int64_t(std::stoll(Text)));
}

IValue makeValue(const c10::Argument &Arg, const c10::Type &Type, const std::string &Text,
                 TensorMaker &Tensors, const Variation &How) {
  // ScalarType, Layout, Device, MemoryFormat are integers in a boxed call of some versions; the
  // names tell them apart.
  if (Arg.name() == "device")
    return IValue(at::Device(How.OnMeta ? at::kMeta : at::kCPU));
  switch (Type.kind()) {
  case TypeKind::TensorType:
    return Tensors.make(Text);
  case TypeKind::ListType:
    return repeatTo(Arg.N(), makeList(static_cast<const c10::ListType &>(Type), Text, Tensors));
  case TypeKind::StringType:
    return IValue(Text);
  case TypeKind::BoolType:
    return IValue(Text == "true" || Text == "1");
  case TypeKind::FloatType:
    return IValue(std::stod(Text));
  case TypeKind::IntType:
  case TypeKind::NumberType:
    return makeNumber(Text);
  default:
    throw std::runtime_error("no value of type " + Type.str());
  }
}

/// Whether a text can mean a value of the type: a general recipe goes by the name of a parameter,
/// and `p` may be a number here and a tensor there.
bool fits(const c10::Type &Type, const std::string &Text) {
  bool IsTensor = Text.find(':') != std::string::npos;
  bool IsNumber = Text.find_first_not_of("0123456789.,-") == std::string::npos;
  switch (Type.kind()) {
  case TypeKind::TensorType:
    return IsTensor;
  case TypeKind::ListType: {
    TypeKind Element = static_cast<const c10::ListType &>(Type).getElementType()->kind();
    bool OfTensors = Element == TypeKind::TensorType || Element == TypeKind::OptionalType;
    return OfTensors ? IsTensor : IsNumber;
  }
  case TypeKind::StringType:
    return !IsTensor && !IsNumber;
  case TypeKind::IntType:
    return IsNumber && Text.find_first_of(".,") == std::string::npos;
  case TypeKind::FloatType:
    return IsNumber && !Text.empty() && Text.find(',') == std::string::npos;
  case TypeKind::NumberType:
    return Text == "true" || Text == "false" || (IsNumber && Text.find(',') == std::string::npos);
  default:
    return true;
  }
}

/// What to write for a parameter without a recipe of its own, by its type; empty if nothing.
std::string textForType(const c10::Type &Type, const c10::optional<int32_t> &Count) {
  switch (Type.kind()) {
  case TypeKind::TensorType:
    return "x:@";
  case TypeKind::BoolType:
    return "false";
  case TypeKind::IntType:
  case TypeKind::NumberType:
    return "1";
  case TypeKind::FloatType:
    return "0.5";
  case TypeKind::StringType:
    return "none";
  case TypeKind::ListType: {
    const c10::Type &Element = *static_cast<const c10::ListType &>(Type).getElementType();
    if (Element.kind() == TypeKind::TensorType)
      return "x:@;x:@";
    if (Element.kind() == TypeKind::OptionalType)
      return "i:2";
    std::string Text = "1";
    for (int I = 1; I < Count.value_or(1); ++I)
      Text += ",1";
    return Text;
  }
  default:
    return "";
  }
}

bool isOut(const c10::Argument &Arg) {
  return Arg.kwarg_only() && Arg.alias_info() && Arg.alias_info()->isWrite();
}

/// The element types that `out` tensors may need: one recipe for each guess.
std::vector<Recipe> withOutTypes(const Recipe &Names, bool HasOut) {
  if (!HasOut || Names.count("out0"))
    return {Names};
  std::vector<Recipe> Typed;
  for (auto [First, Further] : {std::pair("x", "x"),
                                {"x", "i"},
                                {"i", "i"},
                                {"b", "b"},
                                {"c", "c"},
                                {"f", "f"},
                                {"x", "I"}}) {
    Typed.push_back(Names);
    Typed.back()["out0"] = First;
    for (const char *Out : {"out1", "out2", "out3", "out4"})
      Typed.back()[Out] = Further;
  }
  return Typed;
}

} // namespace

RecipeBook::RecipeBook(const std::string &Path) {
  std::ifstream File(Path);
  if (!File)
    throw std::runtime_error("cannot read " + Path);
  for (std::string Line; std::getline(File, Line);) {
    Line = Line.substr(0, Line.find('#'));
    std::stringstream Words(Line);
    std::string Operator;
    if (!(Words >> Operator))
      continue;
    Recipe Names;
    for (std::string Word; Words >> Word;) {
      auto Equals = Word.find('=');
      if (Equals == std::string::npos)
        throw std::runtime_error(Path + ": no `=` in: " + Line);
      Names[Word.substr(0, Equals)] = Word.substr(Equals + 1);
    }
    if (Operator == "*")
      General.insert(Names.begin(), Names.end());
    else
      Own[Operator].push_back(Names);
  }
}

std::vector<std::vector<Recipe>> RecipeBook::recipesFor(const c10::FunctionSchema &Schema) const {
  bool HasOut = std::any_of(Schema.arguments().begin(), Schema.arguments().end(), isOut);
  std::string Name = Schema.name().substr(std::string("aten::").size());
  std::string Base = Name;
  if (Base.size() > 1 && Base.back() == '_' && Base[Base.size() - 2] != '_')
    Base.pop_back();
  std::vector<std::string> Keys = {Name + "." + Schema.overload_name(), Name};
  if (Base != Name)
    Keys.insert(Keys.end(), {Base + "." + Schema.overload_name(), Base});
  std::vector<std::vector<Recipe>> Groups;
  for (const std::string &Key : Keys) {
    auto Found = Own.find(Key);
    if (Found == Own.end())
      continue;
    for (Recipe Names : Found->second) {
      Names.insert(General.begin(), General.end());
      Names.insert({"@", "3,3"});
      Groups.push_back(withOutTypes(Names, HasOut));
    }
    return Groups;
  }
  Groups.emplace_back();
  for (const char *Sizes : {"3,3", "4", "2,3,3", "2,2,2,2", "2,2,2,2,2", ""}) {
    Recipe Names = General;
    Names["@"] = Sizes;
    std::vector<Recipe> Typed = withOutTypes(Names, HasOut);
    Groups.back().insert(Groups.back().end(), Typed.begin(), Typed.end());
  }
  return Groups;
}

std::vector<IValue> makeArguments(const c10::FunctionSchema &Schema, const Recipe &Names,
                                  const Variation &How) {
  TensorMaker Tensors(How);
  std::vector<IValue> Args;
  int OutNumber = 0;
  for (const c10::Argument &Arg : Schema.arguments()) {
    const c10::Type *Type = Arg.type().get();
    bool Optional = Type->kind() == TypeKind::OptionalType;
    if (Optional)
      Type = static_cast<const c10::OptionalType *>(Type)->getElementType().get();
    auto Named = Names.find(Arg.name());
    bool LeaveOut = Named != Names.end() && Named->second == "none";
    bool IsDtype = Arg.name() == "dtype";

    if (isOut(Arg)) {
      auto Given = Names.find("out" + std::to_string(OutNumber++));
      Args.push_back(Tensors.make((Given == Names.end() ? "x" : Given->second) + ":0").detach());
    } else if (LeaveOut && (Optional || Arg.default_value())) {
      Args.push_back(Optional ? IValue() : *Arg.default_value());
    } else if (IsDtype && (!Optional || How.GiveDtype)) {
      Args.push_back(IValue(static_cast<int64_t>(dtypeFor(How))));
    } else if (Named != Names.end() && !IsDtype && fits(*Type, Named->second)) {
      std::string Text = Named->second;
      for (auto At = Text.find('@'); At != std::string::npos; At = Text.find('@'))
        Text.replace(At, 1, Names.at("@"));
      Args.push_back(makeValue(Arg, *Type, Text, Tensors, How));
    } else if (Arg.default_value()) {
      Args.push_back(*Arg.default_value());
    } else if (Optional) {
      Args.push_back(IValue());
    } else {
      std::string Text = textForType(*Type, Arg.N());
      for (auto At = Text.find('@'); At != std::string::npos; At = Text.find('@'))
        Text.replace(At, 1, Names.at("@"));
      Args.push_back(makeValue(Arg, *Type, Text, Tensors, How));
    }
  }
  return Args;
}

} // namespace torch_tidy::opmodel_test
