//===--- OperatorModelTest.cpp - runs LibTorch's operators against the table ------===//
//
// Calls every operator of the table that this LibTorch has, with small arguments and in many
// variations, through the dispatcher on the CPU (and on the meta device, which shows what becomes
// of a device), and compares the results with what the table says. Every operator runs in a process
// of its own, so that one which crashes or changes global state harms no other.
//
//   torch_tidy_opmodel_test ARGUMENTS EXCEPTIONS [--verbose] [--only NAME[.OVERLOAD]]
//
// Fails on a mismatch that EXCEPTIONS does not list, on a listed one for this version that does not
// happen, and if fewer than 500 operators ran.
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <algorithm>
#include <c10/util/Logging.h>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <torch/version.h>
#include <unistd.h>

namespace {

using namespace torch_tidy;
using namespace torch_tidy::opmodel_test;

constexpr unsigned MinExecuted = 500;
constexpr unsigned SecondsForOne = 60;

Variation dtypes(const char *Name, at::ScalarType First, at::ScalarType Second) {
  Variation How{Name};
  How.Dtype = First;
  How.SecondDtype = Second;
  return How;
}

std::vector<Variation> variations() {
  std::vector<Variation> All = {
      dtypes("float", at::kFloat, at::kFloat),
      dtypes("int64", at::kLong, at::kLong),
      dtypes("bool", at::kBool, at::kBool),
      dtypes("complex", at::kComplexFloat, at::kComplexFloat),
      dtypes("double", at::kDouble, at::kDouble),
      dtypes("bfloat16", at::kBFloat16, at::kBFloat16),
      dtypes("int32", at::kInt, at::kInt),
      dtypes("uint8", at::kByte, at::kByte),
      dtypes("complex-double", at::kComplexDouble, at::kComplexDouble),
      dtypes("float+double", at::kFloat, at::kDouble),
      dtypes("int64+float", at::kLong, at::kFloat),
      dtypes("int32+int64", at::kInt, at::kLong),
  };
  Variation Permuted{"permuted"}, Gaps{"gaps"}, Grad{"grad"}, Meta{"meta"}, Given{"dtype-given"};
  Permuted.Layout = Placement::Permuted;
  Gaps.Layout = Placement::Gaps;
  Grad.RequiresGrad = true;
  Meta.OnMeta = true;
  Given.GiveDtype = true;
  Variation GivenInt = Given;
  GivenInt.Name = "int64-dtype-given";
  GivenInt.Dtype = GivenInt.SecondDtype = at::kLong;
  All.insert(All.end(), {Permuted, Gaps, Grad, Meta, Given, GivenInt});
  return All;
}

/// The first variations are the ones by which it is found out whether a recipe works.
constexpr size_t NumTrials = 4;

/// What one operator's runs gave; also the text that its process writes to the parent.
struct Outcome {
  unsigned Calls = 0, Facts = 0;
  bool Compared = false; ///< whether a result was, not the lookup alone
  std::vector<std::string> Mismatches;
  std::string Reason; ///< why it never ran
};

std::string schemaName(const model::OperatorInfo &Op) {
  std::string Name = Op.name().str();
  for (const model::ArgInfo &Arg : Op.args())
    if (Arg.is(model::AF_Out))
      return Name.substr(0, Name.size() - std::string("_out").size());
  return Name;
}

std::string fullName(const model::OperatorInfo &Op) {
  return schemaName(Op) + (Op.overload().empty() ? "" : ".") + Op.overload().str();
}

/// The members of at::Tensor that are no operators of the dispatcher.
bool callMember(const std::string &Name, const at::Tensor &Self,
                std::vector<c10::IValue> &Results) {
  if (Name == "cpu")
    Results = {Self.cpu()};
  else if (Name == "toType")
    Results = {Self.toType(at::kDouble)};
  else if (Name == "variable_data")
    Results = {Self.variable_data()};
  else if (Name == "tensor_data")
    Results = {Self.tensor_data()};
  else
    return false;
  return true;
}

/// The parameters of the C++ function or method that this LibTorch's headers declare for a schema.
struct Declaration {
  std::vector<std::string> Names;
  std::vector<model::ArgKind> Kinds;

  Declaration(const model::OperatorInfo &Op, const c10::FunctionSchema &Schema, bool IsMethod) {
    const std::vector<c10::Argument> &Args = Schema.arguments();
    bool HasLayout = std::any_of(Args.begin(), Args.end(),
                                 [](const c10::Argument &Arg) { return Arg.name() == "layout"; });
    for (const c10::Argument &Arg : Args) {
      const std::string &Name = Arg.name();
      if (IsMethod && Name == "self")
        continue;
      if (HasLayout && (Name == "layout" || Name == "device" || Name == "pin_memory"))
        continue;
      int Index = Op.findArg(Name);
      Names.push_back(HasLayout && Name == "dtype" ? "options" : Name);
      Kinds.push_back(Index < 0 ? model::ArgKind::Other : Op.args()[Index].Kind);
    }
  }
};

/// Checks that the lookup finds the overload from what a header says. Overloads may be told apart
/// by nothing but a kind that the model does not know; then their results have to agree.
void compareLookup(const model::OperatorInfo &Op, const c10::FunctionSchema &Schema,
                   Outcome &Result) {
  for (bool IsMethod : {false, true}) {
    if (!Op.is(IsMethod ? model::OF_Method : model::OF_Function))
      continue;
    Declaration Declared(Op, Schema, IsMethod);
    std::vector<llvm::StringRef> Names(Declared.Names.begin(), Declared.Names.end());
    const model::OperatorInfo *Selected =
        model::selectOverload(model::lookupOperator(Op.name()), IsMethod, Names, Declared.Kinds);
    ++Result.Facts;
    if (Selected != &Op)
      Result.Mismatches.push_back("lookup: gives " + Selected->overload().str() +
                                  (IsMethod ? " [method]" : " [function]"));
  }
}

class OperatorRun {
public:
  OperatorRun(const model::OperatorInfo &Op, const c10::OperatorHandle &Handle)
      : Op(Op), Handle(Handle) {}

  Outcome run(const RecipeBook &Book) {
    std::vector<Variation> All = variations();
    for (const std::vector<Recipe> &Group : Book.recipesFor(Handle.schema()))
      if (const Recipe *Works = findWorking(Group, All))
        for (const Variation &How : All)
          attempt(*Works, How, /*Compare=*/true);
    if (Result.Calls > 0)
      Result.Reason.clear();
    compareLookup(Op, Handle.schema(), Result);
    return Result;
  }

private:
  const Recipe *findWorking(const std::vector<Recipe> &Group, const std::vector<Variation> &All) {
    for (size_t I = 0; I < NumTrials; ++I)
      for (const Recipe &Names : Group)
        if (attempt(Names, All[I], /*Compare=*/false))
          return &Names;
    return nullptr;
  }

  bool attempt(const Recipe &Names, const Variation &How, bool Compare) {
    try {
      at::manual_seed(1);
      std::vector<c10::IValue> Args = makeArguments(Handle.schema(), Names, How);
      Call Made(Op, Handle.schema(), Args, How);
      std::vector<c10::IValue> Stack = Args;
      Handle.callBoxed(&Stack);
      if (Compare)
        record(How, Made.compare(Stack));
      return true;
    } catch (const std::exception &Error) {
      if (Result.Reason.empty())
        Result.Reason = Error.what();
      return false;
    }
  }

  void record(const Variation &How, const Comparison &Compared) {
    ++Result.Calls;
    Result.Facts += Compared.Facts;
    Result.Compared |= Compared.Facts > 0;
    for (const std::string &Mismatch : Compared.Mismatches)
      Result.Mismatches.push_back(Mismatch + " [" + How.Name + "]");
  }

  const model::OperatorInfo &Op;
  const c10::OperatorHandle &Handle;
  Outcome Result;
};

Outcome runMember(const model::OperatorInfo &Op) {
  Outcome Result;
  c10::FunctionSchema Schema = c10::FunctionSchema(
      Op.name().str(), "", {c10::Argument("self"), c10::Argument("t")}, {c10::Argument("")});
  for (const Variation &How : variations()) {
    if (How.OnMeta)
      continue;
    c10::FunctionSchema SelfOnly(Op.name().str(), "", {c10::Argument("self")}, {});
    std::vector<c10::IValue> Args = makeArguments(SelfOnly, {{"@", "3,3"}}, How);
    Args.push_back(static_cast<int64_t>(at::kDouble));
    Call Made(Op, Schema, Args, How);
    std::vector<c10::IValue> Results;
    if (!callMember(Op.name().str(), Args[0].toTensor(), Results)) {
      Result.Reason = "needs another device";
      return Result;
    }
    Comparison Compared = Made.compare(Results);
    ++Result.Calls;
    Result.Facts += Compared.Facts;
    Result.Compared |= Compared.Facts > 0;
    for (const std::string &Mismatch : Compared.Mismatches)
      Result.Mismatches.push_back(Mismatch + " [" + How.Name + "]");
  }
  return Result;
}

void write(const Outcome &Result, FILE *To) {
  std::fprintf(To, "%u %u %d\n%s\n", Result.Calls, Result.Facts, Result.Compared,
               Result.Reason.substr(0, Result.Reason.find('\n')).c_str());
  for (const std::string &Mismatch : Result.Mismatches)
    std::fprintf(To, "%s\n", Mismatch.c_str());
}

Outcome read(FILE *From) {
  Outcome Result;
  std::string Text;
  char Buffer[4096];
  while (size_t Count = std::fread(Buffer, 1, sizeof(Buffer), From))
    Text.append(Buffer, Count);
  std::istringstream Lines(Text);
  std::string Line;
  if (!(Lines >> Result.Calls >> Result.Facts >> Result.Compared)) {
    Result.Reason = "its process died";
    return Result;
  }
  std::getline(Lines, Line);
  std::getline(Lines, Result.Reason);
  while (std::getline(Lines, Line))
    Result.Mismatches.push_back(Line);
  return Result;
}

/// Runs one operator in a process of its own.
template <typename Function> Outcome runApart(Function Run) {
  int Pipe[2];
  if (pipe(Pipe) != 0)
    throw std::runtime_error("no pipe");
  std::cout.flush();
  pid_t Child = fork();
  if (Child < 0)
    throw std::runtime_error("no process");
  if (Child == 0) {
    close(Pipe[0]);
    alarm(SecondsForOne);
    FILE *To = fdopen(Pipe[1], "w");
    write(Run(), To);
    std::fflush(To);
    _exit(0);
  }
  close(Pipe[1]);
  FILE *From = fdopen(Pipe[0], "r");
  Outcome Result = read(From);
  std::fclose(From);
  waitpid(Child, nullptr, 0);
  return Result;
}

/// exceptions.txt, which says how it is written.
class Exceptions {
public:
  Exceptions(const std::string &Path, const std::string &Version) {
    std::ifstream File(Path);
    if (!File)
      throw std::runtime_error("cannot read " + Path);
    for (std::string Line; std::getline(File, Line);) {
      std::istringstream Words(Line.substr(0, Line.find('#')));
      std::string Operator, Fact, Versions, Reason;
      if (!(Words >> Operator))
        continue;
      Words >> Fact >> Versions;
      std::getline(Words >> std::ws, Reason);
      if (Reason.empty())
        throw std::runtime_error(Path + ": no reason given for " + Operator);
      bool Named = ("," + Versions + ",").find("," + Version + ",") != std::string::npos;
      if (Named || Versions == "*")
        Known.emplace(Operator, Fact);
      if (Named)
        Unmet.emplace(Operator, Fact);
    }
  }

  /// True if the mismatch, "fact: ... [variation]", is listed, as `fact` or as `fact/variation`.
  bool cover(const std::string &Operator, const std::string &Mismatch) {
    std::string Fact = Mismatch.substr(0, Mismatch.find(':'));
    auto Bracket = Mismatch.rfind('[');
    std::string How = Mismatch.substr(Bracket + 1, Mismatch.size() - Bracket - 2);
    bool Covered = false;
    for (const auto &Key : {std::pair(Operator, Fact), std::pair(Operator, Fact + "/" + How)}) {
      Unmet.erase(Key);
      Covered |= Known.count(Key) != 0;
    }
    return Covered;
  }

  /// Listed for this very version, but did not happen.
  const std::set<std::pair<std::string, std::string>> &unmet() const { return Unmet; }

private:
  std::set<std::pair<std::string, std::string>> Known, Unmet;
};

struct Totals {
  unsigned Executed = 0, Compared = 0, Skipped = 0, Lacking = 0, Facts = 0, Calls = 0;
  unsigned Mismatches = 0;
};

void report(const std::string &Name, const Outcome &Result, Exceptions &Known, bool Verbose,
            Totals &Sum) {
  if (Result.Calls == 0) {
    ++Sum.Skipped;
    if (Verbose)
      std::cout << "skipped " << Name << ": " << Result.Reason << "\n";
  } else {
    ++Sum.Executed;
    Sum.Compared += Result.Compared;
  }
  Sum.Facts += Result.Facts;
  Sum.Calls += Result.Calls;
  for (const std::string &Mismatch : Result.Mismatches) {
    if (Known.cover(Name, Mismatch))
      continue;
    ++Sum.Mismatches;
    std::cout << "MISMATCH " << Name << " " << Mismatch << "\n";
  }
}

int run(const std::string &Arguments, const std::string &ExceptionsFile, const std::string &Only,
        bool Verbose) {
  std::string Version =
      std::to_string(TORCH_VERSION_MAJOR) + "." + std::to_string(TORCH_VERSION_MINOR);
  RecipeBook Book(Arguments);
  Exceptions Known(ExceptionsFile, Version);
  c10::Dispatcher &Dispatcher = c10::Dispatcher::singleton();
  Totals Sum;
  for (const model::OperatorInfo &Op : model::allOperators()) {
    std::string Name = fullName(Op);
    if (!Only.empty() && Only != Name && Only != schemaName(Op))
      continue;
    auto Handle = Dispatcher.findSchema({"aten::" + schemaName(Op), Op.overload().str()});
    if (Handle) {
      report(Name, runApart([&] { return OperatorRun(Op, *Handle).run(Book); }), Known, Verbose,
             Sum);
    } else if (Op.args().size() <= 2 && Op.is(model::OF_Method) && !Op.is(model::OF_Function) &&
               model::lookupOperator(Op.name()).size() == 1) {
      report(Name, runApart([&] { return runMember(Op); }), Known, Verbose, Sum);
    } else {
      ++Sum.Lacking;
      if (Verbose)
        std::cout << "lacking " << Name << "\n";
    }
  }
  std::cout << Sum.Executed << " operators executed, " << Sum.Compared << " compared, "
            << Sum.Skipped + Sum.Lacking << " skipped (" << Sum.Lacking << " that LibTorch "
            << Version << " lacks, " << Sum.Skipped << " without working arguments); " << Sum.Calls
            << " calls, " << Sum.Facts << " facts compared, " << Sum.Mismatches << " mismatches\n";
  bool Failed = Sum.Mismatches > 0;
  if (Only.empty()) {
    for (const auto &[Name, Fact] : Known.unmet()) {
      std::cout << "listed in the exceptions, but right: " << Name << " " << Fact << "\n";
      Failed = true;
    }
    if (Sum.Executed < MinExecuted) {
      std::cout << "fewer than " << MinExecuted << " operators executed\n";
      Failed = true;
    }
  }
  return Failed ? 1 : 0;
}

} // namespace

int main(int Argc, char **Argv) {
  bool Verbose = false;
  std::string Only;
  for (int I = 3; I < Argc; ++I) {
    if (std::string(Argv[I]) == "--verbose")
      Verbose = true;
    else if (std::string(Argv[I]) == "--only" && I + 1 < Argc)
      Only = Argv[++I];
  }
  if (Argc < 3) {
    std::cerr << "usage: " << Argv[0] << " ARGUMENTS EXCEPTIONS [--verbose] [--only NAME]\n";
    return 2;
  }
  at::set_num_threads(1);
  // Most attempts throw; the stack trace that LibTorch takes each time is the costly part.
  c10::SetStackTraceFetcher([] { return std::string(); });
  try {
    return run(Argv[1], Argv[2], Only, Verbose);
  } catch (const std::exception &Error) {
    std::cerr << Error.what() << "\n";
    return 2;
  }
}
