#include "image.h"

#include <fstream>

bool Image::save(const std::string &path) const {
  std::ofstream out(path, std::ios::binary);
  out << "P6\n" << width << ' ' << height << "\n255\n";
  out.write(reinterpret_cast<const char *>(pixels.data()),
            static_cast<std::streamsize>(pixels.size()));
  return out.good();
}

std::uint32_t Image::checksum() const {
  std::uint32_t sum = 2166136261u;
  for (std::uint8_t byte : pixels)
    sum = (sum ^ byte) * 16777619u;
  return sum;
}
