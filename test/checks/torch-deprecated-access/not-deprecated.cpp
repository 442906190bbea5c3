// RUN: %check_torch_tidy %s torch-deprecated-access %t
#include <torch/script.h>
#include <torch/torch.h>

#include <array>
#include <vector>

namespace other {
class Tensor {
public:
  template <typename T> T *data() const;
  template <typename T, int N> T *packed_accessor() const;
  struct Type {
    bool is_cuda() const;
    int scalarType() const;
  };
  Type type() const;
};
} // namespace other

bool foreign(const other::Tensor &t) {
  return t.data<float>() && t.packed_accessor<float, 2>() && t.type().is_cuda() &&
         t.type().scalarType() == 1;
}

// data() without a type is another handle; accessors, containers and values have a data() too.
torch::Tensor data(torch::Tensor t, std::vector<float> &v, const c10::IValue &value) {
  auto a = t.accessor<float, 1>();
  v.data()[0] = a.data()[0];
  (void)value.type();
  return t.data();
}

void current(torch::Tensor t) {
  (void)t.data_ptr<float>();
  (void)t.packed_accessor32<float, 1>();
  (void)t.packed_accessor64<float, 1>();
  (void)(t.is_cuda() && t.scalar_type() == torch::kFloat && t.device().type() == torch::kCUDA);
}

// The body of a macro is silent: the macro has to be mended, and may be another project's.
#define CHECK_CUDA(x) TORCH_CHECK((x).type().is_cuda(), #x " must be a CUDA tensor")
#define FIRST(x) (x).data<float>()[0]
float macros(torch::Tensor t) {
  CHECK_CUDA(t);
  return FIRST(t);
}
