//===--- HostVersion.h - the LLVM that the plugin was loaded into ----------===//
#ifndef TORCH_TIDY_SUPPORT_HOSTVERSION_H
#define TORCH_TIDY_SUPPORT_HOSTVERSION_H

namespace torch_tidy::support {

/// The major version of the LLVM library in this process, by its file name (`libLLVM.so.22.1`,
/// `libLLVM-14.so.1`); 0 where LLVM is linked statically or the platform does not tell.
unsigned loadedLLVMMajor();

/// Whether the module may be registered: false, after one line on standard error, in a program of
/// another LLVM, whose classes have another layout.
bool matchesHost();

} // namespace torch_tidy::support

#endif // TORCH_TIDY_SUPPORT_HOSTVERSION_H
