#include "copy.h"
#include "move.h"
#include "refuse.h"

#include <torch_host/error.h>

namespace torch_host {

using detail::Batch;
using detail::Copy;
using detail::CopyRequest;
using detail::Stopwatch;
using detail::Tally;

namespace {

CopyRequest make_request(const HostOptions &options, const char *call, CallSite site,
                         bool overlapped) {
  return {options, call, site, options.validation ? *options.validation : validation(), overlapped};
}

// The time that was not spent waiting goes to copying.
void record_timed(CallSite site, Tally tally, int64_t nanoseconds) noexcept {
  tally.nanoseconds_copying = nanoseconds - tally.nanoseconds_waiting;
  detail::record(site, tally);
}

Transfer describe(at::Tensor tensor, const Tally &tally, int64_t nanoseconds) {
  Transfer transfer;
  transfer.tensor = std::move(tensor);
  transfer.aliases = tally.aliased > 0;
  transfer.bytes = tally.bytes;
  transfer.seconds = 1e-9 * static_cast<double>(nanoseconds);
  transfer.seconds_waiting = 1e-9 * static_cast<double>(tally.nanoseconds_waiting);
  transfer.synchronisations = tally.synchronisations;
  return transfer;
}

} // namespace

namespace detail {

Transfer move_to_host(const at::Tensor &tensor, const HostOptions &options, const char *call,
                      CallSite site) {
  check_transferable(tensor, call, site);
  const CopyRequest request = make_request(options, call, site, false);
  Tally tally;
  if (tensor.device().is_cpu()) {
    // No device to wait for, and often nothing to do: the short way.
    Copy copy;
    const Stopwatch watch;
    copy.start(tensor, request);
    at::Tensor result = copy.finish(request);
    tally.aliased = copy.aliases();
    tally.copied = !copy.aliases();
    tally.bytes = copy.bytes();
    // Asking the clock would take as long as sharing a storage does.
    const int64_t nanoseconds = copy.aliases() ? 0 : watch.nanoseconds();
    record_timed(site, tally, nanoseconds);
    return describe(std::move(result), tally, nanoseconds);
  }
  const Stopwatch watch;
  Batch batch(tensor, request);
  batch.wait();
  at::Tensor result = std::move(batch.finish().front());
  tally = batch.tally();
  const int64_t nanoseconds = watch.nanoseconds();
  record_timed(site, tally, nanoseconds);
  return describe(std::move(result), tally, nanoseconds);
}

} // namespace detail

Transfer transfer_to_host(const at::Tensor &tensor, const HostOptions &options, CallSite site) {
  return detail::move_to_host(tensor, options, "transfer_to_host", site);
}

at::Tensor to_host(const at::Tensor &tensor, const HostOptions &options, CallSite site) {
  return detail::move_to_host(tensor, options, "to_host", site).tensor;
}

std::vector<at::Tensor> to_host(at::TensorList tensors, const HostOptions &options, CallSite site) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    detail::check_transferable(tensors[i], "to_host", site, static_cast<int64_t>(i));
  const Stopwatch watch;
  Batch batch(tensors, make_request(options, "to_host", site, true));
  batch.wait();
  std::vector<at::Tensor> results = batch.finish();
  record_timed(site, batch.tally(), watch.nanoseconds());
  return results;
}

struct Pending::State {
  State(const at::Tensor &tensor, const HostOptions &options, CallSite where)
      : site(where), batch(tensor, make_request(options, "to_host_async", where, true)),
        nanoseconds(watch.nanoseconds()) {}
  ~State() {
    if (!result.defined())
      finish_quietly();
  }

  void finish() {
    const Stopwatch finishing;
    batch.wait();
    result = std::move(batch.finish().front());
    record_timed(site, batch.tally(), nanoseconds + finishing.nanoseconds());
  }

  // A copy that nobody fetched still ran: it is waited for and counted, but not validated.
  void finish_quietly() noexcept {
    const Stopwatch finishing;
    try {
      batch.wait();
    } catch (const std::exception &) {
      return; // the batch's destructor keeps the destination
    }
    record_timed(site, batch.tally(), nanoseconds + finishing.nanoseconds());
  }

  Stopwatch watch;
  CallSite site;
  Batch batch;
  int64_t nanoseconds;
  at::Tensor result;
};

Pending::Pending(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Pending::Pending(Pending &&) noexcept = default;
Pending &Pending::operator=(Pending &&) noexcept = default;
Pending::~Pending() = default;

at::Tensor Pending::get() {
  if (!state_)
    throw Error("Pending::get: this Pending was moved from", {});
  if (!state_->result.defined())
    state_->finish();
  return state_->result;
}

bool Pending::ready() {
  if (!state_)
    throw Error("Pending::ready: this Pending was moved from", {});
  return state_->result.defined() || state_->batch.ready();
}

Pending to_host_async(const at::Tensor &tensor, const HostOptions &options, CallSite site) {
  detail::check_transferable(tensor, "to_host_async", site);
  return Pending(std::make_unique<Pending::State>(tensor, options, site));
}

} // namespace torch_host
