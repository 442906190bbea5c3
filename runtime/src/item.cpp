#include <torch_host/item.h>

#include "move.h"
#include "refuse.h"

#include <ATen/ATen.h>

#include <sstream>

namespace torch_host::detail {

namespace {

using Kind = Element::Kind;

Kind kind_of(c10::ScalarType type) {
  if (type == c10::kBool)
    return Kind::boolean;
  if (c10::isComplexType(type))
    return Kind::complex;
  if (c10::isFloatingType(type))
    return Kind::real;
  return c10::isSignedType(type) ? Kind::signed_integer : Kind::unsigned_integer;
}

// Widened in the tensor's own type first: uint64 has no wider one and is reinterpreted.
Element widen(const at::Tensor &one) {
  Element e{kind_of(one.scalar_type())};
  switch (e.kind) {
  case Kind::boolean:
  case Kind::signed_integer:
    e.integer = *one.to(c10::kLong).data_ptr<int64_t>();
    break;
  case Kind::unsigned_integer:
    e.natural = one.element_size() == 8
                    ? *static_cast<const uint64_t *>(one.data_ptr())
                    : static_cast<uint64_t>(*one.to(c10::kLong).data_ptr<int64_t>());
    break;
  case Kind::real:
    e.real = *one.to(c10::kDouble).data_ptr<double>();
    break;
  case Kind::complex: {
    const auto value = *one.to(c10::kComplexDouble).data_ptr<c10::complex<double>>();
    e.real = value.real();
    e.imaginary = value.imag();
    break;
  }
  }
  return e;
}

std::string value_text(const Element &e) {
  std::ostringstream out;
  out.precision(17);
  switch (e.kind) {
  case Kind::boolean:
  case Kind::signed_integer:
    out << e.integer;
    break;
  case Kind::unsigned_integer:
    out << e.natural;
    break;
  case Kind::real:
    out << e.real;
    break;
  case Kind::complex:
    out << e.real << (e.imaginary < 0 ? "" : "+") << e.imaginary << "i";
    break;
  }
  return out.str();
}

} // namespace

Element read_element(const at::Tensor &tensor, CallSite site) {
  check_transferable(tensor, "item", site);
  if (tensor.numel() != 1)
    refuse("item",
           "the tensor has " + std::to_string(tensor.numel()) + " elements (shape " +
               shape_text(tensor.sizes()) + "), not one",
           site);
  return widen(move_to_host(tensor, {}, "item", site).tensor);
}

void refuse_lossy(const Element &element, c10::ScalarType to, CallSite site) {
  refuse("item",
         "the value " + value_text(element) + " is no value of type " + element_name(to) +
             "; convert the tensor with `.to(...)` where rounding is wanted",
         site);
}

} // namespace torch_host::detail
