#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// An RGB image of 8 bits a channel, rows from top to bottom, pixels as r g b.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;

  /// Writes the image as a binary PPM file; false if that fails.
  bool save(const std::string &path) const;
  /// A checksum of the pixels, to compare two images by.
  std::uint32_t checksum() const;
};
