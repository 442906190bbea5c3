//===--- Sarif.cpp - SARIF 2.1.0 --------------------------------------------===//
//
// clang's writer makes the document; what it cannot say (fixes, fingerprints, messages of related
// locations, paths relative to the root) is added to its JSON.
//
//===----------------------------------------------------------------------===//
#include "clang/Basic/Sarif.h"
#include "Files.h"
#include "Report.h"
#include "support/Diagnostics.h"
#include "support/ResourceDir.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace torch_tidy::runner {

namespace json = llvm::json;
using namespace clang;
using llvm::StringRef;

namespace {

class Places {
public:
  explicit Places(const Report &R)
      : R(R), Files(FileSystemOptions()), Sources(Silent.engine(), Files) {}

  const SourceManager &sources() const { return Sources; }

  /// The character at \p P, or nothing where the file cannot be read any more.
  CharSourceRange at(const Place &P) {
    auto File = Files.getOptionalFileRef(absolute(P.File, R.Root));
    if (!File)
      return {};
    const FileID ID = Sources.getOrCreateFileID(*File, SrcMgr::C_User);
    const SourceLocation Begin = Sources.translateLineCol(ID, P.Line, P.Column);
    return CharSourceRange::getCharRange(Begin, Begin.getLocWithOffset(1));
  }

private:
  const Report &R;
  FileManager Files;
  support::SilentDiagnostics Silent;
  SourceManager Sources;
};

json::Object location(const Place &P, StringRef Message = "") {
  json::Object Result{
      {"physicalLocation",
       json::Object{{"artifactLocation", json::Object{{"uri", P.File}, {"uriBaseId", "ROOT"}}},
                    {"region", json::Object{{"startLine", P.Line}, {"startColumn", P.Column}}}}}};
  if (!Message.empty())
    Result["message"] = json::Object{{"text", Message}};
  return Result;
}

/// The edit of \p F as SARIF's changes of files.
json::Array fixesOf(const Finding &F) {
  std::map<std::string, json::Array> Files;
  for (const Replacement &X : F.Fix)
    Files[X.File].push_back(json::Object{
        {"deletedRegion", json::Object{{"byteOffset", X.Offset}, {"byteLength", X.Length}}},
        {"insertedContent", json::Object{{"text", X.Text}}}});
  json::Array Changes;
  for (auto &[File, Replacements] : Files)
    Changes.push_back(
        json::Object{{"artifactLocation", json::Object{{"uri", File}, {"uriBaseId", "ROOT"}}},
                     {"replacements", std::move(Replacements)}});
  json::Array Result;
  if (!Changes.empty())
    Result.push_back(
        json::Object{{"description", json::Object{{"text", "the edit of 'torch-tidy fix'"}}},
                     {"artifactChanges", std::move(Changes)}});
  return Result;
}

/// `file:///root/a.cpp` as `a.cpp` from the root, everywhere in \p V.
void makeRelative(json::Value &V, StringRef Base) {
  if (json::Object *O = V.getAsObject()) {
    if (auto Uri = O->getString("uri"); Uri && Uri->starts_with(Base)) {
      std::string Relative = Uri->drop_front(Base.size()).str();
      (*O)["uri"] = std::move(Relative);
      (*O)["uriBaseId"] = "ROOT";
    }
    for (auto &Member : *O)
      makeRelative(Member.second, Base);
  } else if (json::Array *A = V.getAsArray()) {
    for (json::Value &Element : *A)
      makeRelative(Element, Base);
  }
}

} // namespace

void printSarif(const Report &R, llvm::raw_ostream &OS) {
  Places Where(R);
  SarifDocumentWriter Writer(Where.sources());
  Writer.createRun("torch-tidy", "torch-tidy: checks for LibTorch code", version());
  std::map<std::string, size_t> Rules;
#define TORCH_TIDY_CHECK(Class, Name, Evidence, Finds, Edit)                                       \
  Rules[Name] = Writer.createRule(                                                                 \
      SarifRule::create().setRuleId(Name).setName(Name).setDescription(Finds).setHelpURI(          \
          pageOf(Name)));
#include "Checks.def"
#undef TORCH_TIDY_CHECK
  std::vector<const Finding *> Written;
  for (const Finding &F : R.Findings) {
    const CharSourceRange At = Where.at(F.At);
    auto Rule = Rules.find(F.Check);
    if (At.isInvalid() || Rule == Rules.end())
      continue;
    std::vector<ThreadFlow> Flow;
    std::vector<Note> Steps = F.Notes;
    llvm::stable_sort(Steps,
                      [](const Note &A, const Note &B) { return A.At.Offset < B.At.Offset; });
    Steps.push_back({F.At, F.Message});
    for (const Note &N : Steps)
      if (const CharSourceRange Step = Where.at(N.At); Step.isValid())
        Flow.push_back(ThreadFlow::create().setRange(Step).setMessage(N.Message).setImportance(
            ThreadFlowImportance::Essential));
    Writer.appendResult(support::locatedAt(SarifResult::create(Rule->second), At)
                            .setRuleId(F.Check)
                            .setDiagnosticMessage(F.Message)
                            .setDiagnosticLevel(SarifResultLevel::Warning)
                            .setThreadFlows(Flow));
    Written.push_back(&F);
  }
  Writer.endRun();
  json::Object Document = Writer.createDocument();
  Document["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json::Object &Run = *(*Document.getArray("runs"))[0].getAsObject();
  if (json::Array *Results = Run.getArray("results"))
    for (size_t I = 0; I < Results->size() && I < Written.size(); ++I) {
      json::Object &Result = *(*Results)[I].getAsObject();
      const Finding &F = *Written[I];
      json::Array Related;
      for (const Note &N : F.Notes)
        Related.push_back(location(N.At, N.Message));
      Result["relatedLocations"] = std::move(Related);
      Result["partialFingerprints"] = json::Object{{"torchTidy/v1", F.Fingerprint}};
      Result["properties"] = json::Object{{"evidence", nameOf(F.Level)}};
      if (json::Array Fixes = fixesOf(F); !Fixes.empty())
        Result["fixes"] = std::move(Fixes);
    }
  json::Object *Driver = nullptr;
  if (json::Object *Tool = Run.getObject("tool"))
    Driver = Tool->getObject("driver");
  if (json::Array *All = Driver ? Driver->getArray("rules") : nullptr)
    for (json::Value &Rule : *All)
      if (json::Object *O = Rule.getAsObject())
        if (auto Id = O->getString("id")) {
          const std::string Help = "What is unsafe, what is safe, and the options: " + pageOf(*Id);
          (*O)["help"] = json::Object{{"text", Help}};
          O->erase("helpUri"); // pages are files of this project, not addresses
        }
  json::Array Notifications;
  for (const Failure &F : R.Failures)
    Notifications.push_back(json::Object{
        {"level", "error"},
        {"message", json::Object{{"text", F.File + ": " + F.Kind + ": " + F.Detail}}}});
  Run["invocations"] =
      json::Array{json::Object{{"executionSuccessful", R.Failures.empty()},
                               {"toolExecutionNotifications", std::move(Notifications)}}};
  json::Value Whole(std::move(Document));
  makeRelative(Whole, "file://" + R.Root + "/");
  (*(*Whole.getAsObject()->getArray("runs"))[0].getAsObject())["originalUriBaseIds"] =
      json::Object{{"ROOT", json::Object{{"uri", "file://" + R.Root + "/"}}}};
  OS << llvm::formatv("{0:2}", Whole) << '\n';
}

} // namespace torch_tidy::runner
