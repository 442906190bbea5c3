//===--- FromBlobLifetimeCheck.cpp -------------------------------------------===//
#include "FromBlobLifetimeCheck.h"
#include "fixes/BlobFix.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy {

using flow::BlobEvent;
using flow::BlobIssue;
using flow::BlobLeaves;
using flow::Evidence;
using flow::OwnerGone;

static std::string whereItLeaves(BlobLeaves Leaves) {
  switch (Leaves) {
  case BlobLeaves::Used:
    return "the tensor is used here";
  case BlobLeaves::Returned:
    return "the tensor is returned here";
  case BlobLeaves::Stored:
    return "the tensor is stored here";
  case BlobLeaves::Captured:
    return "the tensor is captured here";
  case BlobLeaves::HandedOver:
    return "the tensor is handed over here";
  }
  return "";
}

static std::string whatHappens(const BlobEvent &E) {
  switch (E.Gone) {
  case OwnerGone::Resized:
    return "the memory of '" + E.Memory + "' may move here";
  case OwnerGone::Reassigned:
    return "'" + E.Memory + "' gets other memory here";
  case OwnerGone::Reset:
    return "'" + E.Memory + "' lets go of its memory here";
  case OwnerGone::ScopeEnd:
    return "'" + E.Memory + "' is declared here and ends with its scope";
  default:
    return "";
  }
}

void FromBlobLifetimeCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::BlobFixer Fixer(Context);
  for (const BlobEvent &E : TU.blobs()) {
    if (E.Issue != BlobIssue::Outlives || E.Level < MinEvidence)
      continue;
    // The edit of torch-from-blob-options may move the tensor, which copies it.
    const bool Moved = llvm::any_of(TU.blobs(), [&](const BlobEvent &O) {
      return O.Call == E.Call && O.Issue == BlobIssue::HostAsDevice;
    });
    fixes::Edit Fix;
    if (!Moved)
      Fix = Fixer.clone(E);
    {
      auto Diag =
          warn(E.Call->getExprLoc(), E.Level,
               "the tensor uses the memory of %0, and %select{a tensor that may share it|it}1 "
               "%select{is used after that memory is gone|is returned while the memory ends with "
               "the function|is stored where it outlives the memory|is captured by a function that "
               "outlives the memory|is handed to code that outlives the memory}2: freed memory is "
               "read; copy it with '.clone()'")
          << (E.Memory.empty() ? "a temporary" : "'" + E.Memory + "'")
          << (E.Level == Evidence::Proven) << unsigned(E.Leaves);
      Diag << Fix;
    }
    note(E.GoneLoc, whatHappens(E));
    if (E.At != E.Call->getExprLoc())
      note(E.At, whereItLeaves(E.Leaves));
  }
}

} // namespace torch_tidy
