#pragma once

#include <cstddef>
#include <type_traits>

#if __cplusplus >= 202002L
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

namespace torch_host {

#ifdef __cpp_lib_span
template <class T> using Span = std::span<T>;
#else
/// A pointer and a number of elements; owns nothing. C++20's std::span takes its place where the
/// standard library has it.
template <class T> class Span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr Span() noexcept = default;
  constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  /// From anything contiguous that has data() and size(), such as std::vector and std::array.
  template <class Range, class = std::enable_if_t<
                             std::is_convertible_v<decltype(std::declval<Range &>().data()), T *>>>
  constexpr Span(Range &range) noexcept : Span(range.data(), range.size()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

} // namespace torch_host
