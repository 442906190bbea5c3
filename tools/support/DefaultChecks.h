//===--- DefaultChecks.h - which checks are on ------------------------------===//
#ifndef TORCH_TIDY_TOOLS_SUPPORT_DEFAULTCHECKS_H
#define TORCH_TIDY_TOOLS_SUPPORT_DEFAULTCHECKS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace torch_tidy {

/// The list of checks \p Checks, as in `Checks:` of .clang-tidy, with the torch checks that nobody
/// has asked for or turned off:
///   - a list that does not speak of torch checks gets all of them, even behind `-*`;
///   - one that only turns some off (`-torch-host-access`) keeps the others;
///   - one that turns some on (`-*,torch-host-access`) is the user's choice and stays as it is.
std::string withTorchChecks(llvm::StringRef Checks);

} // namespace torch_tidy

#endif // TORCH_TIDY_TOOLS_SUPPORT_DEFAULTCHECKS_H
