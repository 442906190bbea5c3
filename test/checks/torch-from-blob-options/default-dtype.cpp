// RUN: %check_torch_tidy %s torch-from-blob-options %t
// The file sets the default element type.
#include <torch/torch.h>

#include <vector>

torch::Tensor as_double(std::vector<double> &values) { return torch::from_blob(values.data(), {4}); }

torch::Tensor as_float(std::vector<float> &values) {
  return torch::from_blob(values.data(), {4});
}

int main() { torch::set_default_dtype(caffe2::TypeMeta::Make<double>()); }
