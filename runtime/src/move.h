#pragma once

#include <torch_host/transfer.h>

namespace torch_host::detail {

/// transfer_to_host, in the name of `call`.
Transfer move_to_host(const at::Tensor &tensor, const HostOptions &options, const char *call,
                      CallSite site);

} // namespace torch_host::detail
