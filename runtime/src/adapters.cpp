#include <torch_host/detail/image.h>
#include <torch_host/detail/matrix.h>

#include "move.h"
#include "refuse.h"

#include <ATen/ATen.h>

#include <cstring>
#include <limits>
#include <optional>

namespace torch_host::detail {

namespace {

std::optional<ImageDepth> depth_of(c10::ScalarType type) {
  switch (type) {
  case c10::kByte:
    return ImageDepth::u8;
  case c10::kChar:
    return ImageDepth::s8;
  case c10::kShort:
    return ImageDepth::s16;
  case c10::kInt:
    return ImageDepth::s32;
  case c10::kHalf:
    return ImageDepth::f16;
  case c10::kFloat:
    return ImageDepth::f32;
  case c10::kDouble:
    return ImageDepth::f64;
  default:
    // By name: LibTorch has it since 2.3.
    if (element_name(type) == "UInt16")
      return ImageDepth::u16;
    return std::nullopt;
  }
}

} // namespace

MatrixShape matrix_shape(at::IntArrayRef sizes, CallSite site) {
  if (sizes.size() > 2)
    refuse("to_eigen",
           "the shape " + shape_text(sizes) +
               " has more than two dimensions; choose a matrix of "
               "it, or reshape",
           site);
  return {sizes.empty() ? 1 : sizes[0], sizes.size() < 2 ? 1 : sizes[1]};
}

ImageShape image_shape(const at::Tensor &tensor, bool channels_first, int max_channels,
                       CallSite site) {
  check_transferable(tensor, "to_mat", site);
  const at::IntArrayRef sizes = tensor.sizes();
  if (sizes.size() != 2 && sizes.size() != 3)
    refuse("to_mat",
           "the shape " + shape_text(sizes) +
               " is no image: two or three dimensions are; choose "
               "one image of a batch",
           site);
  const bool flat = sizes.size() == 2;
  const int64_t channels = flat ? 1 : sizes[channels_first ? 0 : 2];
  const int64_t height = sizes[channels_first && !flat ? 1 : 0];
  const int64_t width = sizes[channels_first && !flat ? 2 : 1];
  if (channels < 1 || channels > max_channels)
    refuse("to_mat",
           std::to_string(channels) + " channels in shape " + shape_text(sizes) +
               ", OpenCV takes " + "1 to " + std::to_string(max_channels) +
               "; is the layout (hwc or chw) the right one?",
           site);
  if (std::max(height, width) > std::numeric_limits<int>::max())
    refuse("to_mat", "the shape " + shape_text(sizes) + " is too large for OpenCV", site);
  const std::optional<ImageDepth> depth = depth_of(tensor.scalar_type());
  if (!depth)
    refuse("to_mat",
           "OpenCV has no element type for " + element_name(tensor.scalar_type()) +
               "; convert with `.to(...)` first",
           site);
  return {static_cast<int>(height), static_cast<int>(width), static_cast<int>(channels), *depth};
}

void copy_image(const at::Tensor &tensor, bool channels_first, void *pixels, CallSite site) {
  const bool turn = channels_first && tensor.dim() == 3;
  const at::Tensor host =
      move_to_host(turn ? tensor.detach().permute({1, 2, 0}) : tensor, {}, "to_mat", site).tensor;
  if (host.numel() > 0)
    std::memcpy(pixels, host.data_ptr(),
                static_cast<std::size_t>(host.numel()) * host.element_size());
}

} // namespace torch_host::detail
