#pragma once

#include <torch_host/call_site.h>
#include <torch_host/element.h>

#include <ATen/core/Tensor.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace torch_host {

namespace detail {

/// One element of any type, without loss: exactly one of the members holds it.
struct Element {
  enum class Kind : uint8_t { boolean, signed_integer, unsigned_integer, real, complex } kind;
  int64_t integer = 0;
  uint64_t natural = 0;
  double real = 0;
  double imaginary = 0;
};

Element read_element(const at::Tensor &tensor, CallSite site);
[[noreturn]] void refuse_lossy(const Element &element, c10::ScalarType to, CallSite site);

template <class T> struct IsComplex : std::false_type {};
template <class T> struct IsComplex<std::complex<T>> : std::true_type {};
template <class T> struct IsComplex<c10::complex<T>> : std::true_type {};

/// Whether the integer `value` is a value of the integer type T.
template <class T, class Integer> bool fits_integer(Integer value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value == 0 || value == 1;
  } else {
    const T cast = static_cast<T>(value);
    return static_cast<Integer>(cast) == value && (cast < T{}) == (value < Integer{});
  }
}

/// Converts a number exactly; returns false where T cannot hold it.
template <class T> bool convert_real(const Element &e, T &out) {
  const bool is_signed =
      e.kind == Element::Kind::signed_integer || e.kind == Element::Kind::boolean;
  if constexpr (std::is_integral_v<T>) {
    if (e.kind == Element::Kind::real) {
      // 2^63 and 2^64 are exact doubles, so the cast below is defined for what passes.
      if (!(std::nearbyint(e.real) == e.real) || e.real < -9223372036854775808.0 ||
          e.real >= 18446744073709551616.0)
        return false;
      const bool negative = e.real < 0;
      out = negative ? static_cast<T>(static_cast<int64_t>(e.real))
                     : static_cast<T>(static_cast<uint64_t>(e.real));
      return negative ? fits_integer<T>(static_cast<int64_t>(e.real))
                      : fits_integer<T>(static_cast<uint64_t>(e.real));
    }
    out = is_signed ? static_cast<T>(e.integer) : static_cast<T>(e.natural);
    return is_signed ? fits_integer<T>(e.integer) : fits_integer<T>(e.natural);
  } else {
    if (e.kind == Element::Kind::real) {
      out = static_cast<T>(e.real);
      return static_cast<double>(out) == e.real || std::isnan(e.real);
    }
    const long double exact =
        is_signed ? static_cast<long double>(e.integer) : static_cast<long double>(e.natural);
    out = static_cast<T>(static_cast<double>(exact));
    return static_cast<long double>(static_cast<double>(out)) == exact;
  }
}

} // namespace detail

/// The only element of a tensor, on any device: one transfer, one synchronisation.
///
/// Throws Error where the tensor does not have exactly one element, or where T cannot hold its
/// value exactly (300 as uint8_t, 0.5 as int, 0.1 of a double tensor as float, an imaginary part).
/// NaN and infinities are values that every floating-point type holds. Refuses as to_host does.
template <class T> T item(const at::Tensor &tensor, CallSite site = CallSite::current()) {
  const detail::Element e = detail::read_element(tensor, site);
  if constexpr (detail::IsComplex<T>::value) {
    using Real = typename T::value_type;
    detail::Element imaginary{detail::Element::Kind::real, 0, 0, e.imaginary, 0};
    detail::Element real = e;
    if (e.kind == detail::Element::Kind::complex)
      real.kind = detail::Element::Kind::real;
    Real re{}, im{};
    if (!detail::convert_real(real, re) || !detail::convert_real(imaginary, im))
      detail::refuse_lossy(e, element_type_v<T>, site);
    return T(re, im);
  } else {
    detail::Element real = e;
    if (e.kind == detail::Element::Kind::complex) {
      if (e.imaginary != 0)
        detail::refuse_lossy(e, element_type_v<T>, site);
      real.kind = detail::Element::Kind::real;
    }
    T out{};
    if (!detail::convert_real(real, out))
      detail::refuse_lossy(e, element_type_v<T>, site);
    return out;
  }
}

} // namespace torch_host
