//===--- Report.cpp ---------------------------------------------------------===//
#include "Report.h"
#include "Files.h"
#include "support/ResourceDir.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include <map>

namespace torch_tidy::runner {

namespace json = llvm::json;
using llvm::StringRef;

StringRef findsOf(StringRef Check) {
#define TORCH_TIDY_CHECK(Class, Name, Evidence, Finds, Edit)                                       \
  if (Check == Name)                                                                               \
    return Finds;
#include "Checks.def"
#undef TORCH_TIDY_CHECK
  return "";
}

std::string pageOf(StringRef Check) {
  Check.consume_front("torch-");
  return ("docs/checks/" + Check + ".md").str();
}

void tidyUp(Report &R) {
  llvm::stable_sort(R.Findings,
                    [](const Finding &A, const Finding &B) { return A.key() < B.key(); });
  // A header's report comes from every file that includes it; the one with an edit is kept.
  std::vector<Finding> Kept;
  for (Finding &F : R.Findings) {
    F.Fingerprint = fingerprintOf(F);
    if (Kept.empty() || Kept.back().key() != F.key())
      Kept.push_back(std::move(F));
    else if (Kept.back().Fix.empty())
      Kept.back().Fix = std::move(F.Fix);
  }
  R.Findings = std::move(Kept);
  llvm::stable_sort(R.Failures, [](const Failure &A, const Failure &B) {
    return std::tie(A.File, A.Kind, A.Detail) < std::tie(B.File, B.Kind, B.Detail);
  });
  R.Failures.erase(std::unique(R.Failures.begin(), R.Failures.end(),
                               [](const Failure &A, const Failure &B) {
                                 return std::tie(A.File, A.Kind, A.Detail) ==
                                        std::tie(B.File, B.Kind, B.Detail);
                               }),
                   R.Failures.end());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void place(const Place &P, llvm::raw_ostream &OS) {
  llvm::WithColor(OS, llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << P.File << ':' << P.Line << ':' << P.Column << ": ";
}

/// The line of code and a mark below the column.
static void excerpt(const std::string &Line, unsigned Column, llvm::raw_ostream &OS) {
  std::string Below;
  for (unsigned I = 0; I + 1 < Column && I < Line.size(); ++I)
    Below += Line[I] == '\t' ? '\t' : ' ';
  OS << "    " << Line << "\n    " << Below << "^\n";
}

static std::string lineAt(const Report &R, const Place &P) {
  llvm::Expected<std::string> Text = readFile(absolute(P.File, R.Root));
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return {};
  }
  StringRef Rest = *Text;
  for (unsigned I = 1; I < P.Line; ++I)
    Rest = Rest.split('\n').second;
  return Rest.split('\n').first.rtrim('\r').str();
}

static void printText(const Report &R, bool Explain, llvm::raw_ostream &OS) {
  for (const Finding &F : R.Findings) {
    place(F.At, OS);
    llvm::WithColor(OS, llvm::HighlightColor::Warning) << "warning: ";
    OS << F.Message << " (" << nameOf(F.Level) << ") [" << F.Check << "]\n";
    excerpt(F.SourceLine, F.At.Column, OS);
    if (!Explain) {
      for (const Note &N : F.Notes) {
        place(N.At, OS);
        llvm::WithColor(OS, llvm::HighlightColor::Note) << "note: ";
        OS << N.Message << '\n';
      }
      continue;
    }
    OS << "  " << F.Check << ": " << findsOf(F.Check) << ".\n";
    // The way through the code, in the order of the lines where they are in one file.
    std::vector<Note> Steps = F.Notes;
    Steps.push_back({F.At, "reported here"});
    llvm::stable_sort(Steps, [&](const Note &A, const Note &B) {
      const bool OtherA = A.At.File != F.At.File, OtherB = B.At.File != F.At.File;
      return OtherA != OtherB ? OtherA
                              : std::tie(A.At.File, A.At.Offset) < std::tie(B.At.File, B.At.Offset);
    });
    for (size_t I = 0; I < Steps.size(); ++I) {
      OS << "  " << I + 1 << ". " << Steps[I].At.File << ':' << Steps[I].At.Line << ": "
         << Steps[I].Message << '\n';
      excerpt(lineAt(R, Steps[I].At), Steps[I].At.Column, OS);
    }
    OS << (F.Fix.empty() ? "  There is no edit for it.\n"
                         : "  'torch-tidy fix' has an edit for it.\n")
       << "  More: " << pageOf(F.Check) << "; fingerprint " << F.Fingerprint << "\n\n";
  }
}

void summarize(const Report &R, llvm::raw_ostream &OS) {
  struct Row {
    unsigned Counts[3] = {};
    unsigned Fixable = 0;
  };
  std::map<std::string, Row> Rows;
  for (const Finding &F : R.Findings) {
    ++Rows[F.Check].Counts[int(F.Level)];
    Rows[F.Check].Fixable += !F.Fix.empty();
  }
  const auto Line = [&OS](const auto &...Columns) {
    OS << llvm::formatv("{0,-28} {1,8} {2,8} {3,8} {4,8}\n", Columns...);
  };
  if (!Rows.empty())
    Line("check", "proven", "likely", "possible", "edits");
  for (const auto &[Check, Row] : Rows)
    Line(Check, Row.Counts[2], Row.Counts[1], Row.Counts[0], Row.Fixable);
  OS << R.Files << (R.Files == 1 ? " file, " : " files, ") << R.Findings.size()
     << (R.Findings.size() == 1 ? " report" : " reports");
  if (R.Known)
    OS << ", " << R.Known << " more in the baseline";
  OS << '\n';
  for (const std::string &Flag : R.IgnoredFlags)
    OS << "flag left out: " << Flag << '\n';
  if (!R.Failures.empty())
    OS << "not analysed, or not as a whole:\n";
  for (const Failure &F : R.Failures)
    OS << "  " << F.File << ": " << F.Kind << ": " << F.Detail << '\n';
}

//===----------------------------------------------------------------------===//
// Formats for programs
//===----------------------------------------------------------------------===//

static void printJson(const Report &R, llvm::raw_ostream &OS) {
  OS << llvm::formatv("{0:2}", json::Value(json::Object{
                                   {"version", 1},
                                   {"tool", "torch-tidy " + version().str()},
                                   {"llvm", LLVM_VERSION_MAJOR},
                                   {"root", R.Root},
                                   {"files", int64_t(R.Files)},
                                   {"known", int64_t(R.Known)},
                                   {"findings", json::Array(R.Findings)},
                                   {"failures", json::Array(R.Failures)},
                                   {"ignoredFlags", json::Array(R.IgnoredFlags)},
                               }))
     << '\n';
}

llvm::Expected<Report> readReport(StringRef Path) {
  llvm::Expected<std::string> Text = readFile(Path);
  if (!Text)
    return Text.takeError();
  llvm::Expected<json::Value> Value = json::parse(*Text);
  if (!Value)
    return failure("%s is no report of --format=json: %s", Path.str().c_str(),
                   llvm::toString(Value.takeError()).c_str());
  Report R;
  json::Path::Root Root("report");
  json::ObjectMapper O(*Value, Root);
  int64_t Version = 0, Files = 0, Known = 0;
  if (!O || !O.map("version", Version) || Version != 1 || !O.map("root", R.Root) ||
      !O.map("files", Files) || !O.map("known", Known) || !O.map("findings", R.Findings) ||
      !O.map("failures", R.Failures) || !O.map("ignoredFlags", R.IgnoredFlags))
    return failure("%s is no report of --format=json: %s", Path.str().c_str(),
                   llvm::toString(Root.getError()).c_str());
  R.Files = static_cast<size_t>(Files);
  R.Known = static_cast<size_t>(Known);
  return R;
}

/// Text of a workflow command of GitHub, or of one of its properties.
static std::string gitHubEscaped(StringRef Text, bool Property) {
  std::string Result;
  for (char C : Text) {
    if (C == '%' || C == '\r' || C == '\n' || (Property && (C == ':' || C == ',')))
      Result += "%" + llvm::utohexstr(static_cast<unsigned char>(C), false, 2);
    else
      Result += C;
  }
  return Result;
}

static void printGitHub(const Report &R, llvm::raw_ostream &OS) {
  for (const Finding &F : R.Findings) {
    std::string Message = F.Message + " (" + nameOf(F.Level).str() + ")";
    for (const Note &N : F.Notes)
      Message += "\n" + N.At.File + ":" + std::to_string(N.At.Line) + ": " + N.Message;
    OS << "::warning file=" << gitHubEscaped(F.At.File, true) << ",line=" << F.At.Line
       << ",col=" << F.At.Column << ",title=" << gitHubEscaped(F.Check, true)
       << "::" << gitHubEscaped(Message, false) << '\n';
  }
  for (const Failure &F : R.Failures)
    OS << "::error file=" << gitHubEscaped(F.File, true)
       << ",title=not analysed::" << gitHubEscaped(F.Kind + ": " + F.Detail, false) << '\n';
}

/// GitLab's code quality report: https://docs.gitlab.com/ci/testing/code_quality/.
static void printGitLab(const Report &R, llvm::raw_ostream &OS) {
  json::Array Issues;
  std::map<std::string, unsigned> Seen;
  for (const Finding &F : R.Findings) {
    // GitLab wants each fingerprint once.
    const unsigned Again = Seen[F.Fingerprint]++;
    Issues.push_back(
        json::Object{{"description", F.Message},
                     {"check_name", F.Check},
                     {"fingerprint", F.Fingerprint + (Again ? "-" + std::to_string(Again) : "")},
                     {"severity", F.Level == Evidence::Proven   ? "critical"
                                  : F.Level == Evidence::Likely ? "major"
                                                                : "minor"},
                     {"location", json::Object{{"path", F.At.File},
                                               {"lines", json::Object{{"begin", F.At.Line}}}}}});
  }
  OS << llvm::formatv("{0:2}", json::Value(std::move(Issues))) << '\n';
}

llvm::Error print(const Report &R, Format As, bool Explain, llvm::raw_ostream &OS) {
  switch (As) {
  case Format::Text:
    printText(R, Explain, OS);
    break;
  case Format::Json:
    printJson(R, OS);
    break;
  case Format::Sarif:
    printSarif(R, OS);
    break;
  case Format::GitHub:
    printGitHub(R, OS);
    break;
  case Format::GitLab:
    printGitLab(R, OS);
    break;
  }
  OS.flush();
  return llvm::Error::success();
}

} // namespace torch_tidy::runner
