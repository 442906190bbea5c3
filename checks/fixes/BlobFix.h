//===--- BlobFix.h - edits of from_blob calls -------------------------------===//
#ifndef TORCH_TIDY_FIXES_BLOBFIX_H
#define TORCH_TIDY_FIXES_BLOBFIX_H

#include "AccessFix.h"

namespace torch_tidy::fixes {

/// Makes the edits of `from_blob` calls; empty where the call is not spelled in one file.
class BlobFixer {
public:
  explicit BlobFixer(const clang::ASTContext &Context) : Context(Context) {}

  /// `.clone()` behind the call.
  Edit clone(const flow::BlobEvent &E) const;
  /// Adds or corrects the element type of the options.
  Edit describeType(const flow::BlobEvent &E) const;
  /// Describes the memory as the host's and moves the tensor behind the call.
  Edit moveAfterwards(const flow::BlobEvent &E) const;
  /// Adds the device of the tensor whose memory it is; \p Type is a `c10::ScalarType` to add too,
  /// or -1.
  Edit describeDevice(const flow::BlobEvent &E, int Type) const;

private:
  bool appendOption(const flow::BlobEvent &E, llvm::StringRef Call, Edit &Result) const;

  const clang::ASTContext &Context;
  model::Types Types;
};

} // namespace torch_tidy::fixes

#endif // TORCH_TIDY_FIXES_BLOBFIX_H
