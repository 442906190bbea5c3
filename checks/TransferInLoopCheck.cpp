//===--- TransferInLoopCheck.cpp ------------------------------------------===//
#include "TransferInLoopCheck.h"
#include "fixes/LoopFix.h"

using namespace clang;

namespace torch_tidy {

using flow::HostTransfer;

void TransferInLoopCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  const SourceManager &SM = Context.getSourceManager();
  fixes::LoopFixer Fixer(Context, &Shared->HostNames);
  // One tensor in one loop: the edit of the first report is for all.
  std::map<std::pair<const Stmt *, std::string>, std::vector<const HostTransfer *>> Groups;
  auto Key = [&](const HostTransfer &X) {
    return std::pair(X.Outermost, fixes::sourceText(X.Base, Context, 200));
  };
  for (const HostTransfer &X : TU.transfers())
    if (X.Device >= MinEvidence && X.Item && !Key(X).second.empty())
      Groups[Key(X)].push_back(&X);
  std::map<std::pair<const Stmt *, std::string>, bool> Fixed;
  std::set<std::pair<unsigned, std::string>> Reported;
  for (const HostTransfer &X : TU.transfers()) {
    if (X.Device < MinEvidence)
      continue;
    std::string Name = textOf(X.Base, Context);
    const SourceLocation Root = X.Root ? X.Root->getBeginLoc() : X.Call->getExprLoc();
    if (!Name.empty() && !Reported.insert({SM.getFileLoc(Root).getRawEncoding(), Name}).second)
      continue;
    fixes::Edit Fix;
    bool Shares = false;
    if (auto Group = Groups.find(Key(X)); X.Item && Group != Groups.end()) {
      auto [It, New] = Fixed.try_emplace(Key(X), false);
      if (New) {
        Fix = Fixer.hoist(Group->second);
        It->second = bool(Fix);
      } else {
        Shares = It->second;
      }
    }
    {
      auto Diag = warn(X.Call->getExprLoc(), X.Device,
                       "%select{%1 is copied|a number of %1 is fetched}0 from the accelerator in "
                       "every turn of the loop, in which %1 does not change; copy it to the host "
                       "once, before the loop")
                  << X.Item << (Name.empty() ? "the tensor" : "'" + Name + "'");
      Diag << Fix;
    }
    note(X.Loop->getBeginLoc(), "this loop repeats it");
    note(X.DeviceFrom.Loc, X.DeviceFrom.Text);
    if (Shares)
      note(X.Call->getExprLoc(),
           "the edit of the first report on it in this loop is for this one, too");
  }
}

} // namespace torch_tidy
