//===--- FromBlobOptionsCheck.cpp --------------------------------------------===//
#include "FromBlobOptionsCheck.h"
#include "fixes/BlobFix.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace torch_tidy {

using flow::BlobEvent;
using flow::BlobIssue;
using flow::Evidence;

void FromBlobOptionsCheck::report(const flow::TranslationUnit &TU) {
  ASTContext &Context = TU.context();
  fixes::BlobFixer Fixer(Context);
  auto Find = [&](const BlobEvent &E, BlobIssue Issue) -> const BlobEvent * {
    auto It = llvm::find_if(TU.blobs(), [&](const BlobEvent &O) {
      return O.Call == E.Call && O.Issue == Issue && O.Level >= MinEvidence;
    });
    return It == TU.blobs().end() ? nullptr : &*It;
  };
  for (const BlobEvent &E : TU.blobs()) {
    if (E.Level < MinEvidence)
      continue;
    const bool Certain = E.Level == Evidence::Proven;
    fixes::Edit Fix;
    switch (E.Issue) {
    case BlobIssue::Outlives:
      break;
    case BlobIssue::ElementType: {
      // One edit of the options carries both.
      const bool Other = Find(E, BlobIssue::DeviceAsHost) || Find(E, BlobIssue::HostAsDevice);
      if (!Other)
        Fix = Fixer.describeType(E);
      StringRef Has = model::Types::cppTypeName(E.PointerType);
      StringRef Says = model::Types::cppTypeName(flow::lowestType(E.Described));
      auto Diag = warn(E.Call->getExprLoc(), E.Level,
                       "the memory holds elements of type '%0', but %select{the default options "
                       "say|the options say}1 '%2': the tensor's elements are garbage; name the "
                       "type with '.dtype(torch::k%3)'")
                  << Has << (E.OptionsArg != nullptr)
                  << (Says.empty() ? StringRef("another type") : Says)
                  << model::Types::scalarTypeName(E.PointerType);
      Diag << Fix;
      break;
    }
    case BlobIssue::HostAsDevice: {
      Fix = Fixer.moveAfterwards(E);
      {
        auto Diag = warn(E.Call->getExprLoc(), E.Level,
                         "host memory%0 %select{may be|is}1 described as memory of an accelerator: "
                         "the first use there fails; make the tensor on the CPU and move it with "
                         "'.to(device)'")
                    << (E.Memory.empty() ? std::string() : " of '" + E.Memory + "'") << Certain;
        Diag << Fix;
      }
      note(E.DeviceFrom.Loc, E.DeviceFrom.Text);
      break;
    }
    case BlobIssue::DeviceAsHost: {
      const BlobEvent *Type = Find(E, BlobIssue::ElementType);
      Fix = Fixer.describeDevice(E, Type ? Type->PointerType : -1);
      std::string Name = E.Origin ? textOf(E.Origin, Context) : "";
      {
        auto Diag = warn(E.Call->getExprLoc(), E.Level,
                         "memory that %select{may be|is}0 on an accelerator is described as host "
                         "memory: reading the tensor crashes; name the device in the options, "
                         "'.device(%1)'")
                    << Certain
                    << (!E.Origin      ? "torch::kCUDA"
                        : Name.empty() ? "t.device()"
                                       : Name + ".device()");
        Diag << Fix;
      }
      note(E.DeviceFrom.Loc, E.DeviceFrom.Text);
      break;
    }
    case BlobIssue::ConstWritten:
      warn(E.Call->getExprLoc(), E.Level,
           "const memory is wrapped by way of a cast and then changed in "
           "place, behind the back of its owner; copy it with '.clone()'");
      note(E.At, "the memory is changed here");
      break;
    }
  }
}

} // namespace torch_tidy
