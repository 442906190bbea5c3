//===--- Analyse.cpp --------------------------------------------------------===//
#include "Analyse.h"
#include "Files.h"
#include "support/TidyRun.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace torch_tidy::runner {

namespace json = llvm::json;
namespace fs = llvm::sys::fs;
using clang::tidy::ClangTidyError;
using llvm::StringRef;

json::Value toJSON(const AnalysisSpec &S) {
  const auto Map = [](const std::map<std::string, std::string> &M) {
    json::Object O;
    for (const auto &[Key, Value] : M)
      O[Key] = Value;
    return O;
  };
  return json::Object{{"file", S.File},
                      {"directory", S.Directory},
                      {"arguments", json::Array(S.Arguments)},
                      {"pch", S.Pch},
                      {"resourceDir", S.ResourceDir},
                      {"root", S.Root},
                      {"checks", S.Checks},
                      {"checkOptions", Map(S.CheckOptions)},
                      {"configuration", S.Configuration},
                      {"overlay", Map(S.Overlay)},
                      {"result", S.Result},
                      {"timeout", S.Timeout}};
}

bool fromJSON(const json::Value &V, AnalysisSpec &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", S.File) && O.map("directory", S.Directory) &&
         O.map("arguments", S.Arguments) && O.map("pch", S.Pch) &&
         O.map("resourceDir", S.ResourceDir) && O.map("root", S.Root) &&
         O.map("checks", S.Checks) && O.map("checkOptions", S.CheckOptions) &&
         O.map("configuration", S.Configuration) && O.map("overlay", S.Overlay) &&
         O.map("result", S.Result) && O.map("timeout", S.Timeout);
}

template <class T> static llvm::Expected<T> readJSON(StringRef Path) {
  llvm::Expected<std::string> Text = readFile(Path);
  if (!Text)
    return Text.takeError();
  return json::parse<T>(*Text);
}

llvm::Expected<UnitResult> readResult(StringRef Path) { return readJSON<UnitResult>(Path); }

namespace {

/// Notes every file that is opened: what the result depends on.
class RecordingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    auto File = ProxyFileSystem::openFileForRead(Path);
    if (File) {
      llvm::SmallString<256> Absolute;
      Path.toVector(Absolute);
      if (!makeAbsolute(Absolute)) {
        llvm::sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
        Opened.insert(Absolute.str().str());
      }
    }
    return File;
  }

  std::set<std::string> Opened;
};

/// The one command of the spec.
class OneCommand : public clang::tooling::CompilationDatabase {
public:
  explicit OneCommand(clang::tooling::CompileCommand Command) : Command(std::move(Command)) {}
  std::vector<clang::tooling::CompileCommand> getCompileCommands(StringRef) const override {
    return {Command};
  }

private:
  const clang::tooling::CompileCommand Command;
};

/// Turns clang-tidy's diagnostics, whose places are offsets, into findings.
class Converter {
public:
  Converter(llvm::vfs::FileSystem &FS, StringRef Directory) : FS(FS), Directory(Directory) {}

  Place place(StringRef File, unsigned Offset) {
    Place P;
    P.File = absolute(File, Directory);
    P.Offset = Offset;
    const StringRef Text = textOf(P.File).substr(0, Offset);
    P.Line = static_cast<unsigned>(Text.count('\n')) + 1;
    const size_t Start = Text.rfind('\n');
    P.Column = static_cast<unsigned>(Text.size() - (Start == StringRef::npos ? 0 : Start + 1)) + 1;
    return P;
  }

  Finding finding(const ClangTidyError &Error) {
    Finding F;
    F.Check = Error.DiagnosticName;
    StringRef Message = Error.Message.Message;
    const auto [Text, Level] = Message.rsplit("; evidence: ");
    F.Level = Level == "possible" ? Evidence::Possible
              : Level == "likely" ? Evidence::Likely
                                  : Evidence::Proven;
    F.Message = Text.str();
    F.At = place(Error.Message.FilePath, Error.Message.FileOffset);
    const StringRef Whole = textOf(F.At.File);
    F.SourceLine = Whole.drop_front(std::min<size_t>(Whole.size(), F.At.Offset - (F.At.Column - 1)))
                       .take_until([](char C) { return C == '\n' || C == '\r'; })
                       .str();
    for (const auto &N : Error.Notes)
      if (!N.FilePath.empty())
        F.Notes.push_back({place(N.FilePath, N.FileOffset), N.Message});
    for (const auto &PerFile : Error.Message.Fix)
      for (const clang::tooling::Replacement &R : PerFile.second)
        F.Fix.push_back({absolute(R.getFilePath(), Directory), R.getOffset(), R.getLength(),
                         R.getReplacementText().str()});
    return F;
  }

private:
  StringRef textOf(const std::string &File) {
    auto [It, New] = Texts.try_emplace(File);
    if (New)
      if (auto Buffer = FS.getBufferForFile(File))
        It->second = std::move(*Buffer);
    return It->second ? It->second->getBuffer() : StringRef();
  }

  llvm::vfs::FileSystem &FS;
  const std::string Directory;
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> Texts;
};

} // namespace

/// One run of clang-tidy with some flags added.
static std::vector<ClangTidyError> run(const AnalysisSpec &Spec,
                                       const std::vector<std::string> &Arguments,
                                       llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FS) {
  std::vector<std::string> Line = {Arguments.front()};
  if (!Spec.ResourceDir.empty())
    Line.push_back("-resource-dir=" + Spec.ResourceDir);
  Line.insert(Line.end(), Arguments.begin() + 1, Arguments.end());
  const OneCommand Command(
      clang::tooling::CompileCommand(Spec.Directory, Spec.File, std::move(Line), ""));
  support::TidySettings Settings;
  Settings.Checks = Spec.Checks;
  Settings.CheckOptions = Spec.CheckOptions;
  Settings.HeaderFilter = "^" + llvm::Regex::escape(Spec.Root == "/" ? "" : Spec.Root) + "/";
  return support::runTidy(Command, Spec.File, Settings, std::move(FS));
}

/// The flag that an error of the driver says it does not know.
static std::string unknownFlag(StringRef Message) {
  for (StringRef Begin : {"unknown argument: '", "unknown argument '", "unsupported option '",
                          "unsupported argument '"})
    if (Message.consume_front(Begin))
      return Message.split('\'').first.str();
  return {};
}

int analyseHere(StringRef SpecFile) {
  llvm::Expected<AnalysisSpec> Read = readJSON<AnalysisSpec>(SpecFile);
  if (!Read) {
    llvm::errs() << "torch-tidy: " << llvm::toString(Read.takeError()) << '\n';
    return 1;
  }
  const AnalysisSpec &Spec = *Read;
  UnitResult Result;
  Result.File = Spec.File;
  auto Recording = llvm::makeIntrusiveRefCnt<RecordingFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(llvm::vfs::createPhysicalFileSystem()));
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(Recording));
  if (!Spec.Overlay.empty()) {
    auto Staged = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const auto &[Path, Contents] : Spec.Overlay) {
      auto Buffer = llvm::MemoryBuffer::getFile(Contents);
      if (!Buffer) {
        llvm::errs() << "torch-tidy: cannot read " << Contents << '\n';
        return 1;
      }
      Staged->addFile(Path, 0, std::move(*Buffer));
    }
    FS->pushOverlay(Staged);
  }

  std::vector<std::string> Arguments = Spec.Arguments;
  uint64_t PchSize = 0;
  bool WithPch = !Spec.Pch.empty() && !fs::file_size(Spec.Pch, PchSize) && PchSize > 0;
  std::vector<ClangTidyError> Errors;
  // Each turn leaves one thing out, so that it ends.
  for (;;) {
    std::vector<std::string> Line = Arguments;
    if (WithPch)
      Line.insert(Line.begin() + 1, {"-include-pch", Spec.Pch});
    Errors = run(Spec, Line, FS);
    const auto Failed = llvm::find_if(Errors, [](const ClangTidyError &E) {
      return E.DiagnosticName == "clang-diagnostic-error";
    });
    if (Failed == Errors.end())
      break;
    const std::string Flag = unknownFlag(Failed->Message.Message);
    const auto It = llvm::find(Arguments, Flag);
    if (!Flag.empty() && It != Arguments.end()) {
      Arguments.erase(It);
      Result.IgnoredFlags.push_back(Flag);
    } else if (WithPch) {
      // The precompiled header holds more than the file asks for.
      WithPch = false;
    } else {
      break;
    }
  }

  Converter Convert(*FS, Spec.Directory);
  for (const ClangTidyError &Error : Errors) {
    if (StringRef(Error.DiagnosticName).starts_with("torch-")) {
      Result.Findings.push_back(Convert.finding(Error));
      continue;
    }
    if (Error.DiagnosticName != "clang-diagnostic-error" || !Result.Failures.empty())
      continue;
    std::string Where;
    if (!Error.Message.FilePath.empty()) {
      const Place At = Convert.place(Error.Message.FilePath, Error.Message.FileOffset);
      Where = relativeTo(At.File, Spec.Root) + ":" + std::to_string(At.Line) + ":" +
              std::to_string(At.Column) + ": ";
    }
    Result.Failures.push_back({Spec.File, "parse", Where + Error.Message.Message});
  }
  std::string Depends = Spec.Result + ":";
  for (const std::string &File : Recording->Opened) {
    if (File == Spec.Pch)
      continue;
    if (isBelow(File, Spec.Root))
      Result.Read.push_back(File);
    Depends += " \\\n ";
    for (char C : File)
      Depends += C == ' ' || C == '#' ? std::string("\\") + C
                 : C == '$'           ? std::string("$$")
                                      : std::string(1, C);
  }
  std::string Text;
  llvm::raw_string_ostream(Text) << json::Value(toJSON(Result)) << '\n';
  for (const auto &[Path, Contents] :
       {std::pair(Spec.Result + ".d", Depends + "\n"), std::pair(Spec.Result, Text)})
    if (llvm::Error E = writeAtomically(Path, Contents)) {
      llvm::errs() << "torch-tidy: " << llvm::toString(std::move(E)) << '\n';
      return 1;
    }
  return 0;
}

int analyse(const char *Program, StringRef SpecFile) {
  llvm::Expected<AnalysisSpec> Spec = readJSON<AnalysisSpec>(SpecFile);
  if (!Spec) {
    llvm::errs() << "torch-tidy: " << llvm::toString(Spec.takeError()) << '\n';
    return 1;
  }
  const std::string Log = Spec->Result + ".err";
  std::string Message;
  const int Status = llvm::sys::ExecuteAndWait(
      Program, {Program, "analyse-here", SpecFile}, std::nullopt,
      {StringRef(""), StringRef(Log), StringRef(Log)}, Spec->Timeout, 0, &Message);
  if (Status == 0)
    return 0;
  UnitResult Result;
  Result.File = Spec->File;
  Failure F{Spec->File, "crash", Message};
  if (Status == -2 && StringRef(Message).contains("timed out")) {
    F.Kind = "timeout";
    F.Detail = "took longer than " + std::to_string(Spec->Timeout) + " s";
  } else if (auto Text = readFile(Log)) {
    // The first line that is not the beginning of a stack says most.
    F.Detail += (F.Detail.empty() ? "" : "; ") + StringRef(*Text).trim().take_front(300).str();
  }
  Result.Failures.push_back(std::move(F));
  std::string Text;
  llvm::raw_string_ostream(Text) << json::Value(toJSON(Result)) << '\n';
  if (llvm::Error E = writeAtomically(Spec->Result, Text))
    llvm::errs() << "torch-tidy: " << llvm::toString(std::move(E)) << '\n';
  return 1;
}

} // namespace torch_tidy::runner
