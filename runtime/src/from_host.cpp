#include <torch_host/from_host.h>

#include "cuda.h"
#include "refuse.h"

#include <ATen/ATen.h>

#include <map>
#include <mutex>

namespace torch_host {

namespace {

// How drivers that LibTorch does not know are asked.
struct Probes {
  std::mutex mutex;
  std::map<at::DeviceType, std::function<PointerKind(const void *)>> by_type;

  static Probes &instance() {
    static Probes *probes = new Probes;
    return *probes;
  }
};

using Probe = std::pair<at::DeviceType, std::function<PointerKind(const void *)>>;

std::vector<Probe> all_probes() {
  Probes &probes = Probes::instance();
  const std::lock_guard<std::mutex> lock(probes.mutex);
  std::vector<Probe> result(probes.by_type.begin(), probes.by_type.end());
  if (detail::cuda_is_available())
    result.emplace_back(at::kCUDA, detail::cuda_pointer_kind);
  return result;
}

// Throws where a driver says that the pointer is not memory of `device`.
void check_pointer(const void *pointer, at::Device device, CallSite site) {
  for (const auto &[type, probe] : all_probes()) {
    const bool claimed = type == device.type();
    if (!claimed && !device.is_cpu())
      continue;
    const PointerKind kind = probe(pointer);
    if (device.is_cpu()) {
      if (kind.device && !kind.host_accessible)
        detail::refuse("from_device",
                       "the pointer is memory of " + kind.device->str() +
                           ", which the host cannot reach, but was said to be on the CPU",
                       site);
      continue;
    }
    if (!kind.device)
      detail::refuse("from_device",
                     "the pointer is host memory, but was said to be on " + device.str(), site);
    if (device.has_index() && kind.device->index() != device.index())
      detail::refuse("from_device",
                     "the pointer is memory of " + kind.device->str() + ", but was said to be on " +
                         device.str(),
                     site);
  }
}

// Product of the sizes and of the span in memory; throws where one does not fit 63 bits.
struct Extent {
  int64_t elements = 1;
  /// Elements from the first to the last, both included.
  int64_t span = 1;
};

Extent extent_of(const detail::Blob &blob, const char *call, CallSite site) {
  Extent extent;
  bool overflow = false;
  for (int64_t size : blob.sizes)
    overflow |= __builtin_mul_overflow(extent.elements, size, &extent.elements);
  if (blob.strides && extent.elements > 0) {
    for (std::size_t i = 0; i < blob.sizes.size(); ++i) {
      int64_t reach = 0;
      overflow |= __builtin_mul_overflow(blob.sizes[i] - 1, (*blob.strides)[i], &reach);
      overflow |= __builtin_add_overflow(extent.span, reach, &extent.span);
    }
  } else {
    extent.span = extent.elements;
  }
  int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(std::max(extent.span, extent.elements),
                                     static_cast<int64_t>(c10::elementSize(blob.element)), &bytes);
  if (overflow)
    detail::refuse(call, "the shape " + detail::shape_text(blob.sizes) + " overflows", site);
  return extent;
}

at::Tensor make_tensor(const detail::Blob &blob, at::Device device,
                       std::shared_ptr<const void> keep_alive) {
  const auto options = at::TensorOptions(device).dtype(blob.element);
  if (blob.data == nullptr) // only where there are no elements
    return at::empty(blob.sizes, options);
  auto maker = at::for_blob(blob.data, blob.sizes);
  if (blob.strides)
    maker.strides(*blob.strides);
  return maker.deleter([owner = std::move(keep_alive)](void *) mutable { owner.reset(); })
      .options(options)
      .target_device(device)
      .make_tensor();
}

} // namespace

namespace detail {

void check_blob(const Blob &blob, const char *call, CallSite site) {
  for (int64_t size : blob.sizes)
    if (size < 0)
      refuse(call, "a size of the shape " + shape_text(blob.sizes) + " is negative", site);
  if (blob.strides) {
    if (blob.strides->size() != blob.sizes.size())
      refuse(call,
             std::to_string(blob.strides->size()) + " strides for " +
                 std::to_string(blob.sizes.size()) + " dimensions",
             site);
    for (int64_t stride : *blob.strides)
      if (stride < 0)
        refuse(call,
               "a stride of " + shape_text(*blob.strides) +
                   " is negative, which LibTorch does not have; use `flip` on the tensor",
               site);
  }
  const Extent extent = extent_of(blob, call, site);
  if (extent.elements == 0)
    return;
  if (blob.data == nullptr)
    refuse(call, "the pointer is null", site);
  if (reinterpret_cast<std::uintptr_t>(blob.data) % blob.alignment != 0)
    refuse(call,
           "the pointer is not aligned for " + element_name(blob.element) + " (" +
               std::to_string(blob.alignment) + " bytes)",
           site);
  if (blob.count && static_cast<uint64_t>(extent.span) > *blob.count)
    refuse(call,
           "the shape " + shape_text(blob.sizes) + " needs " + std::to_string(extent.span) +
               " elements, the memory holds " + std::to_string(*blob.count),
           site);
}

at::Tensor wrap_blob(const Blob &blob, std::shared_ptr<const void> keep_alive, const char *call,
                     CallSite site) {
  check_blob(blob, call, site);
  return make_tensor(blob, at::kCPU, std::move(keep_alive));
}

at::Tensor borrow_blob(const Blob &blob, bool is_const, CallSite site) {
  if (is_const)
    refuse("from_host", "a tensor could write to const memory; pass copy = true", site);
  return wrap_blob(blob, nullptr, "from_host", site);
}

at::Tensor copy_blob(const Blob &blob, CallSite site) {
  return wrap_blob(blob, nullptr, "from_host", site).clone(at::MemoryFormat::Contiguous);
}

at::Tensor wrap_device_blob(const Blob &blob, at::Device device,
                            std::shared_ptr<const void> keep_alive, CallSite site) {
  check_blob(blob, "from_device", site);
  if (device.is_cuda() && !cuda_is_available())
    refuse("from_device", "there is no CUDA device here", site);
  if (blob.data != nullptr)
    check_pointer(blob.data, device, site);
  return make_tensor(blob, device, std::move(keep_alive));
}

} // namespace detail

void set_pointer_probe(at::DeviceType type, std::function<PointerKind(const void *)> probe) {
  Probes &probes = Probes::instance();
  const std::lock_guard<std::mutex> lock(probes.mutex);
  if (probe)
    probes.by_type[type] = std::move(probe);
  else
    probes.by_type.erase(type);
}

} // namespace torch_host
