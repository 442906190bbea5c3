// RUN: %check_torch_tidy %s torch-deprecated-access %t
// Later releases do not compile a dispatch on type().
// REQUIRES: torch1
#include <torch/torch.h>

#define DISPATCH_TWO(TYPE, NAME, ...)                                                              \
  [&] {                                                                                            \
    const auto &the_type = TYPE;                                                                   \
    at::ScalarType _st = ::detail::scalar_type(the_type);                                          \
    if (_st == at::kFloat) {                                                                       \
      using scalar_t = float;                                                                      \
      return __VA_ARGS__();                                                                        \
    }                                                                                              \
    using scalar_t = double;                                                                       \
    return __VA_ARGS__();                                                                          \
  }()
#define NEEDS_TYPE(TYPE)                                                                           \
  const auto &other_type = TYPE;                                                                   \
  TORCH_CHECK(other_type.is_cuda())

void dispatched(const torch::Tensor &x, float *out) {
  AT_DISPATCH_FLOATING_TYPES(x.type(), "dispatched", [&] {
    // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: 'type()' of 'x' is deprecated for a dispatch, and later releases do not compile it; use 'scalar_type()' [torch-deprecated-access]
    // CHECK-FIXES: AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dispatched", [&] {
    const auto &type = x.type();
    out[0] = static_cast<float>(sizeof(scalar_t)) + static_cast<float>(type.id());
  });
  DISPATCH_TWO(x.type(), "dispatched", [&] { out[1] = sizeof(scalar_t); });
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'type()' of 'x' is deprecated for a dispatch, {{.*}} [torch-deprecated-access]
  // CHECK-FIXES: DISPATCH_TWO(x.scalar_type(), "dispatched", [&] { out[1] = sizeof(scalar_t); });
  NEEDS_TYPE(x.type());
}
