//===--- Finding.cpp --------------------------------------------------------===//
#include "Finding.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

namespace torch_tidy::runner {

namespace json = llvm::json;

llvm::StringRef nameOf(Evidence E) {
  switch (E) {
  case Evidence::Possible:
    return "possible";
  case Evidence::Likely:
    return "likely";
  case Evidence::Proven:
    return "proven";
  }
  return "";
}

bool fromJSON(const json::Value &V, Evidence &E, json::Path P) {
  for (Evidence Level : {Evidence::Possible, Evidence::Likely, Evidence::Proven})
    if (V.getAsString() == nameOf(Level)) {
      E = Level;
      return true;
    }
  P.report("expected possible, likely or proven");
  return false;
}

static json::Object placeToJSON(const Place &P) {
  return json::Object{
      {"file", P.File}, {"line", P.Line}, {"column", P.Column}, {"offset", P.Offset}};
}

static bool placeFromJSON(json::ObjectMapper &O, Place &P) {
  return O.map("file", P.File) && O.map("line", P.Line) && O.map("column", P.Column) &&
         O.map("offset", P.Offset);
}

json::Value toJSON(const Replacement &R) {
  return json::Object{
      {"file", R.File}, {"offset", R.Offset}, {"length", R.Length}, {"text", R.Text}};
}

bool fromJSON(const json::Value &V, Replacement &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", R.File) && O.map("offset", R.Offset) && O.map("length", R.Length) &&
         O.map("text", R.Text);
}

json::Value toJSON(const Note &N) {
  json::Object O = placeToJSON(N.At);
  O["message"] = N.Message;
  return O;
}

bool fromJSON(const json::Value &V, Note &N, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && placeFromJSON(O, N.At) && O.map("message", N.Message);
}

json::Value toJSON(const Finding &F) {
  json::Object O = placeToJSON(F.At);
  O["check"] = F.Check;
  O["message"] = F.Message;
  O["evidence"] = nameOf(F.Level);
  O["source"] = F.SourceLine;
  O["notes"] = json::Array(F.Notes);
  O["fix"] = json::Array(F.Fix);
  O["fingerprint"] = F.Fingerprint;
  return O;
}

bool fromJSON(const json::Value &V, Finding &F, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && placeFromJSON(O, F.At) && O.map("check", F.Check) && O.map("message", F.Message) &&
         O.map("evidence", F.Level) && O.map("source", F.SourceLine) && O.map("notes", F.Notes) &&
         O.map("fix", F.Fix) && O.map("fingerprint", F.Fingerprint);
}

json::Value toJSON(const Failure &F) {
  return json::Object{{"file", F.File}, {"kind", F.Kind}, {"detail", F.Detail}};
}

bool fromJSON(const json::Value &V, Failure &F, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", F.File) && O.map("kind", F.Kind) && O.map("detail", F.Detail);
}

json::Value toJSON(const UnitResult &R) {
  return json::Object{{"file", R.File},
                      {"findings", json::Array(R.Findings)},
                      {"failures", json::Array(R.Failures)},
                      {"ignoredFlags", json::Array(R.IgnoredFlags)},
                      {"read", json::Array(R.Read)}};
}

bool fromJSON(const json::Value &V, UnitResult &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", R.File) && O.map("findings", R.Findings) &&
         O.map("failures", R.Failures) && O.map("ignoredFlags", R.IgnoredFlags) &&
         O.map("read", R.Read);
}

std::string fingerprintOf(const Finding &F) {
  std::string Text = F.Check + '\0' + F.At.File + '\0' + F.Message + '\0';
  for (char C : F.SourceLine)
    if (!llvm::isSpace(C))
      Text += C;
  llvm::SHA1 Hash;
  Hash.update(Text);
  const auto Bytes = Hash.final();
  return llvm::toHex(llvm::ArrayRef<uint8_t>(Bytes.data(), 10), /*LowerCase=*/true);
}

} // namespace torch_tidy::runner
