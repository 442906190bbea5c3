#include "export.h"

#include <algorithm>
#include <fstream>

std::vector<float> to_vector(const torch::Tensor &values) {
  return std::vector<float>(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
}

Image to_image(const torch::Tensor &picture) {
  TORCH_CHECK(picture.dim() == 3 && picture.size(0) == 3, "expected 3 x H x W");
  torch::Tensor bytes = (picture * 255).round().to(torch::kUInt8).permute({1, 2, 0}).contiguous();
  Image image;
  image.height = static_cast<int>(bytes.size(0));
  image.width = static_cast<int>(bytes.size(1));
  image.pixels.resize(bytes.numel());
  const uint8_t *source = bytes.data_ptr<uint8_t>();
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = source[i];
  return image;
}

bool save_raw(const torch::Tensor &values, const std::string &path) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char *>(values.data_ptr()),
            static_cast<std::streamsize>(values.nbytes()));
  return out.good();
}

float brightest(const torch::Tensor &picture, torch::Device device) {
  torch::Tensor grey = picture.to(device).mean(0);
  // The copy that cpu() makes of a tensor on the GPU is gone at the end of this line.
  const float *values = grey.detach().cpu().data_ptr<float>();
  float best = 0;
  for (int64_t i = 0; i < grey.numel(); ++i)
    best = std::max(best, values[i]);
  return best;
}
