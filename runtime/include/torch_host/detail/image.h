#pragma once

#include <torch_host/call_site.h>

#include <ATen/core/Tensor.h>

namespace torch_host::detail {

/// OpenCV's element types, in the order of to_mat's table.
enum class ImageDepth : uint8_t { u8, s8, u16, s16, s32, f16, f32, f64 };

struct ImageShape {
  int height;
  int width;
  int channels;
  ImageDepth depth;
};

/// Throws Error where the tensor is no image that OpenCV can hold.
ImageShape image_shape(const at::Tensor &tensor, bool channels_first, int max_channels,
                       CallSite site);
/// Fills `pixels`, a dense array of height x width x channels elements.
void copy_image(const at::Tensor &tensor, bool channels_first, void *pixels, CallSite site);

} // namespace torch_host::detail
