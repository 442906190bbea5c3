//===--- TranslationUnit.h - the analysis of one file -----------------------===//
//
// Runs the engine over every function of the user's code, once, for all checks. What depends on the
// whole file is settled here: members that are always stored on the host, functions registered for
// a dispatch key, internal helpers that only get host tensors, names that say CPU.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_TRANSLATIONUNIT_H
#define TORCH_TIDY_FLOW_TRANSLATIONUNIT_H

#include "Engine.h"

namespace torch_tidy::flow {

/// All uses of the pointers that one accessor call in the source hands out, over all ways to get
/// there (callers, template instantiations).
struct Access {
  AccessSite Site;
  std::vector<PointerUse> Uses;
};

/// A body or an initialiser that the user wrote.
struct Code {
  const clang::Stmt *Body = nullptr;
  const clang::FunctionDecl *Function = nullptr; ///< Null for initialisers of variables and fields.
};

class TranslationUnit {
public:
  TranslationUnit(clang::ASTContext &Context, Settings Options);

  clang::ASTContext &context() const { return Context; }
  const SourceScope &scope() const { return Scope; }
  /// In source order.
  const std::vector<Access> &accesses() const { return Accesses; }
  const std::vector<BlobEvent> &blobs() const { return Blobs; }
  const std::vector<CopyWrite> &copyWrites() const { return CopyWrites; }
  /// In source order, each call, statement or use once.
  const std::vector<HostTransfer> &transfers() const { return Transfers; }
  const std::vector<GraphKept> &kept() const { return Kept; }
  const std::vector<EarlyUse> &earlyUses() const { return EarlyUses; }
  /// All code of the user, templates and their instantiations, the template before these.
  const std::vector<Code> &code() const { return AllCode; }

private:
  struct Index;
  void collect(const clang::DeclContext *DC, Index &I);
  void collectFunction(const clang::FunctionDecl *Fn, Index &I);
  void collectPattern(const clang::CXXRecordDecl *R);
  void readBody(const clang::Stmt *Body, const clang::FunctionDecl *Fn, Index &I);
  void trustNames(Index &I);
  void settleMembers(Index &I, Engine &E);
  void group(const std::vector<PointerUse> &Events);
  void groupCalls(const Engine &E);

  clang::ASTContext &Context;
  Settings Options;
  SourceScope Scope;
  model::Types Types;
  std::vector<Access> Accesses;
  std::vector<BlobEvent> Blobs;
  std::vector<CopyWrite> CopyWrites;
  std::vector<HostTransfer> Transfers;
  std::vector<GraphKept> Kept;
  std::vector<EarlyUse> EarlyUses;
  std::vector<Code> AllCode;
};

/// Whether \p Name says, as a whole word, that it deals with CPU tensors.
bool saysCpu(llvm::StringRef Name);
/// Whether a function \p Name gives tensors on the host, taken at its word: `sort_cpu`, `to_cpu`.
bool givesCpu(llvm::StringRef Name);

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_TRANSLATIONUNIT_H
