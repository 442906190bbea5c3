#include "copy.h"

#include "refuse.h"

#include <torch_host/error.h>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>

namespace torch_host::detail {

namespace {

// Copies of at most this many bytes cost more to start than to make.
constexpr int64_t kSmall = 64 << 10;
constexpr std::size_t kWorthPacking = 4;
// Bounds the staging memory of one pack.
constexpr int64_t kPackBytes = 32 << 20;

int64_t bytes_of(const at::Tensor &tensor) {
  return tensor.numel() * static_cast<int64_t>(tensor.element_size());
}

bool has_lazy_bits(const at::Tensor &tensor) { return tensor.is_conj() || tensor.is_neg(); }

at::MemoryFormat result_format(const HostOptions &options) {
  return options.contiguous ? at::MemoryFormat::Contiguous : at::MemoryFormat::Preserve;
}

// Page-locked memory where the backend of `type` offers it, else ordinary memory.
at::Tensor empty_pinned(const at::Tensor &like, c10::DeviceType type, at::MemoryFormat format) {
  // Backends without page-locked memory say so by an exception; asked once for each type.
  static std::array<std::atomic<bool>, c10::COMPILE_TIME_MAX_DEVICE_TYPES> refuses{};
  const at::TensorOptions options = like.options().device(c10::kCPU);
  std::atomic<bool> &known_to_refuse = refuses[static_cast<std::size_t>(type)];
  if (!known_to_refuse.load()) {
    try {
      return at::empty_like(like, options.pinned_memory(true), format);
    } catch (const c10::Error &) {
      // CUDA may have run out of page-locked memory for the moment; the others have none.
      known_to_refuse.store(type != c10::kCUDA && type != c10::kHIP);
    }
  }
  return at::empty_like(like, options, format);
}

} // namespace

void Copy::start(const at::Tensor &tensor, const CopyRequest &request) {
  source_ = tensor.detach();
  element_ = request.options.dtype.value_or(tensor.scalar_type());
  if (source_.device().is_cpu())
    copy_on_host(request);
  else
    copy_from_device(request);
}

void Copy::copy_on_host(const CopyRequest &request) {
  const HostOptions &options = request.options;
  if (!options.copy && element_ == source_.scalar_type() && !has_lazy_bits(source_) &&
      !source_._is_zerotensor() && (!options.contiguous || source_.is_contiguous())) {
    host_ = source_;
    aliases_ = true;
    return;
  }
  check_transfer_allowed(request.call, bytes_of(source_), request.site);
  const c10::NoGradGuard no_grad;
  const bool full = request.level == Validation::full && !source_._is_zerotensor();
  const auto expected = [&] { return checksum(source_.resolve_conj().resolve_neg().to(element_)); };
  // copy_ into memory without conj and neg bits resolves them on the way.
  host_ = at::empty_like(source_, source_.options().dtype(element_), result_format(options));
  if (full)
    checksums_.before = expected();
  host_.copy_(source_);
  if (full)
    checksums_.after = expected();
  bytes_ = bytes_of(host_);
}

void Copy::copy_from_device(const CopyRequest &request) {
  const HostOptions &options = request.options;
  check_transfer_allowed(request.call, bytes_of(source_), request.site);
  const c10::NoGradGuard no_grad;
  const bool full = request.level == Validation::full;
  // What copy_ would finish on the host, before the bytes are there, is done on the device.
  source_ = source_.resolve_conj().resolve_neg();
  // The narrower type crosses; where the bytes are compared, the device converts.
  if (element_ != source_.scalar_type() &&
      (full || c10::elementSize(element_) <= c10::elementSize(source_.scalar_type())))
    source_ = source_.to(element_);
  if (options.contiguous || !source_.is_non_overlapping_and_dense())
    source_ = source_.contiguous();
  if (full)
    checksums_.before = checksum(source_);
  const bool pinned = options.pinned.value_or(request.overlapped);
  const c10::DeviceType type = source_.device().type();
  const bool overlapped = (request.overlapped || pinned) && can_copy_asynchronously(type);
  const at::MemoryFormat format = result_format(options);
  host_ = pinned && overlapped
              ? empty_pinned(source_, type, format)
              : at::empty_like(source_, source_.options().device(c10::kCPU), format);
  if (overlapped)
    running_on_ = source_.device();
  else
    synchronisations_ = 1;
  host_.copy_(source_, /*non_blocking=*/overlapped);
  if (full)
    checksums_.after = checksum(source_);
  bytes_ = bytes_of(host_);
}

at::Tensor Copy::finish(const CopyRequest &request) {
  running_on_.reset();
  if (checksums_.before.defined())
    validate_content(host_, checksums_, request.call, request.site);
  if (host_.scalar_type() != element_)
    host_ = host_.to(element_);
  if (request.level != Validation::off)
    validate_form(host_, {element_, source_.sizes(), request.options.contiguous}, request.call,
                  request.site);
  return std::move(host_);
}

Batch::Batch(at::TensorList tensors, const CopyRequest &request)
    : tensors_(tensors.begin(), tensors.end()), options_(request.options),
      request_{options_, request.call, request.site, request.level, request.overlapped},
      copies_(tensors.size()), packed_(tensors.size(), false) {
  try {
    start();
    fence();
  } catch (...) {
    wait_quietly();
    throw;
  }
}

bool Batch::packable(const at::Tensor &tensor) const {
  return bytes_of(tensor) <= kSmall && tensor.numel() > 0 && options_.contiguous &&
         !tensor.device().is_cpu() && can_copy_asynchronously(tensor.device().type()) &&
         !has_lazy_bits(tensor) && !tensor._is_zerotensor() && !tensor.has_names();
}

void Batch::pack_small_tensors() {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const at::Tensor &tensor = tensors_[i];
    if (!packable(tensor))
      continue;
    const auto fits = [&](const Pack &pack) {
      const at::Tensor &first = tensors_[pack.positions.front()];
      return first.device() == tensor.device() && first.scalar_type() == tensor.scalar_type() &&
             pack.bytes + bytes_of(tensor) <= kPackBytes;
    };
    auto pack = std::find_if(packs_.begin(), packs_.end(), fits);
    if (pack == packs_.end())
      pack = packs_.insert(pack, Pack());
    pack->positions.push_back(i);
    pack->bytes += bytes_of(tensor);
  }
  const auto too_few = [](const Pack &p) { return p.positions.size() < kWorthPacking; };
  packs_.erase(std::remove_if(packs_.begin(), packs_.end(), too_few), packs_.end());
  for (Pack &pack : packs_)
    for (std::size_t i : pack.positions) {
      packed_[i] = true;
      pack.parts.push_back(tensors_[i].dim() == 1 ? tensors_[i] : tensors_[i].reshape({-1}));
    }
}

void Batch::start() {
  const c10::NoGradGuard no_grad;
  if (tensors_.size() >= kWorthPacking)
    pack_small_tensors();
  for (Pack &pack : packs_) {
    pack.copy.start(at::cat(pack.parts), request_);
    pack.parts.clear();
  }
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (!packed_[i])
      copies_[i].start(tensors_[i], request_);
}

template <class Visit> void Batch::for_each_copy(Visit visit) const {
  for (const Pack &pack : packs_)
    visit(pack.copy);
  for (const Copy &copy : copies_)
    visit(copy);
}

void Batch::fence() {
  for_each_copy([&](const Copy &copy) {
    const std::optional<c10::Device> &device = copy.running_on();
    const auto is_there = [&](const Fence &fence) { return fence.device() == *device; };
    if (device && std::none_of(fences_.begin(), fences_.end(), is_there))
      fences_.emplace_back(*device);
  });
}

bool Batch::ready() const {
  return std::all_of(fences_.begin(), fences_.end(), [](const Fence &f) { return f.reached(); });
}

void Batch::wait() {
  if (fences_.empty())
    return;
  const Stopwatch watch;
  for (Fence &fence : fences_)
    fence.wait();
  waits_ += static_cast<int64_t>(fences_.size());
  nanoseconds_waiting_ += watch.nanoseconds();
  fences_.clear();
}

void Batch::wait_quietly() noexcept {
  try {
    fence();
    wait();
  } catch (...) {
    // The device cannot be waited for. Rather than let it write into freed memory, the
    // destinations stay for good.
    struct Orphans {
      std::mutex mutex;
      std::deque<std::pair<std::vector<Copy>, std::vector<Pack>>> kept;
    };
    static Orphans *orphans = new Orphans;
    const std::lock_guard<std::mutex> lock(orphans->mutex);
    orphans->kept.emplace_back(std::move(copies_), std::move(packs_));
  }
}

at::Tensor Batch::finish(Copy &copy, c10::ArrayRef<std::size_t> positions) {
  try {
    return copy.finish(request_);
  } catch (const ValidationError &error) {
    if (tensors_.size() == 1)
      throw;
    constexpr std::size_t kNamed = 8;
    std::string names = positions.size() == 1 ? "tensor" : "one of the tensors";
    for (std::size_t i : positions.slice(0, std::min(kNamed, positions.size())))
      names += (i == positions.front() ? " " : ", ") + std::to_string(i);
    if (positions.size() > kNamed)
      names += " and " + std::to_string(positions.size() - kNamed) + " more";
    throw ValidationError(std::string(request_.call) + ": " + names, error.checked(),
                          error.expected(), error.found(), error.site());
  }
}

void Batch::unpack(Pack &pack, std::vector<at::Tensor> &results) {
  const at::Tensor joined = finish(pack.copy, pack.positions);
  const auto *bytes = static_cast<const char *>(joined.data_ptr());
  for (std::size_t i : pack.positions) {
    at::Tensor part =
        at::empty(tensors_[i].sizes(), at::TensorOptions(c10::kCPU).dtype(joined.scalar_type()));
    const auto length = static_cast<std::size_t>(bytes_of(part));
    std::memcpy(part.data_ptr(), bytes, length);
    bytes += length;
    results[i] = std::move(part);
  }
}

std::vector<at::Tensor> Batch::finish() {
  std::vector<at::Tensor> results(tensors_.size());
  for (Pack &pack : packs_)
    unpack(pack, results);
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (!packed_[i])
      results[i] = finish(copies_[i], i);
  return results;
}

Tally Batch::tally() const noexcept {
  Tally tally;
  for_each_copy([&](const Copy &copy) {
    tally.aliased += copy.aliases();
    tally.bytes += copy.bytes();
    tally.synchronisations += copy.synchronisations();
  });
  tally.copied = static_cast<int64_t>(tensors_.size()) - tally.aliased;
  tally.synchronisations += waits_;
  tally.nanoseconds_waiting = nanoseconds_waiting_;
  return tally;
}

} // namespace torch_host::detail
