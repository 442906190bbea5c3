#include "cuda.h"

#ifdef TORCH_HOST_WITH_CUDA

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>

#include <cuda_runtime_api.h>

namespace torch_host::detail {

int arm_sync_debug_mode(bool raise) {
  auto &state = c10::cuda::warning_state();
  const auto before = state.get_sync_debug_mode();
  state.set_sync_debug_mode(raise ? c10::cuda::SyncDebugMode::L_ERROR
                                  : c10::cuda::SyncDebugMode::L_WARN);
  return static_cast<int>(before);
}

void restore_sync_debug_mode(int mode) {
  c10::cuda::warning_state().set_sync_debug_mode(static_cast<c10::cuda::SyncDebugMode>(mode));
}

bool cuda_is_available() { return c10::cuda::device_count() > 0; }

PointerKind cuda_pointer_kind(const void *pointer) {
  cudaPointerAttributes attributes{};
  C10_CUDA_CHECK(cudaPointerGetAttributes(&attributes, pointer));
  PointerKind kind;
  if (attributes.type == cudaMemoryTypeUnregistered)
    return kind;
  kind.device = c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(attributes.device));
  kind.host_accessible = attributes.type != cudaMemoryTypeDevice;
  // Page-locked host memory is no device's memory.
  if (attributes.type == cudaMemoryTypeHost)
    kind.device.reset();
  return kind;
}

} // namespace torch_host::detail

#else

namespace torch_host::detail {

int arm_sync_debug_mode(bool) { return 0; }
void restore_sync_debug_mode(int) {}
bool cuda_is_available() { return false; }
PointerKind cuda_pointer_kind(const void *) { return {}; }

} // namespace torch_host::detail

#endif
