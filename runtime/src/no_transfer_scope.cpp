#include <torch_host/no_transfer_scope.h>

#include "cuda.h"
#include "record.h"
#include "refuse.h"

#include <c10/util/Exception.h>

namespace torch_host {

namespace {
thread_local NoTransferScope *innermost = nullptr;
} // namespace

NoTransferScope::NoTransferScope(On on, CallSite site)
    : on_(on), site_(site), outer_(innermost),
      sync_debug_mode_before_(outer_ == nullptr ? detail::arm_sync_debug_mode(on == On::raise)
                                                : 0) {
  innermost = this;
}

NoTransferScope::~NoTransferScope() {
  innermost = outer_;
  if (outer_ == nullptr)
    detail::restore_sync_debug_mode(sync_debug_mode_before_);
}

void detail::check_transfer_allowed(const char *call, int64_t bytes, CallSite site) {
  if (innermost == nullptr)
    return;
  const CallSite scope = innermost->site();
  const std::string message = "a transfer of " + std::to_string(bytes) +
                              " bytes inside the NoTransferScope of " + scope.file + ":" +
                              std::to_string(scope.line) + "; move it out of the scope";
  if (innermost->on() == NoTransferScope::On::raise)
    refuse(call, message, site);
  TORCH_WARN(site.file, ":", site.line, ": ", call, ": ", message);
}

} // namespace torch_host
