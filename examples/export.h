#pragma once

#include "image.h"

#include <torch/torch.h>

#include <string>
#include <vector>

/// The values of a tensor of floats, row by row.
std::vector<float> to_vector(const torch::Tensor &values);

/// An image from a 3 x H x W tensor of values between 0 and 1.
Image to_image(const torch::Tensor &picture);

/// Writes a tensor of floats to a file as raw bytes; false if that fails.
bool save_raw(const torch::Tensor &values, const std::string &path);

/// The brightest grey value of a picture.
float brightest(const torch::Tensor &picture, torch::Device device);
