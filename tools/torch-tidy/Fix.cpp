//===--- Fix.cpp ------------------------------------------------------------===//
#include "Fix.h"
#include "Files.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include <mutex>
#include <set>

namespace torch_tidy::runner {

namespace fs = llvm::sys::fs;
namespace json = llvm::json;
using clang::tooling::Replacements;
using llvm::StringRef;

llvm::Error requireCleanTree(const std::string &Root) {
  auto Status =
      runCommand({"git", "-C", Root, "status", "--porcelain", "--untracked-files=no", "--", "."});
  if (!Status) {
    llvm::consumeError(Status.takeError());
    return llvm::Error::success();
  }
  // Outside a work tree there is nothing to compare with.
  if (Status->Status != 0 || Status->Out.empty())
    return llvm::Error::success();
  return failure(
      "the work tree has changes that are not committed:\n%scommit or stash them, so that "
      "the edits can be told from them, or say --allow-dirty",
      Status->Out.c_str());
}

namespace {

/// The edits of one finding, and whether they were made.
struct Edit {
  const Finding *From = nullptr;
  bool Made = false;
};

/// The edits chosen for each file, by its absolute path.
struct Plan {
  std::map<std::string, Replacements> Files;
  std::vector<Edit> Edits;
  size_t Skipped = 0;
};

/// Takes each finding's edit as a whole, or not where it overlaps one that was taken before.
Plan planOf(const Report &R) {
  Plan P;
  std::set<std::vector<Replacement>> Seen;
  for (const Finding &F : R.Findings) {
    if (F.Fix.empty())
      continue;
    std::vector<Replacement> Sorted = F.Fix;
    llvm::sort(Sorted);
    if (!Seen.insert(Sorted).second)
      continue;
    auto Files = P.Files;
    bool Fits = true;
    for (const Replacement &X : Sorted) {
      const std::string File = absolute(X.File, R.Root);
      const clang::tooling::Replacement New(File, X.Offset, X.Length, X.Text);
      // Two findings may share one insertion, such as that of an include.
      if (llvm::is_contained(Files[File], New))
        continue;
      if (llvm::Error E = Files[File].add(New)) {
        llvm::consumeError(std::move(E));
        Fits = false;
        break;
      }
    }
    P.Skipped += !Fits;
    P.Edits.push_back({&F, Fits});
    if (Fits)
      P.Files = std::move(Files);
  }
  return P;
}

/// Units that do not compile with some files replaced.
std::vector<size_t> brokenUnits(const std::vector<size_t> &Units,
                                const std::map<std::string, std::string> &Overlay, const Project &P,
                                const ScheduleOptions &Schedule, const State &Where,
                                const char *Program) {
  std::vector<size_t> Broken;
  std::mutex Lock;
  llvm::DefaultThreadPool Pool(Schedule.Jobs ? llvm::hardware_concurrency(Schedule.Jobs)
                                             : llvm::hardware_concurrency());
  for (size_t I : Units)
    Pool.async([&, I] {
      AnalysisSpec Spec = specOf(P, P.Units[I], Schedule, Where.dir());
      Spec.Checks = "-*";
      Spec.Overlay = Overlay;
      Spec.Result = Where.dir() + "/verify/" + P.Units[I].Id + ".json";
      std::string Text;
      llvm::raw_string_ostream(Text) << json::Value(toJSON(Spec));
      const std::string SpecFile = Spec.Result + ".spec";
      bool Compiles = false;
      if (llvm::Error E = writeAtomically(SpecFile, Text))
        llvm::consumeError(std::move(E));
      else if (analyse(Program, SpecFile) == 0) {
        if (llvm::Expected<UnitResult> Result = readResult(Spec.Result))
          Compiles = Result->Failures.empty();
        else
          llvm::consumeError(Result.takeError());
      }
      if (!Compiles) {
        std::lock_guard<std::mutex> Guard(Lock);
        Broken.push_back(I);
      }
    });
  Pool.wait();
  llvm::sort(Broken);
  return Broken;
}

} // namespace

llvm::Expected<bool> applyFixes(const Report &R, const Results &Units, const Project &P,
                                const ScheduleOptions &Schedule, const FixOptions &Options,
                                const State &Where, const char *Program, llvm::raw_ostream &OS) {
  Plan Chosen = planOf(R);
  const std::string Stage = Where.dir() + "/verify";
  fs::remove_directories(Stage);
  if (std::error_code Failed = fs::create_directories(Stage))
    return failure("cannot write to %s: %s", Stage.c_str(), Failed.message().c_str());

  // The new text of each file, and where it is staged.
  std::map<std::string, std::string> Texts, Overlay;
  for (const auto &[File, Edits] : Chosen.Files) {
    if (Edits.empty())
      continue;
    llvm::Expected<std::string> Old = readFile(File);
    if (!Old)
      return Old.takeError();
    llvm::Expected<std::string> New = clang::tooling::applyAllReplacements(*Old, Edits);
    if (!New)
      return failure("%s: %s", File.c_str(), llvm::toString(New.takeError()).c_str());
    const std::string Staged = Stage + "/" + idOf(File) + ".staged";
    if (llvm::Error E = writeAtomically(Staged, *New))
      return E;
    Texts[File] = std::move(*New);
    Overlay[File] = Staged;
  }

  std::set<std::string> TakenBack;
  if (Options.Verify) {
    // Units that compile now and read a file that changes.
    std::vector<size_t> Affected;
    for (size_t I = 0; I < P.Units.size(); ++I)
      if (Units.Units[I].Failures.empty() &&
          llvm::any_of(Units.Units[I].Read, [&](const std::string &F) { return Texts.count(F); }))
        Affected.push_back(I);
    while (!Overlay.empty()) {
      const std::vector<size_t> Broken =
          brokenUnits(Affected, Overlay, P, Schedule, Where, Program);
      if (Broken.empty())
        break;
      // Any of the files that a broken unit reads may be the reason.
      const size_t Before = Overlay.size();
      for (size_t I : Broken)
        for (const std::string &File : Units.Units[I].Read)
          if (Overlay.erase(File))
            TakenBack.insert(File);
      if (Overlay.size() == Before)
        break;
      Affected = Broken;
    }
  }

  size_t Made = 0, Left = Chosen.Skipped;
  for (const Edit &E : Chosen.Edits) {
    const bool Back = llvm::any_of(E.From->Fix, [&](const Replacement &X) {
      return TakenBack.count(absolute(X.File, R.Root));
    });
    Made += E.Made && !Back;
    Left += E.Made && Back;
  }
  size_t Written = 0;
  for (const auto &[File, Staged] : Overlay) {
    const std::string Name = relativeTo(File, R.Root);
    if (auto Diff = runCommand(
            {"diff", "-u", "--label", "a/" + Name, "--label", "b/" + Name, File, Staged}))
      OS << Diff->Out;
    else
      llvm::consumeError(Diff.takeError());
    if (Options.DryRun)
      continue;
    if (llvm::Error E = writeAtomically(File, Texts[File])) {
      OS.flush();
      return failure(
          "%s; %zu of %zu files were changed, this one and those behind it are as before",
          llvm::toString(std::move(E)).c_str(), Written, Overlay.size());
    }
    ++Written;
  }
  OS.flush();
  llvm::raw_ostream &Log = llvm::errs();
  Log << Made << (Made == 1 ? " edit" : " edits")
      << (Options.DryRun ? " possible in " : " made in ") << Overlay.size()
      << (Overlay.size() == 1 ? " file\n" : " files\n");
  if (Chosen.Skipped)
    Log << Chosen.Skipped << " not made because they overlap others; run 'torch-tidy fix' again\n";
  for (const std::string &File : TakenBack)
    Log << "taken back, because a file would not compile with them: the edits of "
        << relativeTo(File, R.Root) << '\n';
  const size_t Without = llvm::count_if(R.Findings, [](const Finding &F) { return F.Fix.empty(); });
  if (Without)
    Log << Without << (Without == 1 ? " report has" : " reports have") << " no edit\n";
  fs::remove_directories(Stage);
  return Left == 0;
}

} // namespace torch_tidy::runner
