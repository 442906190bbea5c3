//===--- SourceScope.cpp - which code is the user's ------------------------===//
#include "SourceScope.h"
#include "../support/Compat.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace torch_tidy::flow {

SourceScope::SourceScope(ASTContext &Context) : SM(Context.getSourceManager()) {
  // `at::Tensor` and `c10::Device` (for stable-ABI code, which has no at::Tensor).
  for (auto [Namespace, Name] : {std::pair("at", "Tensor"), std::pair("c10", "Device")}) {
    const NamespaceDecl *NS = nullptr;
    for (const NamedDecl *D :
         Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Namespace)))
      if ((NS = dyn_cast<NamespaceDecl>(D)))
        break;
    if (!NS)
      continue;
    for (const NamedDecl *D : NS->lookup(&Context.Idents.get(Name))) {
      const auto *R = dyn_cast<CXXRecordDecl>(D);
      if (!R)
        continue;
      StringRef Path = pathOf(R->getLocation());
      for (StringRef Dir : {"/ATen/", "/c10/", "/torch/"}) {
        size_t At = Path.rfind(Dir);
        if (At == StringRef::npos)
          continue;
        for (StringRef Own : {"/ATen/", "/c10/", "/torch/", "/caffe2/"})
          Roots.push_back((Path.substr(0, At) + Own).str());
        break;
      }
    }
  }
}

StringRef SourceScope::pathOf(SourceLocation Loc) const {
  return support::fileName(SM, SM.getFileID(SM.getExpansionLoc(Loc)));
}

bool SourceScope::isUserCode(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return false;
  Loc = SM.getExpansionLoc(Loc);
  FileID File = SM.getFileID(Loc);
  auto It = Cache.find(File);
  if (It != Cache.end())
    return It->second;
  bool User = !SM.isInSystemHeader(Loc);
  if (User && File != SM.getMainFileID()) {
    StringRef Path = support::fileName(SM, File);
    for (const std::string &Root : Roots)
      if (support::startsWith(Path, Root))
        User = false;
  }
  Cache[File] = User;
  return User;
}

SourceLocation inFile(SourceLocation Loc, const SourceManager &SM) {
  while (Loc.isMacroID()) {
    if (!SM.isMacroArgExpansion(Loc))
      return {};
    Loc = SM.getImmediateSpellingLoc(Loc);
  }
  return Loc;
}

} // namespace torch_tidy::flow
