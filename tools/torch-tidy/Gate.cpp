//===--- Gate.cpp -----------------------------------------------------------===//
#include "Gate.h"
#include "Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace torch_tidy::runner {

namespace json = llvm::json;
using llvm::StringRef;

llvm::Expected<Baseline> readBaseline(StringRef Path) {
  llvm::Expected<std::string> Text = readFile(Path);
  if (!Text)
    return failure("%s; write the first baseline with --write-baseline=%s",
                   llvm::toString(Text.takeError()).c_str(), Path.str().c_str());
  llvm::Expected<json::Value> Value = json::parse(*Text);
  if (!Value)
    return failure("%s is no baseline: %s", Path.str().c_str(),
                   llvm::toString(Value.takeError()).c_str());
  const json::Object *Top = Value->getAsObject();
  const json::Array *Entries = Top ? Top->getArray("findings") : nullptr;
  if (!Entries || Top->getInteger("version") != 1)
    return failure("%s is no baseline of this version of torch-tidy; write it again with "
                   "--write-baseline",
                   Path.str().c_str());
  Baseline Result;
  for (const json::Value &Entry : *Entries) {
    const json::Object *O = Entry.getAsObject();
    const auto Fingerprint = O ? O->getString("fingerprint") : std::nullopt;
    if (!Fingerprint)
      return failure("%s: an entry has no fingerprint", Path.str().c_str());
    ++Result.Counts[Fingerprint->str()];
  }
  return Result;
}

llvm::Error writeBaseline(StringRef Path, const std::vector<Finding> &Findings) {
  std::vector<const Finding *> Sorted;
  for (const Finding &F : Findings)
    Sorted.push_back(&F);
  // Not by line: a report that only moves leaves the file as it is.
  llvm::stable_sort(Sorted, [](const Finding *A, const Finding *B) {
    return std::tie(A->At.File, A->Check, A->Fingerprint) <
           std::tie(B->At.File, B->Check, B->Fingerprint);
  });
  std::string Text = "{\"version\": 1, \"findings\": [\n";
  llvm::raw_string_ostream OS(Text);
  for (size_t I = 0; I < Sorted.size(); ++I) {
    OS << json::Value(json::Object{{"check", Sorted[I]->Check},
                                   {"file", Sorted[I]->At.File},
                                   {"fingerprint", Sorted[I]->Fingerprint},
                                   {"message", Sorted[I]->Message}})
       << (I + 1 < Sorted.size() ? ",\n" : "\n");
  }
  OS << "]}\n";
  OS.flush();
  return writeAtomically(Path, Text);
}

size_t dropKnown(std::vector<Finding> &Findings, Baseline Known) {
  const size_t Before = Findings.size();
  llvm::erase_if(Findings, [&](const Finding &F) {
    auto It = Known.Counts.find(F.Fingerprint);
    if (It == Known.Counts.end() || It->second == 0)
      return false;
    --It->second;
    return true;
  });
  return Before - Findings.size();
}

bool ChangedLines::contains(const Place &P) const {
  if (WholeFiles.count(P.File))
    return true;
  auto It = Ranges.find(P.File);
  return It != Ranges.end() && llvm::any_of(It->second, [&](const auto &Range) {
           return P.Line >= Range.first && P.Line <= Range.second;
         });
}

/// First line and number of lines of a hunk, as in `14,2`.
static std::pair<unsigned, unsigned> range(StringRef Text) {
  unsigned First = 0, Count = 1;
  const auto [Start, Length] = Text.split(',');
  if (Start.getAsInteger(10, First) || (!Length.empty() && Length.getAsInteger(10, Count)))
    return {0, 0};
  return {First, Count};
}

llvm::Expected<ChangedLines> changedSince(const std::string &Root, const std::string &Revision) {
  ChangedLines Result;
  // --relative: the root may be a folder of the work tree.
  auto Diff =
      runCommand({"git", "-C", Root, "diff", "--no-color", "--no-ext-diff", "--no-renames",
                  "--relative", "-U0", "--src-prefix=a/", "--dst-prefix=b/", Revision, "--"});
  if (!Diff)
    return Diff.takeError();
  if (Diff->Status != 0)
    return failure("git cannot compare with '%s': %s", Revision.c_str(),
                   StringRef(Diff->Err).trim().str().c_str());
  std::string File;
  StringRef Text = Diff->Out;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (Line.consume_front("+++ ")) {
      Line = Line.rtrim('\t').trim('"');
      File = Line.consume_front("b/") ? Line.str() : "";
      continue;
    }
    // @@ -12,3 +14,2 @@
    if (!Line.consume_front("@@ -"))
      continue;
    const auto [Gone, Removed] = range(Line.split(' ').first);
    const auto [First, Count] = range(Line.split('+').second.split(' ').first);
    // The lines themselves may look like anything.
    for (unsigned I = 0; I < Removed + Count; ++I)
      Text = Text.split('\n').second;
    // Lines that are gone leave their neighbours changed.
    if (!File.empty())
      Result.Ranges[File].emplace_back(First, Count ? First + Count - 1 : First + 1);
  }
  auto Untracked =
      runCommand({"git", "-C", Root, "ls-files", "--others", "--exclude-standard", "-z"});
  if (!Untracked)
    return Untracked.takeError();
  StringRef Names = Untracked->Out;
  while (!Names.empty()) {
    StringRef Name;
    std::tie(Name, Names) = Names.split('\0');
    Result.WholeFiles.insert(Name.str());
  }
  return Result;
}

void keepChanged(std::vector<Finding> &Findings, const ChangedLines &Changed) {
  llvm::erase_if(Findings, [&](const Finding &F) {
    return !Changed.contains(F.At) &&
           llvm::none_of(F.Notes, [&](const Note &N) { return Changed.contains(N.At); });
  });
}

} // namespace torch_tidy::runner
