// RUN: %check_torch_tidy %s torch-* %t -no-pch
// A file that does not include LibTorch: nothing to say, whatever its names are.
namespace at {
struct Tensor {
  template <class T> T *data_ptr() const;
};
} // namespace at

float first(const at::Tensor &t) { return t.data_ptr<float>()[0]; }
