#pragma once

#include <torch_host/call_site.h>

#include <stdexcept>
#include <string>

namespace torch_host {

/// A request that this library refuses. what() reads `file:line: call: reason`, with what to do
/// instead where there is something to do.
class Error : public std::runtime_error {
public:
  Error(const std::string &message, CallSite site);
  /// The call that was refused.
  const CallSite &site() const noexcept { return site_; }

private:
  CallSite site_;
};

/// A transfer whose result is not what was promised. Nothing is corrected: the result is withheld.
class ValidationError : public Error {
public:
  ValidationError(const std::string &call, std::string checked, std::string expected,
                  std::string found, CallSite site);
  /// What was compared: "device", "dtype", "sizes", "strides", "alignment", "content", ...
  const std::string &checked() const noexcept { return checked_; }
  const std::string &expected() const noexcept { return expected_; }
  const std::string &found() const noexcept { return found_; }

private:
  std::string checked_;
  std::string expected_;
  std::string found_;
};

} // namespace torch_host
