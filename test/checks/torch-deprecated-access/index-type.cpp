// RUN: %check_torch_tidy %s torch-deprecated-access %t
// An edit that would change a type on which something else depends is not offered.
#include <torch/torch.h>

using Packed = torch::PackedTensorAccessor<float, 2, torch::DefaultPtrTraits, size_t>;
void launch(Packed a);

void kernel(const torch::Tensor &t) {
  launch(t.packed_accessor<float, 2, torch::DefaultPtrTraits, size_t>());
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'packed_accessor' of 't' is deprecated, {{.*}} [torch-deprecated-access]
}

template <typename index_t> void indexed(const torch::Tensor &t) {
  auto a = t.packed_accessor<float, 2, torch::DefaultPtrTraits, index_t>();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'packed_accessor' of 't' is deprecated, {{.*}} [torch-deprecated-access]
  (void)a.size(0);
}
template void indexed<int32_t>(const torch::Tensor &);
template void indexed<int64_t>(const torch::Tensor &);
