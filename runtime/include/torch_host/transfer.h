#pragma once

#include <torch_host/call_site.h>
#include <torch_host/settings.h>

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace torch_host {

/// What a transfer did.
struct Transfer {
  /// On the CPU, without gradient, without conj and neg bits.
  at::Tensor tensor;
  /// The result shares the argument's storage: no byte was moved, and a write to one shows in the
  /// other.
  bool aliases = false;
  /// Bytes that were moved; 0 where the result aliases.
  int64_t bytes = 0;
  /// Wall-clock seconds of the whole call, and the part of it spent waiting for the device; 0 where
  /// the result aliases.
  double seconds = 0;
  double seconds_waiting = 0;
  /// How often the device was waited for.
  int64_t synchronisations = 0;
};

/// The tensor's contents on the host, as Python's `Tensor.numpy(force=True)` gives them: detached,
/// copied to the CPU, conj and neg bits resolved, row-major unless options say otherwise.
///
/// A dense CPU tensor that has the wanted element type and layout is not copied: the result shares
/// its storage. `HostOptions::copy` forces a storage of its own, `transfer_to_host` tells.
///
/// Throws Error for undefined, sparse, quantised, nested, mkldnn, meta, functional, fake and vmap
/// tensors, naming the call to use instead; ValidationError where the result is not what was
/// promised.
at::Tensor to_host(const at::Tensor &tensor, const HostOptions &options = {},
                   CallSite site = CallSite::current());

/// All tensors, in order, with one synchronisation for each device involved: every copy is started
/// without blocking, then each device is waited for once. Small tensors are packed on their device
/// and cross in one copy. Errors name the index. After an exception no copy is left running.
std::vector<at::Tensor> to_host(at::TensorList tensors, const HostOptions &options = {},
                                CallSite site = CallSite::current());

/// As to_host, and tells what was done.
Transfer transfer_to_host(const at::Tensor &tensor, const HostOptions &options = {},
                          CallSite site = CallSite::current());

/// A transfer under way. Owns source and destination; the destination cannot be reached before
/// get() has waited. Movable; used from one thread at a time.
class Pending {
public:
  Pending(Pending &&) noexcept;
  Pending &operator=(Pending &&) noexcept;
  Pending(const Pending &) = delete;
  Pending &operator=(const Pending &) = delete;
  /// Waits where get() was not called, so that no copy is left running. Never throws.
  ~Pending();

  /// Waits for the copy, validates it and hands the tensor out. Later calls return the same tensor
  /// at once. Throws Error if this object was moved from, ValidationError as to_host does.
  at::Tensor get();
  /// Whether get() would return without waiting. Throws Error if this object was moved from.
  bool ready();

private:
  struct State;
  explicit Pending(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;

  friend Pending to_host_async(const at::Tensor &, const HostOptions &, CallSite);
};

/// Starts the transfer and returns. Copies that need no device (the tensor is on the CPU, or its
/// backend has no events) are finished at once. Refuses as to_host does.
Pending to_host_async(const at::Tensor &tensor, const HostOptions &options = {},
                      CallSite site = CallSite::current());

} // namespace torch_host
