#include <torch_host/npy.h>

#include "file.h"
#include "move.h"
#include "npy_header.h"
#include "refuse.h"

#include <ATen/ATen.h>

namespace torch_host {

namespace {

// Turns big-endian elements into the host's order. Complex numbers are two elements.
void swap_bytes(at::Tensor &tensor, std::size_t width) {
  auto *bytes = static_cast<char *>(tensor.data_ptr());
  const std::size_t length = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
  for (std::size_t start = 0; start < length; start += width)
    std::reverse(bytes + start, bytes + start + width);
}

at::Tensor empty_array(const detail::NpyHeader &header) {
  const auto options = at::TensorOptions(at::kCPU).dtype(header.element);
  if (!header.fortran_order)
    return at::empty(header.sizes, options);
  std::vector<int64_t> strides(header.sizes.size());
  int64_t step = 1;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    strides[i] = step;
    step *= std::max<int64_t>(header.sizes[i], 1);
  }
  return at::empty_strided(header.sizes, strides, options);
}

} // namespace

void save_npy(const std::string &path, const at::Tensor &tensor, CallSite site) {
  detail::check_transferable(tensor, "save_npy", site);
  const std::string header =
      detail::npy_header(tensor.scalar_type(), tensor.sizes(), "save_npy", site);
  const at::Tensor host = detail::move_to_host(tensor, {}, "save_npy", site).tensor;
  detail::NewFile file(path, "save_npy", site);
  file.write(header.data(), header.size());
  file.write(host.data_ptr(), static_cast<std::size_t>(host.numel()) * host.element_size());
  file.publish();
}

at::Tensor load_npy(const std::string &path, CallSite site) {
  detail::OldFile file(path, "load_npy", site);
  const detail::NpyHeader header = detail::read_npy_header(file, "load_npy", site);
  // No memory is taken before the file has shown that it holds as much.
  if (header.bytes != file.left())
    detail::refuse("load_npy",
                   path + ": the header announces " + std::to_string(header.bytes) +
                       " bytes of data, the file has " + std::to_string(file.left()),
                   site);
  at::Tensor tensor = empty_array(header);
  file.read(tensor.data_ptr(), static_cast<std::size_t>(header.bytes));
  if (header.swap_width > 1)
    swap_bytes(tensor, header.swap_width);
  return tensor;
}

} // namespace torch_host
