//===--- ResourceDir.cpp ----------------------------------------------------===//
#include "ResourceDir.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

namespace torch_tidy {

llvm::StringRef version() { return TORCH_TIDY_VERSION; }

/// Real path of the shared library that holds clang.
static std::string clangLibrary() {
  Dl_info Info;
  // A function of clang's Basic library stands for the whole.
  if (!dladdr(reinterpret_cast<void *>(&clang::getClangFullRepositoryVersion), &Info) ||
      !Info.dli_fname)
    return {};
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(Info.dli_fname, Real))
    return {};
  return Real.str().str();
}

static bool holdsHeaders(llvm::StringRef Dir) {
  llvm::SmallString<256> Header(Dir);
  llvm::sys::path::append(Header, "include", "stddef.h");
  return llvm::sys::fs::exists(Header);
}

std::string resourceDir() {
  // Debian: /usr/lib/llvm-22/lib/clang/22 (up to LLVM 15 the whole version) beside
  // /usr/lib/llvm-22/lib/libclang-cpp.so, which is a link into /usr/lib/<architecture>.
  const std::string Prefix = llvmPrefix();
  const llvm::StringRef Version = LLVM_VERSION_STRING;
  for (llvm::StringRef Name : {Version, Version.split('.').first}) {
    llvm::SmallString<256> Dir(Prefix);
    llvm::sys::path::append(Dir, "lib", "clang", Name);
    if (!Prefix.empty() && holdsHeaders(Dir))
      return Dir.str().str();
  }
  return holdsHeaders(TORCH_TIDY_RESOURCE_DIR) ? TORCH_TIDY_RESOURCE_DIR : "";
}

std::string llvmPrefix() {
  const std::string Library = clangLibrary();
  if (Library.empty())
    return {};
  const llvm::StringRef LibDir = llvm::sys::path::parent_path(Library);
  const std::string Major = llvm::StringRef(LLVM_VERSION_STRING).split('.').first.str();
  llvm::SmallString<256> Debian(LibDir);
  llvm::sys::path::append(Debian, "..", "llvm-" + Major);
  for (const std::string &Prefix :
       {llvm::sys::path::parent_path(LibDir).str(), Debian.str().str()}) {
    llvm::SmallString<256> Resources(Prefix);
    llvm::sys::path::append(Resources, "lib", "clang");
    llvm::SmallString<256> Real;
    if (llvm::sys::fs::is_directory(Resources) && !llvm::sys::fs::real_path(Prefix, Real))
      return Real.str().str();
  }
  return {};
}

bool namesResourceDir(llvm::ArrayRef<const char *> Arguments) {
  return llvm::any_of(Arguments,
                      [](llvm::StringRef Argument) { return Argument.contains("-resource-dir"); });
}

} // namespace torch_tidy
