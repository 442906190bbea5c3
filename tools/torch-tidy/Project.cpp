//===--- Project.cpp --------------------------------------------------------===//
#include "Project.h"
#include "Commands.h"
#include "Files.h"
#include "Includes.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <set>

namespace torch_tidy::runner {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

std::string idOf(StringRef Text) { return llvm::utohexstr(llvm::xxh3_64bits(Text), true); }

static std::string currentDirectory() {
  llvm::SmallString<256> Result;
  if (fs::current_path(Result))
    return ".";
  return Result.str().str();
}

/// The compilation database of \p BuildDir, or the one that the current directory, its `build` or
/// their parents have.
static llvm::Expected<std::string> findDatabase(StringRef BuildDir) {
  const std::string Here = currentDirectory();
  const auto In = [](StringRef Dir) {
    llvm::SmallString<256> Path(Dir);
    path::append(Path, "compile_commands.json");
    return Path.str().str();
  };
  if (!BuildDir.empty()) {
    std::string Dir = absolute(BuildDir, Here);
    if (StringRef(Dir).ends_with("/compile_commands.json"))
      Dir = path::parent_path(Dir).str();
    if (!fs::exists(In(Dir)))
      return failure("there is no compile_commands.json in %s; configure the project with "
                     "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or run its build under 'bear --'",
                     Dir.c_str());
    return In(Dir);
  }
  for (StringRef Dir = Here; !Dir.empty(); Dir = path::parent_path(Dir)) {
    for (const std::string &Candidate : {In(Dir), In((Dir + "/build").str())})
      if (fs::exists(Candidate))
        return Candidate;
    if (Dir == "/")
      break;
  }
  return failure(
      "no compile_commands.json in %s, its 'build' folder or above; say where it is with "
      "-p DIR, or make one with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
      Here.c_str());
}

/// The directory that all of \p Files share.
static std::string commonDirectory(const std::vector<std::string> &Files) {
  std::string Common = path::parent_path(Files.front()).str();
  for (const std::string &File : Files)
    while (!isBelow(File, Common) && Common != "/")
      Common = path::parent_path(Common).str();
  return Common;
}

static llvm::Expected<std::string> findRoot(StringRef Given,
                                            const std::vector<std::string> &Files) {
  if (!Given.empty()) {
    std::string Root = absolute(Given, currentDirectory());
    llvm::SmallString<256> Real;
    if (fs::real_path(Root, Real))
      return failure("--root: there is no directory %s", Root.c_str());
    return Root;
  }
  std::string Common = commonDirectory(Files);
  for (StringRef Dir = Common; !Dir.empty() && Dir != "/"; Dir = path::parent_path(Dir))
    if (fs::exists(Dir + "/.git"))
      return Dir.str();
  return Common;
}

static bool matches(StringRef Relative, StringRef Absolute, const std::vector<std::string> &Paths,
                    StringRef Here) {
  if (Paths.empty())
    return true;
  return llvm::any_of(Paths, [&](const std::string &Path) {
    if (isBelow(Absolute, absolute(Path, Here)))
      return true;
    llvm::Regex Expression(Path);
    std::string Problem;
    return Expression.isValid(Problem) && Expression.match(Relative);
  });
}

/// Gives units that share flags and LibTorch headers a precompiled header, where two have use of
/// it.
static void sharePrefixes(Project &P, const std::vector<std::vector<std::string>> &Headers) {
  struct Group {
    std::vector<std::string> Flags;
    std::vector<std::string> Headers;
    std::vector<size_t> Units;
  };
  std::map<std::string, Group> Groups;
  for (size_t I = 0; I < P.Units.size(); ++I) {
    const Unit &U = P.Units[I];
    if (Headers[I].empty())
      continue;
    std::vector<std::string> Flags = flagsOf(U.Arguments, U.File);
    std::string Key =
        U.Directory + '\n' + llvm::join(Flags, "\n") + "\n\n" + llvm::join(Headers[I], "\n");
    Group &G = Groups[Key];
    G.Flags = std::move(Flags);
    G.Headers = Headers[I];
    G.Units.push_back(I);
  }
  // A group whose headers another one of the same flags has too joins that one.
  for (auto &[Key, Small] : Groups)
    for (auto &[OtherKey, Large] : Groups)
      if (&Small != &Large && !Small.Units.empty() && !Large.Units.empty() &&
          Small.Flags == Large.Flags && Small.Headers.size() < Large.Headers.size() &&
          P.Units[Small.Units.front()].Directory == P.Units[Large.Units.front()].Directory &&
          llvm::all_of(Small.Headers, [&](const std::string &H) {
            return llvm::is_contained(Large.Headers, H);
          })) {
        Large.Units.insert(Large.Units.end(), Small.Units.begin(), Small.Units.end());
        Small.Units.clear();
      }
  for (auto &[Key, G] : Groups) {
    if (G.Units.size() < 2)
      continue;
    Prefix X;
    X.Headers = G.Headers;
    X.Flags = G.Flags;
    X.Directory = P.Units[G.Units.front()].Directory;
    X.Cuda = llvm::is_contained(G.Flags, "cuda");
    X.Id = idOf(Key);
    for (size_t I : G.Units)
      P.Units[I].Prefix = static_cast<int>(P.Prefixes.size());
    P.Prefixes.push_back(std::move(X));
  }
}

llvm::Expected<Project> readProject(const ProjectOptions &Options) {
  llvm::Expected<std::string> Path = findDatabase(Options.BuildDir);
  if (!Path)
    return Path.takeError();
  std::string Problem;
  std::unique_ptr<clang::tooling::JSONCompilationDatabase> Database =
      clang::tooling::JSONCompilationDatabase::loadFromFile(
          *Path, Problem, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return failure("%s is broken: %s; configure the project again", Path->c_str(),
                   StringRef(Problem).trim().str().c_str());
  Project P;
  P.BuildDir = path::parent_path(*Path).str();
  const std::vector<clang::tooling::CompileCommand> Commands = Database->getAllCompileCommands();
  if (Commands.empty())
    return failure("%s names no file; configure the project again", Path->c_str());

  std::vector<std::string> Files;
  for (const auto &Command : Commands)
    Files.push_back(absolute(Command.Filename, absolute(Command.Directory, P.BuildDir)));
  llvm::Expected<std::string> Root = findRoot(Options.Root, Files);
  if (!Root)
    return Root.takeError();
  P.Root = *Root;

  llvm::Regex Exclude(Options.Exclude);
  if (!Options.Exclude.empty() && !Exclude.isValid(Problem))
    return failure("--exclude: %s", Problem.c_str());
  const std::string Here = currentDirectory();
  IncludeScanner Scanner(P.Root);
  std::set<std::string> Seen;
  std::vector<std::vector<std::string>> Headers;
  bool Any = false;
  for (size_t I = 0; I < Commands.size(); ++I) {
    const std::string &File = Files[I];
    const std::string Relative = relativeTo(File, P.Root);
    if ((!Options.Exclude.empty() && Exclude.match(Relative)) ||
        !matches(Relative, File, Options.Paths, Here))
      continue;
    Any = true;
    // By the file alone, so that the parts stay the same when flags change.
    if (llvm::xxh3_64bits(Relative) % Options.Shards != Options.Shard - 1)
      continue;
    Unit U;
    U.File = File;
    U.Directory = absolute(Commands[I].Directory, P.BuildDir);
    ClangCommand Command = clangCommand(Commands[I].CommandLine, Commands[I].Filename);
    if (!Command.Problem.empty()) {
      if (Command.Problem != "not C++")
        P.Failures.push_back({File, "command", Command.Problem});
      continue;
    }
    if (!fs::exists(File)) {
      P.Failures.push_back({File, "missing",
                            "the compilation database names this file, but it does not exist; "
                            "build the project first if it is generated"});
      continue;
    }
    for (std::string &Argument : Command.Arguments)
      if (Argument == Commands[I].Filename || absolute(Argument, U.Directory) == File)
        Argument = File;
    if (!llvm::is_contained(Command.Arguments, File))
      Command.Arguments.push_back(File);
    U.Arguments = std::move(Command.Arguments);
    const std::string Key = U.Directory + '\n' + llvm::join(U.Arguments, "\n");
    if (!Seen.insert(Key).second)
      continue;
    U.Id = path::stem(File).str() + "-" + idOf(Key);
    IncludeClosure Closure = Scanner.scan(File, includeDirectories(U.Arguments, U.Directory));
    U.IncludesUnknown = Closure.Computed;
    U.Includes = std::move(Closure.Files);
    const bool IsC = path::extension(File) == ".c";
    Headers.push_back(Options.Precompile && !Closure.DefinesBefore && !IsC
                          ? prefixHeaders(Closure.Torch)
                          : std::vector<std::string>());
    P.Units.push_back(std::move(U));
  }
  if (!Any)
    return failure("no file of %s matches; the paths are relative to %s", Path->c_str(),
                   P.Root.c_str());
  sharePrefixes(P, Headers);
  return P;
}

} // namespace torch_tidy::runner
