#pragma once

#include <torch_host/detail/image.h>

#include <opencv2/core/mat.hpp>

namespace torch_host {

/// Where the channels of an image tensor stand.
enum class ImageLayout : uint8_t {
  /// (height, width, channels), as OpenCV stores images.
  hwc,
  /// (channels, height, width), as networks take them.
  chw,
};

/// The image as a cv::Mat that owns its memory. Two dimensions are one
/// channel, whatever the layout says. Channels keep their order (RGB stays RGB).
///
/// Throws Error where the tensor has not two or three dimensions, more than CV_CN_MAX channels, or
/// an element type that OpenCV has none for (it has uint8, int8, int16, int32, half, float and
/// double; uint16 where LibTorch has it), and for all that to_host refuses.
inline cv::Mat to_mat(const at::Tensor &tensor, ImageLayout layout = ImageLayout::hwc,
                      CallSite site = CallSite::current()) {
  const detail::ImageShape shape =
      detail::image_shape(tensor, layout == ImageLayout::chw, CV_CN_MAX, site);
  const int depths[] = {CV_8U, CV_8S, CV_16U, CV_16S, CV_32S, CV_16F, CV_32F, CV_64F};
  cv::Mat mat(shape.height, shape.width,
              CV_MAKETYPE(depths[static_cast<int>(shape.depth)], shape.channels));
  detail::copy_image(tensor, layout == ImageLayout::chw, mat.data, site);
  return mat;
}

} // namespace torch_host
