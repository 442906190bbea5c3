#pragma once

#include <c10/core/ScalarType.h>

#include <complex>
#include <type_traits>

namespace torch_host {

/// The LibTorch element type whose memory holds values of the C++ type T. `ElementType<T>::value`
/// does not compile for a T that LibTorch has no element type for.
template <class T, class = void> struct ElementType {
  static_assert(!std::is_same_v<T, T>, "LibTorch has no element type for this C++ type");
};
template <class T>
struct ElementType<T, std::void_t<decltype(c10::CppTypeToScalarType<T>::value)>> {
  static constexpr c10::ScalarType value = c10::CppTypeToScalarType<T>::value;
};
/// std::complex<T> and c10::complex<T> have the same representation.
template <> struct ElementType<std::complex<float>, void> {
  static constexpr c10::ScalarType value = c10::ScalarType::ComplexFloat;
};
template <> struct ElementType<std::complex<double>, void> {
  static constexpr c10::ScalarType value = c10::ScalarType::ComplexDouble;
};
/// The 64-bit integer type that int64_t is not has the same representation.
template <>
struct ElementType<std::conditional_t<std::is_same_v<int64_t, long>, long long, long>, void> {
  static constexpr c10::ScalarType value = c10::ScalarType::Long;
};

template <class T>
inline constexpr c10::ScalarType element_type_v = ElementType<std::remove_cv_t<T>>::value;

} // namespace torch_host
