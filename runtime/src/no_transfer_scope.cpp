#include <torch_host/no_transfer_scope.h>

#include "cuda.h"
#include "record.h"
#include "refuse.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace torch_host {

namespace {

thread_local NoTransferScope *innermost = nullptr;

// The living scopes of all threads, in the order in which they were made: LibTorch's sync debug
// mode is the last one's. Scopes of different threads end in any order.
class SyncDebugMode {
public:
  static SyncDebugMode &instance() {
    static SyncDebugMode *mode = new SyncDebugMode;
    return *mode;
  }

  void enter(const NoTransferScope *scope) {
    const std::lock_guard<std::mutex> lock(mutex_);
    scopes_.push_back(scope);
    const int before = arm();
    if (scopes_.size() == 1)
      before_ = before;
  }

  void leave(const NoTransferScope *scope) {
    const std::lock_guard<std::mutex> lock(mutex_);
    scopes_.erase(std::find(scopes_.begin(), scopes_.end(), scope));
    if (scopes_.empty())
      detail::restore_sync_debug_mode(before_);
    else
      arm();
  }

private:
  int arm() {
    return detail::arm_sync_debug_mode(scopes_.back()->on() == NoTransferScope::On::raise);
  }

  std::mutex mutex_;
  std::vector<const NoTransferScope *> scopes_;
  int before_ = 0;
};

} // namespace

NoTransferScope::NoTransferScope(On on, CallSite site) : on_(on), site_(site), outer_(innermost) {
  SyncDebugMode::instance().enter(this);
  innermost = this;
}

NoTransferScope::~NoTransferScope() {
  innermost = outer_;
  SyncDebugMode::instance().leave(this);
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
