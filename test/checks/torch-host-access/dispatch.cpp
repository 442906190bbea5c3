// RUN: %check_torch_tidy %s torch-host-access %t
// Functions that this file calls only where a guard holds get what the guard proves.
#include <torch/torch.h>

float onDevice(const torch::Tensor &x);

float onHost(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }

float first(const torch::Tensor &x) {
  if (x.is_cuda())
    return onDevice(x);
  return onHost(x);
}

// The other argument was never tested.
float product(const torch::Tensor &x, const torch::Tensor &y) {
  return x.data_ptr<float>()[0] * y.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:37: warning: host code reads the memory of 'y', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.data_ptr<float>()[0] * y.detach().cpu().data_ptr<float>()[0];
}

float productChecked(const torch::Tensor &x, const torch::Tensor &y) {
  TORCH_CHECK(x.device().is_cpu());
  return product(x, y);
}

// Called without a test too.
float either(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }
// CHECK-MESSAGES: :[[@LINE-1]]:49: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
// CHECK-FIXES: float either(const torch::Tensor &x) { return x.detach().cpu().data_ptr<float>()[0]; }

float guarded(const torch::Tensor &x) { return x.is_cpu() ? either(x) : 0; }
float unguarded(const torch::Tensor &x) { return either(x); }

// A host tensor of one caller says nothing of callers elsewhere.
float some(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }
// CHECK-MESSAGES: :[[@LINE-1]]:47: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
// CHECK-FIXES: float some(const torch::Tensor &x) { return x.detach().cpu().data_ptr<float>()[0]; }
float ones() { return some(torch::ones(3)); }

// A private method is called by its class alone.
class Grid {
public:
  explicit Grid(const torch::Tensor &points);

private:
  void build(const torch::Tensor &points);
  float lowest_ = 0;
};
Grid::Grid(const torch::Tensor &points) {
  TORCH_CHECK(points.is_cpu());
  build(points);
}
void Grid::build(const torch::Tensor &points) { lowest_ = points.data_ptr<float>()[0]; }
