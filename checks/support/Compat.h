//===--- Compat.h - the one place that knows LLVM versions apart ----------===//
//
// Everything in checks/ that differs between LLVM 14 and 22 goes through this header.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_SUPPORT_COMPAT_H
#define TORCH_TIDY_SUPPORT_COMPAT_H

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"

// The registry has its own header until LLVM 22; from 24 on its names are in ClangTidyModule.h.
#if LLVM_VERSION_MAJOR < 22
#include "clang-tidy/ClangTidyModuleRegistry.h"
#endif

namespace torch_tidy::support {

/// StringRef::startswith was renamed in LLVM 16 and removed in 19.
inline bool startsWith(llvm::StringRef Text, llvm::StringRef Prefix) {
#if LLVM_VERSION_MAJOR < 16
  return Text.startswith(Prefix);
#else
  return Text.starts_with(Prefix);
#endif
}

/// StringRef::endswith was renamed in LLVM 16 and removed in 19.
inline bool endsWith(llvm::StringRef Text, llvm::StringRef Suffix) {
#if LLVM_VERSION_MAJOR < 16
  return Text.endswith(Suffix);
#else
  return Text.ends_with(Suffix);
#endif
}

/// Name of the file of \p File, empty for built-in buffers (FileEntry lost its name in LLVM 18).
inline llvm::StringRef fileName(const clang::SourceManager &SM, clang::FileID File) {
#if LLVM_VERSION_MAJOR < 18
  const clang::FileEntry *Entry = SM.getFileEntryForID(File);
  return Entry ? Entry->getName() : llvm::StringRef();
#else
  auto Entry = SM.getFileEntryRefForID(File);
  return Entry ? Entry->getName() : llvm::StringRef();
#endif
}

/// FieldDecl::isUnnamedBitfield was renamed in LLVM 19.
inline bool isUnnamedBitField(const clang::FieldDecl *F) {
#if LLVM_VERSION_MAJOR < 19
  return F->isUnnamedBitfield();
#else
  return F->isUnnamedBitField();
#endif
}

} // namespace torch_tidy::support

#endif // TORCH_TIDY_SUPPORT_COMPAT_H
