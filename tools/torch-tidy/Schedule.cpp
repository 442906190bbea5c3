//===--- Schedule.cpp -------------------------------------------------------===//
#include "Schedule.h"
#include "Files.h"
#include "support/ResourceDir.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace torch_tidy::runner {

namespace fs = llvm::sys::fs;
namespace json = llvm::json;
using llvm::StringRef;

llvm::Expected<State> State::open(const std::string &Dir) {
  for (const char *Name : {"", "/specs", "/results", "/pch"})
    if (std::error_code Failed = fs::create_directories(Dir + Name))
      return failure("cannot write to %s: %s; choose another place with --state DIR", Dir.c_str(),
                     Failed.message().c_str());
  const std::string Path = Dir + "/lock";
  const int Lock = ::open(Path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (Lock < 0)
    return failure("cannot write to %s: %s; choose another place with --state DIR", Path.c_str(),
                   std::error_code(errno, std::generic_category()).message().c_str());
  if (::flock(Lock, LOCK_EX | LOCK_NB) != 0) {
    llvm::errs() << "torch-tidy: waiting for another torch-tidy that uses " << Dir << '\n';
    while (::flock(Lock, LOCK_EX) != 0 && errno == EINTR)
      ;
  }
  return State(Dir, Lock);
}

State::~State() {
  if (Lock)
    ::close(*Lock);
}

/// A hash of the .clang-tidy files from the folder of \p File up. A file that appears is in no list
/// of what was read before.
static std::string configurationOf(StringRef File) {
  std::string Text;
  for (StringRef Dir = llvm::sys::path::parent_path(File); !Dir.empty();
       Dir = llvm::sys::path::parent_path(Dir)) {
    const std::string Path = (Dir + (Dir == "/" ? "" : "/") + ".clang-tidy").str();
    if (llvm::Expected<std::string> Config = readFile(Path))
      Text += Path + '\n' + *Config;
    else
      llvm::consumeError(Config.takeError());
    if (Dir == "/")
      break;
  }
  return Text.empty() ? "" : idOf(Text);
}

AnalysisSpec specOf(const Project &P, const Unit &U, const ScheduleOptions &Options,
                    StringRef StateDir) {
  AnalysisSpec S;
  S.File = U.File;
  S.Directory = U.Directory;
  S.Arguments = U.Arguments;
  if (U.Prefix >= 0)
    S.Pch = (StateDir + "/pch/" + P.Prefixes[U.Prefix].Id + ".pch").str();
  S.ResourceDir = resourceDir();
  S.Root = P.Root;
  S.Checks = Options.Checks;
  S.CheckOptions = Options.CheckOptions;
  S.CheckOptions["ShowEvidence"] = "true";
  S.CheckOptions["OnlyTorch"] = "true";
  S.Configuration = configurationOf(U.File);
  S.Result = (StateDir + "/results/" + U.Id + ".json").str();
  S.Timeout = Options.Timeout;
  return S;
}

/// \p Path in a build line of Ninja.
static std::string ninjaPath(StringRef Path) {
  std::string Result;
  for (char C : Path) {
    if (C == '$' || C == ' ' || C == ':')
      Result += '$';
    Result += C;
  }
  return Result;
}

/// \p Text as the value of a variable of Ninja.
static std::string ninjaValue(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '$' ? std::string("$$") : std::string(1, C);
  return Result;
}

/// The command that precompiles \p X. It leaves an empty file where that fails: the units are then
/// analysed without it.
static std::string pchCommand(const Prefix &X, const std::string &Clang, const std::string &Header,
                              const std::string &Pch) {
  std::string Line = "cd " + shellQuoted(X.Directory) + " && { " + shellQuoted(Clang);
  Line += X.Cuda ? "" : " -x c++-header";
  for (size_t I = 1; I < X.Flags.size(); ++I)
    Line += " " + shellQuoted(X.Flags[I] == "cuda" && X.Cuda ? "cuda-header" : X.Flags[I]);
  const std::string Resources = resourceDir();
  if (!Resources.empty())
    Line += " -resource-dir=" + shellQuoted(Resources);
  Line += " -w -fpch-instantiate-templates -Xclang -emit-pch -MD -MF " + shellQuoted(Pch + ".d") +
          " -MT " + shellQuoted(Pch) + " -o " + shellQuoted(Pch) + " " + shellQuoted(Header) +
          " 2> " + shellQuoted(Pch + ".err") + " || : > " + shellQuoted(Pch) + "; }";
  return Line;
}

llvm::Expected<Results> analyseProject(const Project &P, const ScheduleOptions &Options,
                                       const State &Where, const char *Program) {
  auto Ninja = llvm::sys::findProgramByName("ninja");
  if (!Ninja)
    return failure("'ninja' is not installed (Debian: apt-get install ninja-build)");
  const std::string &Dir = Where.dir();
  const std::string Clang = llvmPrefix() + "/bin/clang++";
  const bool HaveClang = fs::can_execute(Clang);
  if (!HaveClang && !P.Prefixes.empty())
    llvm::errs() << "torch-tidy: no " << Clang
                 << ", so LibTorch is parsed for each file; install clang of the same version\n";

  std::string Text =
      "# Written by torch-tidy.\nninja_required_version = 1.5\n"
      "rule analyse\n  command = " +
      ninjaValue(shellQuoted(Program)) +
      " analyse $in\n  description = Analysing $what\n  depfile = $out.d\n  deps = gcc\n"
      "rule precompile\n  command = $line\n  description = Precompiling $what\n"
      "  depfile = $out.d\n  deps = gcc\n";
  if (HaveClang)
    for (const Prefix &X : P.Prefixes) {
      const std::string Base = Dir + "/pch/" + X.Id;
      std::string Header;
      for (const std::string &Name : X.Headers)
        Header += "#include <" + Name + ">\n";
      if (llvm::Error E = writeIfChanged(Base + ".h", Header))
        return E;
      Text += "build " + ninjaPath(Base + ".pch") + ": precompile | " + ninjaPath(Base + ".h") +
              " " + ninjaPath(Clang) +
              "\n  line = " + ninjaValue(pchCommand(X, Clang, Base + ".h", Base + ".pch")) +
              "\n  what = " + ninjaValue(llvm::join(X.Headers, ", ")) + "\n";
    }
  std::vector<std::string> Paths;
  for (const Unit &U : P.Units) {
    AnalysisSpec Spec = specOf(P, U, Options, Dir);
    if (!HaveClang)
      Spec.Pch.clear();
    const std::string SpecFile = Dir + "/specs/" + U.Id + ".json";
    std::string SpecText;
    llvm::raw_string_ostream(SpecText) << json::Value(toJSON(Spec)) << '\n';
    if (llvm::Error E = writeIfChanged(SpecFile, SpecText))
      return E;
    Text += "build " + ninjaPath(Spec.Result) + ": analyse " + ninjaPath(SpecFile) + " | " +
            ninjaPath(Program) + (Spec.Pch.empty() ? "" : " " + ninjaPath(Spec.Pch)) +
            "\n  what = " + ninjaValue(relativeTo(U.File, P.Root)) + "\n";
    Paths.push_back(Spec.Result);
  }
  if (llvm::Error E = writeIfChanged(Dir + "/build.ninja", Text))
    return E;

  // Ninja's progress goes where errors go: standard output is for the report.
  std::vector<std::string> Line = {
      "/bin/sh", "-c", Options.Quiet ? "exec \"$0\" \"$@\" > /dev/null" : "exec \"$0\" \"$@\" 1>&2",
      *Ninja,    "-C", Dir,
      "-k",      "0"};
  if (Options.Quiet)
    Line.push_back("--quiet");
  if (Options.Jobs)
    Line.insert(Line.end(), {"-j", std::to_string(Options.Jobs)});
  const std::vector<StringRef> Arguments(Line.begin(), Line.end());
  std::string Message;
  const int Status =
      llvm::sys::ExecuteAndWait("/bin/sh", Arguments, std::nullopt, {}, 0, 0, &Message);
  Results R;
  R.Interrupted = Status == 130 || Status == -2;
  for (size_t I = 0; I < Paths.size(); ++I) {
    llvm::Expected<UnitResult> Unit = readResult(Paths[I]);
    if (!Unit) {
      const std::string Why = llvm::toString(Unit.takeError());
      UnitResult None;
      None.File = P.Units[I].File;
      None.Failures.push_back(
          {None.File, "crash",
           R.Interrupted ? "interrupted before it was analysed" : "no result (" + Why + ")"});
      R.Units.push_back(std::move(None));
      continue;
    }
    R.Units.push_back(std::move(*Unit));
  }
  return R;
}

} // namespace torch_tidy::runner
