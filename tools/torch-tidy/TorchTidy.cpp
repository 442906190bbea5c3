//===--- TorchTidy.cpp - the project runner ---------------------------------===//
//
//   torch-tidy check     analyses a project, and says by its exit status whether it is clean
//   torch-tidy fix       applies the edits
//   torch-tidy merge     makes one report of those of several shards
//
//===----------------------------------------------------------------------===//
#include "Analyse.h"
#include "Files.h"
#include "Fix.h"
#include "Gate.h"
#include "Project.h"
#include "Report.h"
#include "Schedule.h"
#include "support/ResourceDir.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace torch_tidy::runner;
namespace cl = llvm::cl;
using llvm::StringRef;

namespace {

/// Exit statuses; they are documented in docs/ci.md.
enum Exit { Clean = 0, Found = 1, CouldNot = 2, Stopped = 130 };

/// The command line. LLVM's options register themselves when they are made.
struct Options {
  cl::OptionCategory Category{"torch-tidy options"};
  cl::SubCommand Check{"check", "Analyse the project; exit status 0: clean, 1: reports, 2: could "
                                "not analyse"};
  cl::SubCommand Fix{"fix", "Apply the edits of the reports"};
  cl::SubCommand Merge{"merge", "Make one report of those that 'check --format=json' wrote"};

  cl::list<std::string> Paths{cl::Positional,
                              cl::desc("[FILE, FOLDER or expression for paths below the root ...]"),
                              cl::sub(Check), cl::sub(Fix), cl::cat(Category)};
  cl::list<std::string> Reports{cl::Positional, cl::desc("REPORT.json ..."), cl::OneOrMore,
                                cl::sub(Merge), cl::cat(Category)};
  cl::opt<std::string> BuildDir{
      "p",
      cl::desc("Folder of compile_commands.json (default: the current one, its 'build', or above)"),
      cl::value_desc("dir"),
      cl::sub(Check),
      cl::sub(Fix),
      cl::cat(Category)};
  cl::opt<std::string> Root{
      "root",
      cl::desc("Folder with your code (default: git's work tree, or what the files share)"),
      cl::value_desc("dir"),
      cl::sub(Check),
      cl::sub(Fix),
      cl::cat(Category)};
  cl::opt<std::string> Exclude{"exclude",
                               cl::desc("Nothing from paths that match, such as ^third_party/"),
                               cl::value_desc("regex"),
                               cl::sub(Check),
                               cl::sub(Fix),
                               cl::cat(Category)};
  cl::opt<std::string> Checks{
      "checks",
      cl::desc(
          "Checks as for clang-tidy, behind those of .clang-tidy, such as -*,torch-host-access"),
      cl::value_desc("list"),
      cl::sub(Check),
      cl::sub(Fix),
      cl::cat(Category)};
  cl::list<std::string> CheckOptions{
      "option",
      cl::desc("An option of a check: torch-host-access.MinEvidence=likely"),
      cl::value_desc("name=value"),
      cl::sub(Check),
      cl::sub(Fix),
      cl::cat(Category)};
  cl::opt<std::string> StateDir{"state",
                                cl::desc("Where results are kept (default: .torch-tidy beside "
                                         "compile_commands.json)"),
                                cl::value_desc("dir"),
                                cl::sub(Check),
                                cl::sub(Fix),
                                cl::cat(Category)};
  cl::opt<unsigned> Jobs{"j",
                         cl::desc("Files at once (default: as Ninja decides)"),
                         cl::value_desc("n"),
                         cl::init(0),
                         cl::sub(Check),
                         cl::sub(Fix),
                         cl::cat(Category)};
  cl::opt<unsigned> Timeout{"timeout",           cl::desc("Seconds for one file (default: 300)"),
                            cl::value_desc("s"), cl::init(300),
                            cl::sub(Check),      cl::sub(Fix),
                            cl::cat(Category)};
  cl::opt<bool> NoPch{"no-pch", cl::desc("Do not precompile LibTorch's headers"), cl::sub(Check),
                      cl::sub(Fix), cl::cat(Category)};
  cl::opt<bool> Quiet{"quiet",        cl::desc("No progress and no summary"),
                      cl::sub(Check), cl::sub(Fix),
                      cl::sub(Merge), cl::cat(Category)};

  cl::opt<std::string> BaselineFile{"baseline",
                                    cl::desc("Only reports that this file does not have"),
                                    cl::value_desc("file"),
                                    cl::sub(Check),
                                    cl::sub(Merge),
                                    cl::cat(Category)};
  cl::opt<std::string> WriteBaseline{
      "write-baseline",       cl::desc("Write all reports as a baseline, and count none"),
      cl::value_desc("file"), cl::sub(Check),
      cl::sub(Merge),         cl::cat(Category)};
  cl::opt<std::string> Diff{"diff",
                            cl::desc("Only reports that changes since this revision bring in"),
                            cl::value_desc("revision"), cl::sub(Check), cl::cat(Category)};
  cl::opt<Evidence> FailOn{
      "fail-on",
      cl::desc("The least evidence that makes the exit status 1 (default: possible)"),
      cl::values(clEnumValN(Evidence::Proven, "proven", "on every path it is so"),
                 clEnumValN(Evidence::Likely, "likely", "a choice made at run time"),
                 clEnumValN(Evidence::Possible, "possible", "nothing is known")),
      cl::init(Evidence::Possible),
      cl::sub(Check),
      cl::sub(Merge),
      cl::cat(Category)};
  cl::opt<std::string> Shard{"shard", cl::desc("Only this part of the files, such as 2/5"),
                             cl::value_desc("i/n"), cl::sub(Check), cl::cat(Category)};
  cl::opt<Format> As{
      "format",
      cl::desc("How to print the reports (default: text)"),
      cl::values(clEnumValN(Format::Text, "text", "for people and editors"),
                 clEnumValN(Format::Sarif, "sarif", "SARIF 2.1.0, for code scanning"),
                 clEnumValN(Format::GitHub, "github", "annotations of GitHub Actions"),
                 clEnumValN(Format::GitLab, "gitlab", "code quality report of GitLab"),
                 clEnumValN(Format::Json, "json", "everything, for 'merge' and for scripts")),
      cl::init(Format::Text),
      cl::sub(Check),
      cl::sub(Merge),
      cl::cat(Category)};
  cl::opt<std::string> Output{"o",
                              cl::desc("Print the reports to this file"),
                              cl::value_desc("file"),
                              cl::sub(Check),
                              cl::sub(Merge),
                              cl::cat(Category)};
  cl::opt<bool> Explain{"explain", cl::desc("With each report its way through the code"),
                        cl::sub(Check), cl::sub(Merge), cl::cat(Category)};
  cl::opt<bool> IgnoreFailures{
      "ignore-failures", cl::desc("Files that cannot be analysed do not make the exit status 2"),
      cl::sub(Check), cl::sub(Merge), cl::cat(Category)};

  cl::opt<bool> DryRun{"dry-run", cl::desc("Print the diff, change nothing"), cl::sub(Fix),
                       cl::cat(Category)};
  cl::opt<bool> AllowDirty{"allow-dirty",
                           cl::desc("Work although git says that files have changes"), cl::sub(Fix),
                           cl::cat(Category)};
  cl::opt<bool> NoVerify{"no-verify", cl::desc("Do not compile what the edits change"),
                         cl::sub(Fix), cl::cat(Category)};
};

int complain(llvm::Error E) {
  llvm::errs() << "torch-tidy: error: " << llvm::toString(std::move(E)) << '\n';
  return CouldNot;
}

/// Everything below the root relative to it.
void makeRelative(Report &R) {
  const auto Shorten = [&](std::string &File) { File = relativeTo(File, R.Root); };
  for (Finding &F : R.Findings) {
    Shorten(F.At.File);
    for (Note &N : F.Notes)
      Shorten(N.At.File);
    for (Replacement &X : F.Fix)
      Shorten(X.File);
  }
  for (Failure &F : R.Failures)
    Shorten(F.File);
}

/// Prints \p R and says what the exit status is.
int finish(Report &R, const Options &O) {
  if (!O.WriteBaseline.empty()) {
    if (llvm::Error E = writeBaseline(O.WriteBaseline, R.Findings))
      return complain(std::move(E));
    llvm::errs() << R.Findings.size() << " reports written to " << O.WriteBaseline << '\n';
    R.Known += R.Findings.size();
    R.Findings.clear();
  }
  if (!O.BaselineFile.empty()) {
    llvm::Expected<Baseline> Known = readBaseline(O.BaselineFile);
    if (!Known)
      return complain(Known.takeError());
    R.Known += dropKnown(R.Findings, std::move(*Known));
  }
  if (O.Output.empty()) {
    if (llvm::Error E = print(R, O.As, O.Explain, llvm::outs()))
      return complain(std::move(E));
  } else {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    if (llvm::Error E = print(R, O.As, O.Explain, OS))
      return complain(std::move(E));
    if (llvm::Error E = writeAtomically(O.Output, Text))
      return complain(std::move(E));
  }
  if (llvm::outs().has_error()) {
    const std::string Why = llvm::outs().error().message();
    llvm::outs().clear_error();
    return complain(failure("cannot print the reports: %s", Why.c_str()));
  }
  if (!O.Quiet)
    summarize(R, llvm::errs());
  if (!R.Failures.empty() && !O.IgnoreFailures)
    return CouldNot;
  return llvm::any_of(R.Findings, [&](const Finding &F) { return F.Level >= O.FailOn; }) ? Found
                                                                                         : Clean;
}

int merge(const Options &O) {
  Report Whole;
  bool First = true;
  for (const std::string &Path : O.Reports) {
    llvm::Expected<Report> Part = readReport(Path);
    if (!Part)
      return complain(Part.takeError());
    if (First)
      Whole.Root = Part->Root;
    First = false;
    Whole.Files += Part->Files;
    Whole.Known += Part->Known;
    llvm::move(Part->Findings, std::back_inserter(Whole.Findings));
    llvm::move(Part->Failures, std::back_inserter(Whole.Failures));
    llvm::move(Part->IgnoredFlags, std::back_inserter(Whole.IgnoredFlags));
  }
  tidyUp(Whole);
  return finish(Whole, O);
}

int checkOrFix(const Options &O, bool Fixing, const char *Program) {
  ProjectOptions Which;
  Which.BuildDir = O.BuildDir;
  Which.Root = O.Root;
  Which.Paths.assign(O.Paths.begin(), O.Paths.end());
  Which.Exclude = O.Exclude;
  Which.Precompile = !O.NoPch;
  if (!O.Shard.empty()) {
    const auto [Part, Parts] = StringRef(O.Shard).split('/');
    if (Part.getAsInteger(10, Which.Shard) || Parts.getAsInteger(10, Which.Shards) ||
        Which.Shard < 1 || Which.Shard > Which.Shards)
      return complain(
          failure("--shard wants i/n with 1 <= i <= n, such as 2/5; got '%s'", O.Shard.c_str()));
  }
  ScheduleOptions How;
  How.Jobs = O.Jobs;
  How.Timeout = O.Timeout;
  How.Quiet = O.Quiet;
  How.Checks = O.Checks;
  for (StringRef Option : O.CheckOptions) {
    const auto [Name, Value] = Option.split('=');
    if (Name.empty() || !Option.contains('='))
      return complain(failure("--option wants name=value; got '%s'", Option.str().c_str()));
    How.CheckOptions[Name.str()] = Value.str();
  }
  llvm::Expected<Project> P = readProject(Which);
  if (!P)
    return complain(P.takeError());
  if (Fixing && !O.AllowDirty && !O.DryRun)
    if (llvm::Error E = requireCleanTree(P->Root))
      return complain(std::move(E));

  ChangedLines Changed;
  if (!O.Diff.empty()) {
    llvm::Expected<ChangedLines> Lines = changedSince(P->Root, O.Diff);
    if (!Lines)
      return complain(Lines.takeError());
    Changed = std::move(*Lines);
    // A unit whose files are all as they were brings nothing in.
    llvm::erase_if(P->Units, [&](const Unit &U) {
      return !U.IncludesUnknown && llvm::none_of(U.Includes, [&](const std::string &File) {
        return Changed.touches(relativeTo(File, P->Root));
      });
    });
  }
  std::string Dir = O.StateDir;
  if (Dir.empty())
    Dir = P->BuildDir + "/.torch-tidy";
  llvm::SmallString<256> Absolute(Dir);
  llvm::sys::fs::make_absolute(Absolute);
  llvm::Expected<State> Where = State::open(Absolute.str().str());
  if (!Where)
    return complain(Where.takeError());
  Results Units;
  if (!P->Units.empty()) {
    llvm::Expected<Results> Done = analyseProject(*P, How, *Where, Program);
    if (!Done)
      return complain(Done.takeError());
    Units = std::move(*Done);
  }

  Report R;
  R.Root = P->Root;
  R.Files = P->Units.size();
  R.Failures = P->Failures;
  llvm::Regex Excluded(O.Exclude);
  for (const UnitResult &U : Units.Units) {
    llvm::copy(U.Findings, std::back_inserter(R.Findings));
    llvm::copy(U.Failures, std::back_inserter(R.Failures));
    for (const std::string &Flag : U.IgnoredFlags)
      R.IgnoredFlags.push_back(relativeTo(U.File, R.Root) + ": " + Flag);
  }
  makeRelative(R);
  if (!O.Exclude.empty())
    llvm::erase_if(R.Findings, [&](const Finding &F) { return Excluded.match(F.At.File); });
  tidyUp(R);
  if (Units.Interrupted) {
    llvm::errs() << "torch-tidy: interrupted; what was analysed is kept for the next run\n";
    return Stopped;
  }
  if (!O.Diff.empty())
    keepChanged(R.Findings, Changed);
  if (!Fixing)
    return finish(R, O);

  FixOptions Way;
  Way.DryRun = O.DryRun;
  Way.AllowDirty = O.AllowDirty;
  Way.Verify = !O.NoVerify;
  llvm::Expected<bool> All = applyFixes(R, Units, *P, How, Way, *Where, Program, llvm::outs());
  if (!All)
    return complain(All.takeError());
  if (!R.Failures.empty()) {
    for (const Failure &F : R.Failures)
      llvm::errs() << F.File << ": " << F.Kind << ": " << F.Detail << '\n';
    return CouldNot;
  }
  return *All ? Clean : Found;
}

} // namespace

int main(int Argc, const char **Argv) {
  // What one process of a run does; not for people.
  const std::string Program =
      llvm::sys::fs::getMainExecutable(Argv[0], reinterpret_cast<void *>(&complain));
  if (Argc == 3 && StringRef(Argv[1]) == "analyse")
    return analyse(Program.c_str(), Argv[2]);
  if (Argc == 3 && StringRef(Argv[1]) == "analyse-here")
    return analyseHere(Argv[2]);

  llvm::InitLLVM Init(Argc, Argv);
  Options O;
  cl::SetVersionPrinter([](llvm::raw_ostream &OS) {
    OS << "torch-tidy " << torch_tidy::version() << " (LLVM " << LLVM_VERSION_STRING << ")\n";
  });
  for (cl::SubCommand *Command : {&O.Check, &O.Fix, &O.Merge, &cl::SubCommand::getTopLevel()})
    cl::HideUnrelatedOptions(O.Category, *Command);
  if (!cl::ParseCommandLineOptions(
          Argc, Argv,
          "torch-tidy: finds host access to LibTorch tensors in a whole project\n\n"
          "  torch-tidy check [-p BUILD] [--baseline FILE] [--diff REVISION] [--format FORMAT]\n"
          "  torch-tidy fix [-p BUILD] [--dry-run]\n"
          "  torch-tidy merge REPORT.json ... [--format FORMAT]\n",
          &llvm::errs()))
    return CouldNot;
  if (O.Merge)
    return merge(O);
  if (O.Check || O.Fix)
    return checkOrFix(O, bool(O.Fix), Program.c_str());
  llvm::errs() << "torch-tidy: error: say 'check', 'fix' or 'merge' (see --help)\n";
  return CouldNot;
}
