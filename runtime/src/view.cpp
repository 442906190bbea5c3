#include <torch_host/detail/view.h>

#include "move.h"
#include "record.h"
#include "refuse.h"
#include "validate.h"

#include <ATen/ATen.h>
#include <ATen/MemoryOverlap.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <mutex>
#include <unordered_map>

namespace torch_host::detail {

namespace {

struct Holders {
  int readers = 0;
  bool writer = false;
  /// Where the writer, or the first reader, was made.
  CallSite made;
};

// The living views of each storage, over all threads.
struct Claims {
  std::mutex mutex;
  std::unordered_map<const c10::StorageImpl *, Holders> held;

  static Claims &instance() {
    static Claims *claims = new Claims; // views in static objects may outlive it otherwise
    return *claims;
  }
};

std::string place(CallSite site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

void check_element(const at::Tensor &tensor, c10::ScalarType element, const char *call,
                   CallSite site) {
  if (tensor.scalar_type() != element)
    refuse(call,
           "the tensor holds " + element_name(tensor.scalar_type()) + ", not " +
               element_name(element) + "; convert with `.to(...)` or view it as what it is",
           site);
}

void set_host(View &view, at::Tensor host) {
  view.host = std::move(host);
  view.data = view.host.data_ptr();
  view.size = view.host.numel();
}

} // namespace

StorageClaim::StorageClaim(const at::Tensor &tensor, Access access, const char *call,
                           CallSite site) {
  Claims &claims = Claims::instance();
  const std::lock_guard<std::mutex> lock(claims.mutex);
  Holders &holders = claims.held[tensor.storage().unsafeGetStorageImpl()];
  if (holders.writer)
    refuse(call,
           access == Access::write
               ? "double write: a writable view of the same storage lives since " +
                     place(holders.made) + "; commit or destroy it first"
               : "stale read: a writable view of the same storage lives since " +
                     place(holders.made) + " and may not have been written back; commit it first",
           site);
  if (access == Access::write && holders.readers > 0)
    refuse(call,
           "stale read: a view that would not see what is written lives since " +
               place(holders.made) + "; destroy it first",
           site);
  holders.writer = access == Access::write;
  if (holders.readers == 0)
    holders.made = site;
  holders.readers += access == Access::read;
  storage_ = tensor.storage();
  access_ = access;
}

StorageClaim::StorageClaim(StorageClaim &&other) noexcept
    : storage_(std::exchange(other.storage_, c10::Storage())), access_(other.access_) {}

StorageClaim &StorageClaim::operator=(StorageClaim &&other) noexcept {
  if (this != &other) {
    release();
    storage_ = std::exchange(other.storage_, c10::Storage());
    access_ = other.access_;
  }
  return *this;
}

void StorageClaim::release() noexcept {
  if (!storage_)
    return;
  {
    Claims &claims = Claims::instance();
    const std::lock_guard<std::mutex> lock(claims.mutex);
    const auto held = claims.held.find(storage_.unsafeGetStorageImpl());
    if (access_ == Access::write)
      held->second.writer = false;
    else
      --held->second.readers;
    if (!held->second.writer && held->second.readers == 0)
      claims.held.erase(held);
  }
  storage_ = c10::Storage();
}

View read_view(const at::Tensor &tensor, c10::ScalarType element, CallSite site) {
  check_transferable(tensor, "host_view", site);
  check_element(tensor, element, "host_view", site);
  View view;
  view.claim = StorageClaim(tensor, Access::read, "host_view", site);
  Transfer transfer = move_to_host(tensor, {}, "host_view", site);
  view.aliases = transfer.aliases;
  set_host(view, std::move(transfer.tensor));
  return view;
}

WritableView::WritableView(const at::Tensor &tensor, c10::ScalarType element, CallSite site)
    : made_(site) {
  constexpr const char *kCall = "host_view_mut";
  check_transferable(tensor, kCall, site);
  check_element(tensor, element, kCall, site);
  if (c10::GradMode::is_enabled() && tensor.requires_grad())
    refuse(kCall,
           "the tensor requires grad, and autograd would not see the writes; use a NoGradGuard, "
           "or `detach()` first",
           site);
  if (at::has_internal_overlap(tensor) == at::MemOverlap::Yes || tensor._is_zerotensor())
    refuse(kCall, "elements of the tensor share memory (expanded?); call `contiguous()` first",
           site);
  view.claim = StorageClaim(tensor, Access::write, kCall, site);
  Transfer transfer = move_to_host(tensor, {}, kCall, site);
  view.aliases = transfer.aliases;
  set_host(view, std::move(transfer.tensor));
  source_ = tensor.detach();
  version_ = tensor.is_inference() ? 0 : source_._version();
}

void WritableView::write_back(const at::Tensor &source, CallSite site) {
  const bool counts = !source.is_inference();
  if (view.aliases) {
    if (counts)
      source.unsafeGetTensorImpl()->bump_version();
    return;
  }
  if (counts && source._version() != version_)
    refuse("host_view_mut",
           "the tensor was changed through another handle since the view was made at " +
               place(made_) + "; writing back would undo that, so nothing was written",
           site);
  const c10::NoGradGuard no_grad;
  const c10::InferenceMode inference(!counts);
  const bool moves = !source.device().is_cpu();
  Tally tally;
  tally.copied = 1;
  tally.bytes = view.size * static_cast<int64_t>(view.host.element_size());
  tally.synchronisations = moves;
  check_transfer_allowed("host_view_mut", tally.bytes, site);
  const Stopwatch watch;
  source.copy_(view.host);
  tally.nanoseconds_copying = watch.nanoseconds();
  record(site, tally);
  if (validation() == Validation::full) {
    const at::Tensor sum = checksum(source.resolve_conj().resolve_neg());
    validate_content(view.host, {sum, sum}, "host_view_mut", site);
  }
}

void WritableView::commit(CallSite site) {
  if (!live())
    return;
  const at::Tensor source = std::exchange(source_, at::Tensor());
  const StorageClaim claim = std::move(view.claim); // given up also if the write-back throws
  view.data = nullptr;
  write_back(source, site);
}

void WritableView::finish(int uncaught_at_start) {
  if (std::uncaught_exceptions() <= uncaught_at_start) {
    commit(made_);
    return;
  }
  try {
    commit(made_);
  } catch (const std::exception &error) {
    TORCH_WARN("torch_host: what was written to a view is lost: ", error.what());
  }
}

void WritableView::check_live(CallSite site) const {
  if (!live())
    refuse("host_view_mut", "the view was committed; make a new one", site);
}

int64_t flat_index(const at::Tensor &host, at::IntArrayRef index, CallSite site) {
  const at::IntArrayRef sizes = host.sizes();
  if (index.size() != sizes.size())
    refuse("at",
           std::to_string(index.size()) + " indices for a tensor of shape " + shape_text(sizes),
           site);
  int64_t flat = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (index[i] < 0 || index[i] >= sizes[i])
      refuse("at",
             "index " + shape_text(index) + " is outside a tensor of shape " + shape_text(sizes),
             site);
    flat = flat * sizes[i] + index[i];
  }
  return flat;
}

} // namespace torch_host::detail
