#include "npy_header.h"

#include "refuse.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace torch_host::detail {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
// NumPy itself refuses headers above 10,000 bytes unless told to trust the file.
constexpr uint32_t kMaxHeader = 1 << 20;

struct TypeName {
  std::string_view torch;
  std::string_view numpy;
  /// Bytes of one number (a complex element holds two).
  std::size_t width;
};

// By LibTorch's names, since older versions lack some of the types.
constexpr std::array<TypeName, 14> kTypes{{
    {"Bool", "b1", 1},
    {"Byte", "u1", 1},
    {"Char", "i1", 1},
    {"Short", "i2", 2},
    {"Int", "i4", 4},
    {"Long", "i8", 8},
    {"UInt16", "u2", 2},
    {"UInt32", "u4", 4},
    {"UInt64", "u8", 8},
    {"Half", "f2", 2},
    {"Float", "f4", 4},
    {"Double", "f8", 8},
    {"ComplexFloat", "c8", 4},
    {"ComplexDouble", "c16", 8},
}};

// This LibTorch's type of that name.
std::optional<c10::ScalarType> type_named(std::string_view name) {
  for (int i = 0; i < static_cast<int>(c10::ScalarType::NumOptions); ++i) {
    const auto type = static_cast<c10::ScalarType>(i);
    if (name == c10::toString(type))
      return type;
  }
  return std::nullopt;
}

// Reads the Python dictionary literal that a header is: three known keys with a string, a boolean
// and a tuple of integers as values.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  // False where the text is something else.
  bool parse() {
    if (!accept('{'))
      return false;
    while (!accept('}')) {
      std::string_view key;
      if (!quoted(key) || !accept(':') || !value(key))
        return false;
      if (!accept(',') && peek() != '}')
        return false;
    }
    skip_space();
    return text_.empty() && has_descr_ && has_order_ && has_shape_;
  }

  std::string_view descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;

private:
  void skip_space() {
    const std::size_t start = text_.find_first_not_of(" \t\n");
    text_.remove_prefix(std::min(start, text_.size()));
  }
  char peek() {
    skip_space();
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char c) {
    if (peek() != c)
      return false;
    text_.remove_prefix(1);
    return true;
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (text_.substr(0, word.size()) != word)
      return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool quoted(std::string_view &out) {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos)
      return false;
    out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool integer(int64_t &out) {
    skip_space();
    const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
    if (digits == 0)
      return false;
    out = 0;
    for (char c : text_.substr(0, digits))
      if (__builtin_mul_overflow(out, 10, &out) || __builtin_add_overflow(out, c - '0', &out))
        return false;
    text_.remove_prefix(digits);
    accept('L'); // Python 2 wrote long integers so
    return true;
  }
  bool tuple() {
    if (!accept('('))
      return false;
    while (!accept(')')) {
      int64_t size = 0;
      if (!integer(size))
        return false;
      shape.push_back(size);
      if (!accept(',') && peek() != ')')
        return false;
    }
    return true;
  }
  bool value(std::string_view key) {
    if (key == "descr" && !std::exchange(has_descr_, true))
      return quoted(descr);
    if (key == "fortran_order" && !std::exchange(has_order_, true)) {
      fortran_order = accept_word("True");
      return fortran_order || accept_word("False");
    }
    if (key == "shape" && !std::exchange(has_shape_, true))
      return tuple();
    return false;
  }

  std::string_view text_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

uint32_t little_endian(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = value << 8 | bytes[i];
  return value;
}

// The text of the header; the file is then at the data.
std::string read_text(OldFile &file, const char *call, CallSite site) {
  std::array<unsigned char, 12> start{};
  if (file.left() < 10)
    refuse(call,
           file.path() + " is no NumPy file: it has " + std::to_string(file.left()) + " bytes",
           site);
  file.read(start.data(), 8);
  if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0)
    refuse(call, file.path() + " is no NumPy file: it does not start with \\x93NUMPY", site);
  const int major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    refuse(call,
           file.path() + ": NumPy format " + std::to_string(major) + "." + std::to_string(minor) +
               " is not known; 1.0 to 3.0 are",
           site);
  const int width = major == 1 ? 2 : 4;
  file.read(start.data() + 8, static_cast<std::size_t>(width));
  const uint32_t length = little_endian(start.data() + 8, width);
  if (length > kMaxHeader || length > file.left())
    refuse(call,
           file.path() + ": the header is said to be " + std::to_string(length) + " bytes, " +
               std::to_string(file.left()) + " are there",
           site);
  std::string text(length, '\0');
  file.read(text.data(), text.size());
  return text;
}

} // namespace

std::string npy_header(c10::ScalarType element, at::IntArrayRef sizes, const char *call,
                       CallSite site) {
  const std::string name = element_name(element);
  const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                 [&](const TypeName &t) { return t.torch == name; });
  if (type == kTypes.end())
    refuse(call,
           "NumPy has no element type for " + name +
               "; convert with `.to(at::kFloat)` (or another type) first",
           site);
  // A byte has no order.
  const char order = type->width == 1 ? '|' : '<';
  std::string text = std::string("{'descr': '") + order + std::string(type->numpy) +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t size : sizes)
    text += std::to_string(size) + ",";
  text += "), }";
  // The data starts at a multiple of 64 bytes; the header ends with a line feed.
  const bool is_long = text.size() + 11 > 0xffff;
  const std::size_t fixed = kMagic.size() + 2 + (is_long ? 4 : 2);
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text.push_back('\n');
  std::string header(kMagic);
  header.push_back(is_long ? 2 : 1);
  header.push_back(0);
  for (int shift = 0; shift < (is_long ? 32 : 16); shift += 8)
    header.push_back(static_cast<char>(text.size() >> shift & 0xff));
  return header + text;
}

NpyHeader read_npy_header(OldFile &file, const char *call, CallSite site) {
  const std::string text = read_text(file, call, site);
  HeaderParser parser(text);
  if (!parser.parse())
    refuse(call, file.path() + ": the header is not understood: " + text.substr(0, 200), site);
  const std::string_view descr = parser.descr;
  const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName &t) {
    return !descr.empty() && t.numpy == descr.substr(1);
  });
  const bool ordered = !descr.empty() && std::strchr("<>=|", descr.front()) != nullptr;
  const std::optional<c10::ScalarType> element =
      type == kTypes.end() ? std::nullopt : type_named(type->torch);
  if (!element || !ordered)
    refuse(call,
           file.path() + ": this LibTorch has no element type for NumPy's '" + std::string(descr) +
               "'; convert the array with `astype` before saving it",
           site);
  NpyHeader header{*element, std::move(parser.shape), parser.fortran_order};
  if (descr.front() == '>')
    header.swap_width = type->width;
  // Also the strides of an array without elements must be numbers.
  int64_t reach = static_cast<int64_t>(c10::elementSize(*element));
  for (int64_t size : header.sizes)
    if (__builtin_mul_overflow(reach, std::max<int64_t>(size, 1), &reach))
      refuse(call, file.path() + ": the shape of the header overflows", site);
  const bool empty = std::find(header.sizes.begin(), header.sizes.end(), 0) != header.sizes.end();
  header.bytes = empty ? 0 : static_cast<uint64_t>(reach);
  return header;
}

} // namespace torch_host::detail
