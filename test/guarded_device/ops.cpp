// The operators of the guarded device: memory, copies, views; everything else runs on the CPU.
#include "guarded_device.h"
#include "memory.h"

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_has_compatible_shallow_copy_type_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <cstring>

namespace guarded {

namespace {

using detail::shadow;

// Copies that LibTorch's CPU fallback makes stand for kernels; no user asked for them.
thread_local int in_fallback = 0;
struct FallbackScope {
  FallbackScope() { ++in_fallback; }
  ~FallbackScope() { --in_fallback; }
};

at::Device device_of(const c10::optional<at::Device> &wanted) {
  return wanted && wanted->has_index() ? *wanted : device(detail::current_device());
}

c10::Allocator *memory() { return c10::GetAllocator(c10::DeviceType::PrivateUse1); }
const c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

at::Tensor empty(at::IntArrayRef size, c10::optional<at::ScalarType> dtype,
                 c10::optional<at::Layout>, c10::optional<at::Device> where, c10::optional<bool>,
                 c10::optional<at::MemoryFormat> format) {
  const c10::DeviceGuard guard(device_of(where));
  return at::detail::empty_generic(size, memory(), kKeys, c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride,
                         c10::optional<at::ScalarType> dtype, c10::optional<at::Layout>,
                         c10::optional<at::Device> where, c10::optional<bool>) {
  const c10::DeviceGuard guard(device_of(where));
  return at::detail::empty_strided_generic(size, stride, memory(), kKeys,
                                           c10::dtype_or_default(dtype));
}

// A copy to the host as the copy engine makes it, from a snapshot to where the destination was.
void write_to_host(const at::Tensor &snapshot, const at::Tensor &to) {
  if (!detail::fault_strikes(static_cast<int>(Fault::truncate))) {
    // LibTorch's own loops are not instrumented: ASan sees a write to freed memory in memcpy.
    const bool plain = to.scalar_type() == snapshot.scalar_type() && to.is_contiguous() &&
                       snapshot.is_contiguous() && !snapshot.is_conj() && !snapshot.is_neg() &&
                       !to.is_conj() && !to.is_neg() && to.numel() > 0;
    if (plain)
      std::memcpy(to.data_ptr(), snapshot.data_ptr(), to.nbytes());
    else
      to.copy_(snapshot);
    return;
  }
  const int64_t half = to.numel() / 2;
  to.reshape({-1}).narrow(0, 0, half).copy_(snapshot.reshape({-1}).narrow(0, 0, half));
}

void copy_to_host(const at::Tensor &from, const at::Tensor &to, bool non_blocking) {
  if (in_fallback > 0) {
    to.copy_(shadow(from));
    return;
  }
  TORCH_CHECK(!detail::fault_strikes(static_cast<int>(Fault::broken_copy)),
              "guarded device: the copy failed");
  const int index = from.device().index();
  at::Tensor snapshot = shadow(from).clone();
  if (detail::fault_strikes(static_cast<int>(Fault::moving_source)))
    scribble(from, 0, 0x5A);
  detail::count_copy(true, non_blocking);
  if (!non_blocking) {
    detail::drain(index, detail::current_stream(index), detail::last_ticket());
    write_to_host(snapshot, to);
    return;
  }
  // The engine knows an address, it does not keep the destination alive.
  const at::Tensor bare =
      to.numel() == 0 ? at::empty_like(to)
                      : at::from_blob(to.data_ptr(), to.sizes(), to.strides(), to.options());
  detail::enqueue(index, [snapshot, bare] { write_to_host(snapshot, bare); });
}

at::Tensor copy_from(const at::Tensor &from, const at::Tensor &to, bool non_blocking) {
  const bool from_here = from.device().type() == c10::DeviceType::PrivateUse1;
  const bool to_here = to.device().type() == c10::DeviceType::PrivateUse1;
  if (from_here && !to_here) {
    copy_to_host(from, to, non_blocking);
    return to;
  }
  const bool from_host = to_here && !from_here && in_fallback == 0;
  if (from_host)
    detail::count_copy(false, false);
  const at::Tensor source = from_here ? shadow(from) : from;
  const at::Tensor target = shadow(to);
  if (from_host && detail::fault_strikes(static_cast<int>(Fault::truncate)))
    target.narrow(0, 0, target.size(0) / 2).copy_(source.narrow(0, 0, source.size(0) / 2));
  else
    target.copy_(source);
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor &from, const at::Tensor &to) {
  to.resize_(from.sizes());
  return copy_from(from, to, false);
}

const at::Tensor &resize_(const at::Tensor &self, at::IntArrayRef size,
                          c10::optional<at::MemoryFormat> format) {
  int64_t count = 1;
  for (int64_t s : size)
    count *= s;
  c10::TensorImpl *impl = self.unsafeGetTensorImpl();
  const auto needed = static_cast<std::size_t>(self.storage_offset() + count) * self.element_size();
  if (needed > self.storage().nbytes()) {
    const c10::DeviceGuard guard(self.device());
    c10::DataPtr fresh = memory()->allocate(needed);
    const void *old = self.storage().data_ptr().get();
    if (old != nullptr)
      std::memcpy(detail::block_of(fresh.get()).inside, detail::block_of(old).inside,
                  self.storage().nbytes());
    c10::StorageImpl *storage = self.storage().unsafeGetStorageImpl();
    storage->set_data_ptr_noswap(std::move(fresh));
    storage->set_nbytes(needed);
  }
  impl->set_sizes_contiguous(size);
  if (format && *format != at::MemoryFormat::Preserve)
    impl->empty_tensor_restride(*format);
  return self;
}

at::Tensor &fill_(at::Tensor &self, const at::Scalar &value) {
  shadow(self).fill_(value);
  return self;
}
at::Tensor &zero_(at::Tensor &self) {
  shadow(self).zero_();
  return self;
}

at::Scalar local_scalar_dense(const at::Tensor &self) {
  const int index = self.device().index();
  detail::drain(index, detail::current_stream(index), detail::last_ticket());
  return shadow(self).item();
}

at::Tensor back(const at::Tensor &tensor, const at::Device &to) {
  return tensor.defined() ? tensor.to(to) : tensor;
}

at::Tensor convolution(const at::Tensor &input, const at::Tensor &weight,
                       const c10::optional<at::Tensor> &bias, at::IntArrayRef stride,
                       at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                       at::IntArrayRef output_padding, int64_t groups) {
  const FallbackScope scope;
  c10::optional<at::Tensor> host_bias;
  if (bias && bias->defined())
    host_bias = shadow(*bias);
  return back(at::convolution(shadow(input), shadow(weight), host_bias, stride, padding, dilation,
                              transposed, output_padding, groups),
              input.device());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor>
convolution_backward(const at::Tensor &grad, const at::Tensor &input, const at::Tensor &weight,
                     at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                     bool transposed, at::IntArrayRef output_padding, int64_t groups,
                     std::array<bool, 3> mask) {
  const FallbackScope scope;
  auto [a, b, c] = at::convolution_backward(
      shadow(grad), shadow(input), shadow(weight), at::IntArrayRef{weight.size(transposed ? 1 : 0)},
      stride, padding, dilation, transposed, output_padding, groups, mask);
  return {back(a, input.device()), back(b, input.device()), back(c, input.device())};
}

void fallback(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
  const FallbackScope scope;
  at::native::cpu_fallback(op, stack);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", TORCH_FN(empty));
  m.impl("empty_strided", TORCH_FN(empty_strided));
  m.impl("_copy_from", TORCH_FN(copy_from));
  m.impl("_copy_from_and_resize", TORCH_FN(copy_from_and_resize));
  m.impl("resize_", TORCH_FN(resize_));
  // By address: with UBSan, GCC takes no external function's address for a constant.
  m.impl("as_strided", &at::native::as_strided_tensorimpl);
  m.impl("view", &at::native::view);
  m.impl("_reshape_alias", &at::native::_reshape_alias);
  m.impl("view_as_real", &at::native::view_as_real);
  m.impl("view_as_complex", &at::native::view_as_complex);
  m.impl("unfold", &at::native::unfold);
  m.impl("set_.source_Tensor", &at::native::set_tensor_);
  m.impl("fill_.Scalar", TORCH_FN(fill_));
  m.impl("zero_", TORCH_FN(zero_));
  m.impl("_local_scalar_dense", TORCH_FN(local_scalar_dense));
  m.impl("convolution_overrideable", TORCH_FN(convolution));
  m.impl("convolution_backward_overrideable", TORCH_FN(convolution_backward));
  m.impl("_has_compatible_shallow_copy_type",
         [](const at::Tensor &, const at::Tensor &) { return true; });
}

TORCH_LIBRARY_IMPL(_, AutogradPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

// Conj and neg bits are resolved where the memory is.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

} // namespace
} // namespace guarded
