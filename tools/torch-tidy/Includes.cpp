//===--- Includes.cpp -------------------------------------------------------===//
#include "Includes.h"
#include "Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

namespace torch_tidy::runner {

using llvm::StringRef;

static bool startsWith(StringRef Text, StringRef Prefix) { return Text.starts_with(Prefix); }

static bool isTorchHeader(StringRef Name) {
  return startsWith(Name, "torch/") || startsWith(Name, "ATen/") || startsWith(Name, "c10/");
}

const std::vector<IncludeScanner::Line> &IncludeScanner::linesOf(StringRef File) {
  auto [It, New] = Lines.try_emplace(File);
  std::vector<Line> &Result = It->second;
  if (!New)
    return Result;
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return Result;
  StringRef Text = (*Buffer)->getBuffer(), Guard;
  while (!Text.empty()) {
    StringRef Current;
    std::tie(Current, Text) = Text.split('\n');
    Current = Current.ltrim();
    if (!Current.consume_front("#"))
      continue;
    Current = Current.trim();
    if (Current.consume_front("ifndef")) {
      Guard = Current.trim();
    } else if (Current.consume_front("define")) {
      StringRef Name = Current.trim();
      // `#ifndef X` and `#define X` without a value are an include guard.
      if (Name != Guard)
        Result.push_back({Line::Define, Name.str()});
    } else if (Current.consume_front("include")) {
      Current.consume_front("_next");
      Current = Current.ltrim();
      if (Current.consume_front("\""))
        Result.push_back({Line::Quoted, Current.split('"').first.str()});
      else if (Current.consume_front("<"))
        Result.push_back({Line::Angled, Current.split('>').first.str()});
      else
        Result.push_back({Line::Macro, ""});
    }
  }
  return Result;
}

void IncludeScanner::visit(StringRef File, llvm::ArrayRef<std::string> Directories,
                           llvm::StringMap<bool> &Seen, IncludeClosure &Result) {
  if (!Seen.try_emplace(File, true).second)
    return;
  Result.Files.push_back(File.str());
  const std::vector<Line> Copy = linesOf(File);
  for (const Line &L : Copy) {
    if (L.Kind == Line::Define) {
      Result.DefinesBefore |= Result.Torch.empty();
      continue;
    }
    if (L.Kind == Line::Macro) {
      Result.Computed = true;
      continue;
    }
    if (isTorchHeader(L.Name)) {
      if (!llvm::is_contained(Result.Torch, L.Name))
        Result.Torch.push_back(L.Name);
      continue;
    }
    std::vector<std::string> Candidates;
    if (L.Kind == Line::Quoted)
      Candidates.push_back(absolute(L.Name, llvm::sys::path::parent_path(File)));
    for (const std::string &Directory : Directories)
      if (isBelow(Directory, Root))
        Candidates.push_back(absolute(L.Name, Directory));
    for (const std::string &Candidate : Candidates) {
      auto [It, New] = Exists.try_emplace(Candidate, false);
      if (New)
        It->second = llvm::sys::fs::is_regular_file(Candidate);
      if (!It->second)
        continue;
      if (isBelow(Candidate, Root))
        visit(Candidate, Directories, Seen, Result);
      break;
    }
  }
}

IncludeClosure IncludeScanner::scan(StringRef File, llvm::ArrayRef<std::string> Directories) {
  IncludeClosure Result;
  llvm::StringMap<bool> Seen;
  visit(File, Directories, Seen, Result);
  // Nothing comes after the definitions where LibTorch is not included at all.
  Result.DefinesBefore &= !Result.Torch.empty();
  return Result;
}

std::vector<std::string> prefixHeaders(llvm::ArrayRef<std::string> Torch) {
  std::set<std::string> Names(Torch.begin(), Torch.end());
  // Each of these includes all that follow it, in every LibTorch from 1.13 to 2.11.
  for (StringRef Umbrella : {"torch/extension.h", "torch/torch.h", "torch/all.h", "ATen/ATen.h"}) {
    if (!Names.count(Umbrella.str()))
      continue;
    std::vector<std::string> Result = {Umbrella.str()};
    // TorchScript is in none of them.
    if (Names.count("torch/script.h"))
      Result.insert(Result.begin(), "torch/script.h");
    return Result;
  }
  return {Names.begin(), Names.end()};
}

} // namespace torch_tidy::runner
