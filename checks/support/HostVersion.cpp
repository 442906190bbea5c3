//===--- HostVersion.cpp - the LLVM that the plugin was loaded into --------===//
#include "HostVersion.h"
#include "llvm/Config/llvm-config.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#if defined(__linux__)
#include <link.h>
#endif

namespace torch_tidy::support {

#if defined(__linux__)
static int findLLVM(dl_phdr_info *Info, size_t, void *Out) {
  const char *Name = Info->dlpi_name;
  if (const char *Slash = std::strrchr(Name, '/'))
    Name = Slash + 1;
  for (const char *Prefix : {"libLLVM.so.", "libLLVM-"}) {
    const size_t Length = std::strlen(Prefix);
    if (std::strncmp(Name, Prefix, Length) != 0)
      continue;
    if (long Major = std::strtol(Name + Length, nullptr, 10); Major > 0) {
      *static_cast<unsigned *>(Out) = static_cast<unsigned>(Major);
      return 1;
    }
  }
  return 0;
}
#endif

unsigned loadedLLVMMajor() {
  unsigned Major = 0;
#if defined(__linux__)
  dl_iterate_phdr(findLLVM, &Major);
#endif
  return Major;
}

bool matchesHost() {
  const unsigned Loaded = loadedLLVMMajor();
  if (Loaded == 0 || Loaded == LLVM_VERSION_MAJOR)
    return true;
  std::fprintf(stderr,
               "error: this TorchTidyPlugin was built for LLVM %d, but was loaded into LLVM %u: "
               "use clang-tidy-%d, or build the plugin with -DTORCH_TIDY_LLVM=%u\n",
               LLVM_VERSION_MAJOR, Loaded, LLVM_VERSION_MAJOR, Loaded);
  return false;
}

} // namespace torch_tidy::support
