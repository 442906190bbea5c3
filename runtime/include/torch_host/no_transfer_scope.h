#pragma once

#include <torch_host/call_site.h>

#include <cstdint>

namespace torch_host {

/// While it lives, transfers by this thread through this library throw Error, or warn: for loops
/// that must stay on the device. A call that shares its argument's storage moves nothing and is
/// allowed. Scopes nest; the innermost decides. Create and destroy on the same thread, in order.
///
/// Where LibTorch has CUDA, the scope also sets LibTorch's CUDA sync debug mode, which makes
/// LibTorch itself throw (or warn) at its own synchronising calls. That mode is one for the whole
/// process: the scope that was made last, on any thread, decides, and the last one to end brings
/// back the mode that was there before the first.
class NoTransferScope {
public:
  enum class On : uint8_t { raise, warn };
  explicit NoTransferScope(On on = On::raise, CallSite site = CallSite::current());
  ~NoTransferScope();
  NoTransferScope(const NoTransferScope &) = delete;
  NoTransferScope &operator=(const NoTransferScope &) = delete;

  On on() const noexcept { return on_; }
  const CallSite &site() const noexcept { return site_; }

private:
  On on_;
  CallSite site_;
  NoTransferScope *outer_;
};

} // namespace torch_host
