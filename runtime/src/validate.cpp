#include "validate.h"

#include "refuse.h"

#include <torch_host/error.h>

#include <ATen/ATen.h>

#include <cstdint>

namespace torch_host::detail {

namespace {

// At most this many words are weighed at once, to bound the memory that a checksum needs.
constexpr int64_t kChunk = int64_t{1} << 19;

// The widest integer type that divides the number of bytes, so that big tensors are read by words.
c10::ScalarType word_type(int64_t bytes) {
  return bytes % 8 == 0   ? c10::kLong
         : bytes % 4 == 0 ? c10::kInt
         : bytes % 2 == 0 ? c10::kShort
                          : c10::kByte;
}

// Odd weights that depend on the position: a word in the wrong place, a run of zeros and a word
// exchanged for its neighbour all change the sum. Arithmetic modulo 2^64.
at::Tensor weights(int64_t count, const at::Device &device) {
  constexpr int64_t kStep = static_cast<int64_t>(0x9E3779B97F4A7C15u);
  return at::arange(count, at::TensorOptions(device).dtype(c10::kLong)).mul_(kStep).bitwise_or_(1);
}

} // namespace

void validate_form(const at::Tensor &host, const Promise &promise, const char *call,
                   CallSite site) {
  if (!host.device().is_cpu())
    throw ValidationError(call, "device", "cpu", host.device().str(), site);
  if (host.requires_grad())
    throw ValidationError(call, "requires_grad", "false", "true", site);
  if (host.scalar_type() != promise.element)
    throw ValidationError(call, "dtype", element_name(promise.element),
                          element_name(host.scalar_type()), site);
  if (host.sizes() != promise.sizes)
    throw ValidationError(call, "sizes", shape_text(promise.sizes), shape_text(host.sizes()), site);
  if (promise.contiguous && !host.is_contiguous())
    throw ValidationError(call, "strides", "row-major", shape_text(host.strides()), site);
  if (host.is_conj() || host.is_neg())
    throw ValidationError(call, "conj and neg bits", "resolved", "set", site);
  const auto address = reinterpret_cast<std::uintptr_t>(host.data_ptr());
  // Complex elements are aligned as their parts are.
  const std::size_t needed = host.is_complex() ? host.element_size() / 2 : host.element_size();
  if (address % needed != 0)
    throw ValidationError(call, "alignment", "a multiple of " + std::to_string(needed) + " bytes",
                          "an address " + std::to_string(address % needed) + " past one", site);
}

at::Tensor checksum(const at::Tensor &tensor) {
  at::Tensor flat = tensor.contiguous().reshape({-1});
  at::Tensor sum = at::zeros({1}, flat.options().dtype(c10::kLong));
  if (flat.numel() == 0)
    return sum;
  const int64_t bytes = flat.numel() * static_cast<int64_t>(flat.element_size());
  at::Tensor words = flat.view(c10::kByte);
  // Reinterpreting needs an aligned start; a slice of a storage may not have one.
  const c10::ScalarType word = word_type(bytes);
  const int64_t word_size = static_cast<int64_t>(c10::elementSize(word));
  if (words.storage_offset() % word_size != 0)
    words = words.clone();
  words = words.view(word);
  const int64_t count = words.numel();
  const at::Tensor scale = weights(std::min(count, kChunk), flat.device());
  for (int64_t start = 0; start < count; start += kChunk) {
    const int64_t length = std::min(kChunk, count - start);
    const at::Tensor part = words.narrow(0, start, length).to(c10::kLong);
    // The chunk's number keeps equal chunks in another order apart.
    sum.add_((part * scale.narrow(0, 0, length)).sum().mul_(2 * (start / kChunk) + 1));
  }
  return sum;
}

void validate_content(const at::Tensor &host, const SourceChecksums &source, const char *call,
                      CallSite site) {
  const auto number = [](const at::Tensor &sum) { return sum.item<int64_t>(); };
  const int64_t first = number(source.before), last = number(source.after),
                found = number(checksum(host));
  if (first != last)
    throw ValidationError(call, "content of the source",
                          "unchanged (checksum " + std::to_string(first) + ")",
                          "changed during the copy (checksum " + std::to_string(last) + ")", site);
  if (found != last)
    throw ValidationError(call, "content", "checksum " + std::to_string(last),
                          "checksum " + std::to_string(found), site);
}

} // namespace torch_host::detail
