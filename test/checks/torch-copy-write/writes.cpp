// RUN: %check_torch_tidy %s torch-copy-write %t
#include <torch/torch.h>

#include <cstring>

torch::Tensor in_place() {
  torch::Tensor weight = torch::zeros({8}, torch::kCUDA);
  weight.cpu().fill_(1);
  // CHECK-NOTES: :[[@LINE-1]]:16: warning: what is written here is lost: 'cpu()' makes a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
  // CHECK-NOTES: :[[@LINE-3]]:44: note: the accelerator is chosen here
  return weight;
}

torch::Tensor by_pointer(const torch::Device &device) {
  torch::Tensor weight = torch::zeros({8}).to(device);
  torch::Tensor host = weight.to(torch::kCPU);
  float *p = host.data_ptr<float>();
  for (int i = 0; i < 8; ++i)
    p[i] += 1;
    // CHECK-NOTES: :[[@LINE-1]]:10: warning: what is written here may be lost: 'to()' may make a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
    // CHECK-NOTES: :[[@LINE-5]]:31: note: the copy is made here
    // CHECK-NOTES: :[[@LINE-8]]:47: note: the device is chosen at run time, by parameter 'device'
  return weight;
}

torch::Tensor by_accessor() {
  torch::Tensor wide = torch::zeros({8}).to(torch::kDouble), half = wide.to(torch::kHalf);
  auto a = half.accessor<at::Half, 1>();
  a[0] = 1;
  // CHECK-NOTES: :[[@LINE-1]]:8: warning: what is written here is lost: 'to()' makes a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
  // CHECK-NOTES: :[[@LINE-4]]:74: note: the copy is made here
  return wide;
}

torch::Tensor other_layout() {
  torch::Tensor m = torch::zeros({3, 3});
  torch::Tensor columns = m.t().contiguous();
  std::memset(columns.data_ptr(), 1, columns.nbytes());
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: what is written here is lost: 'contiguous()' makes a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
  // CHECK-NOTES: :[[@LINE-3]]:33: note: the copy is made here
  m.t().reshape({-1})[0] = 1;
  // CHECK-NOTES: :[[@LINE-1]]:26: warning: what is written here is lost: 'reshape()' makes a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
  m.t().flatten().slice(0, 0, 3).zero_();
  // CHECK-NOTES: :[[@LINE-1]]:34: warning: what is written here is lost: 'flatten()' makes a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
  return m;
}

struct Model {
  torch::Tensor weight = torch::zeros({8}, torch::kCUDA);
  void init() {
    torch::nn::init::constant_(weight.cpu(), 1);
    // CHECK-NOTES: :[[@LINE-1]]:5: warning: what is written here is lost: 'cpu()' makes a copy that nobody reads, and the original is used unchanged; write to the original, or copy the result back [torch-copy-write]
    // CHECK-NOTES: :[[@LINE-4]]:44: note: the accelerator is chosen here
  }
};
