// RUN: %check_torch_tidy %s torch-dangling-data %t
// The owner is reassigned, reset, resized or left behind: no edit, only notes.
#include <torch/torch.h>

#include <utility>

float reassigned() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  t = torch::zeros({4});
  return p[0];
}

float reassigned_on_one_path(bool again) {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the memory of 't' may be gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  if (again)
    t = t * 2;
  return p[0];
}

float reset() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  t.reset();
  return p[0];
}

float resized() {
  torch::Tensor t = torch::ones({4});
  const float *p = t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the memory of 't' may be gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  t.resize_({4000});
  return p[0];
}

float inner_scope() {
  const float *p = nullptr;
  {
    torch::Tensor t = torch::ones({4});
    p = t.data_ptr<float>();
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  }
  return p[0];
}

const float *returned() {
  torch::Tensor t = torch::ones({4});
  return t.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: the memory of 't' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
}

c10::IntArrayRef returned_shape(const torch::Tensor &t) {
  torch::Tensor flat = t.view({-1});
  return flat.sizes();
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: the shape of 'flat' is gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
}

// An object that nothing is known of keeps its tensor.
class Wrapper {
public:
  virtual ~Wrapper();
  const torch::Tensor &tensor() const { return tensor_; }

private:
  torch::Tensor tensor_;
};
torch::Tensor wrapped(void *opaque) { return dynamic_cast<Wrapper *>(static_cast<Wrapper *>(opaque))->tensor(); }
struct Array {
  void *pointer;
};
Array arrayOf(int i);
torch::Tensor element(int i) {
  auto *base = static_cast<Wrapper *>(arrayOf(i).pointer);
  auto *wrapper = dynamic_cast<Wrapper *>(base);
  return wrapper->tensor();
}
int64_t elementSize() {
  auto sizes = element(1).sizes();
  return sizes[0];
}
int64_t wrappedSize(void *opaque) {
  auto sizes = wrapped(opaque).sizes();
  return sizes[0];
}

// Both may hold what the pointer points to, but never both at once.
float exchanged_under_a_flag(bool flag) {
  torch::Tensor a = torch::ones({4}), b = torch::zeros({4});
  if (flag)
    std::swap(a, b);
  const float *p = b.data_ptr<float>();
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: the memory of 'b' may be gone when it is used: its last handle goes away before; keep the tensor in a variable [torch-dangling-data]
  b = a * 2;
  return p[0];
}

float copied_after_the_exchange(bool flag) {
  torch::Tensor a = torch::ones({4}), b = torch::zeros({4});
  if (flag)
    std::swap(a, b);
  const float *p = b.data_ptr<float>();
  torch::Tensor kept = b;
  b = a * 2;
  return p[0] + kept[1].item<float>();
}
