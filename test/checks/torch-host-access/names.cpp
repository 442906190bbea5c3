// RUN: %check_torch_tidy %s torch-host-access %t
// Functions and classes whose name says that they work on the CPU get host tensors, unless the code says otherwise.
#include <torch/torch.h>

float nms_cpu(const torch::Tensor &boxes) { return boxes.data_ptr<float>()[0]; }

float cpuNearest(const torch::Tensor &points) { return points.data_ptr<float>()[0]; }

struct KnnCpu {
  float run(const torch::Tensor &points) { return points.data_ptr<float>()[0]; }
};

namespace cpu {
float roi_pool(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }
} // namespace cpu

// The sibling of a CUDA function with the same parameters.
void scatter_cuda(const torch::Tensor &x);
void scatter_cuda(const torch::Tensor &x) { TORCH_CHECK(x.is_cuda()); }
float scatter(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }

// `cpu` must be a whole word.
float cpupower(const torch::Tensor &x) {
  return x.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
}

// Names that convert or ask say nothing about the argument.
float to_cpu(const torch::Tensor &x) {
  return x.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
}

float gpu_to_cpu(const torch::Tensor &x) {
  return x.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
}

bool is_cpu_ready(const torch::Tensor &x) {
  return x.data_ptr<float>()[0] > 0;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0] > 0;
}

float cpu_and_gpu(const torch::Tensor &x) {
  return x.data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: host code reads the memory of 'x', which nothing proves to be on the host; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
}

// Evidence in the code is stronger than a name.
float sum_cpu(const torch::Tensor &x) {
  return x.cuda().data_ptr<float>()[0];
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: host code reads the memory of 'x.cuda()', which is on an accelerator; copy it to the host first [torch-host-access]
  // CHECK-FIXES: return x.cuda().detach().cpu().data_ptr<float>()[0];
}

float mean_cpu(const torch::Tensor &x, torch::Device device) {
  torch::Tensor moved = x.to(device);
  return moved.data_ptr<float>()[0];
}

// The function asks for the device itself, so that it gets both kinds.
float max_cpu(const torch::Tensor &x) {
  if (x.is_cuda())
    return x.data_ptr<float>()[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: host code reads the memory of 'x', which is on an accelerator; copy it to the host first [torch-host-access]
    // CHECK-FIXES: return x.detach().cpu().data_ptr<float>()[0];
  return x.data_ptr<float>()[0];
}

// A verb belongs to the word beside it.
float point_to_voxel_cpu(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }

// The nearest name counts.
namespace kernels_gpu {
float sort_cpu(const torch::Tensor &x) { return x.data_ptr<float>()[0]; }
} // namespace kernels_gpu

// Also where the caller has no such name: nothing speaks against it.
float lowest(const torch::Tensor &boxes) { return nms_cpu(boxes); }

// And for what functions of other files return.
torch::Tensor order_cpu(const torch::Tensor &x);
float ordered(const torch::Tensor &x) { return order_cpu(x).data_ptr<float>()[0]; }
