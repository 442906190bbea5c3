#pragma once

#include <torch_host/from_host.h>

namespace torch_host::detail {

// What needs CUDA's own interfaces; without CUDA in LibTorch these do nothing and know nothing.

/// Sets LibTorch's CUDA sync debug mode to "error" or "warn"; returns the mode before.
int arm_sync_debug_mode(bool raise);
void restore_sync_debug_mode(int mode);

/// Whether a CUDA driver and a GPU are there.
bool cuda_is_available();
/// What the driver says about the pointer. Only where cuda_is_available().
PointerKind cuda_pointer_kind(const void *pointer);

} // namespace torch_host::detail
