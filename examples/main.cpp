// Trains a small model to paint a picture and writes what it painted to files. It runs on a GPU if
// there is one, where the ways in which it reads its tensors crash or give garbage; torch-tidy
// shows where, and mends it.
#include "export.h"
#include "model.h"

#include <cstdio>
#include <cstring>

int main() {
  torch::manual_seed(7);
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  Painter model;
  model->to(device);
  train(model, device, 30);

  torch::Tensor picture = model->forward(torch::ones({1, 16}).to(device))[0];

  // The mean of each channel, through a buffer that a C library might want.
  torch::Tensor means = picture.mean({1, 2});
  float channels[3];
  std::memcpy(channels, means.data_ptr<float>(), sizeof(channels));
  std::printf("means %.4f %.4f %.4f\n", channels[0], channels[1], channels[2]);

  std::vector<float> values = to_vector(picture);
  std::printf("first %.4f, last %.4f\n", values.front(), values.back());
  std::printf("brightest %.4f\n", brightest(picture, device));

  Image image = to_image(picture);
  std::printf("image %d x %d, checksum %08x\n", image.width, image.height, image.checksum());
  if (!image.save("painting.ppm") || !save_raw(picture, "painting.raw"))
    return 1;
  return 0;
}
