// RUN: %check_torch_tidy %s torch-from-blob-lifetime %t
// The tensor leaves, the memory does not: returned, stored, captured, handed over.
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

torch::Tensor vector_ends(int64_t n) {
  std::vector<float> values(n);
  return torch::from_blob(values.data(), {n});
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the tensor uses the memory of 'values', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-FIXES: return torch::from_blob(values.data(), {n}).clone();
}

torch::Tensor array_ends() {
  float corners[4] = {0, 1, 2, 3};
  torch::Tensor t = torch::from_blob(corners, {2, 2});
  // CHECK-NOTES: :[[@LINE-1]]:21: warning: the tensor uses the memory of 'corners', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+3]]:10: note: the tensor is returned here
  // CHECK-FIXES: torch::Tensor t = torch::from_blob(corners, {2, 2}).clone();
  t = t.t();
  return t;
}

torch::Tensor number_ends(float x) {
  return torch::from_blob(&x, {1});
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the tensor uses the memory of 'x', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-FIXES: return torch::from_blob(&x, {1}).clone();
}

torch::Tensor parameter_ends(std::vector<int64_t> ids, int64_t n) {
  return torch::for_blob(ids.data(), {n}).options(torch::kLong).make_tensor();
  // CHECK-NOTES: :[[@LINE-1]]:65: warning: the tensor uses the memory of 'ids', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE-2]]:10: note: the tensor is returned here
  // CHECK-FIXES: return torch::for_blob(ids.data(), {n}).options(torch::kLong).make_tensor().clone();
}

torch::Tensor owner_ends(int64_t n, const torch::Device &device) {
  auto values = std::make_unique<float[]>(n);
  return torch::from_blob(values.get(), {n}).to(device);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the tensor uses the memory of 'values', and a tensor that may share it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-FIXES: return torch::from_blob(values.get(), {n}).clone().to(device);
}

torch::Tensor idle_deleter(int64_t n) {
  std::vector<float> values(n);
  return torch::from_blob(values.data(), {n}, [](void *) {});
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the tensor uses the memory of 'values', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-FIXES: return torch::from_blob(values.data(), {n}, [](void *) {}).clone();
}

std::tuple<torch::Tensor, int64_t> in_tuple(int64_t n) {
  std::vector<float> values(n);
  return std::make_tuple(torch::from_blob(values.data(), {n}).contiguous(), n);
  // CHECK-NOTES: :[[@LINE-1]]:26: warning: the tensor uses the memory of 'values', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE-2]]:10: note: the tensor is returned here
  // CHECK-FIXES: return std::make_tuple(torch::from_blob(values.data(), {n}).clone().contiguous(), n);
}

static torch::Tensor view_of(std::vector<float> &values) {
  return torch::from_blob(values.data(), {int64_t(values.size())});
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: the tensor uses the memory of 'local', and it is returned while the memory ends with the function: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE+6]]:10: note: the tensor is returned here
  // CHECK-FIXES: return torch::from_blob(values.data(), {int64_t(values.size())}).clone();
}

torch::Tensor by_helper() {
  std::vector<float> local(3);
  return view_of(local);
}

struct Recorder {
  std::vector<torch::Tensor> rows;
  std::function<torch::Tensor()> last;
  void keep(int64_t n) {
    std::string bytes(n, '\0');
    rows.push_back(torch::from_blob(&bytes[0], {n}, torch::kByte));
    // CHECK-NOTES: :[[@LINE-1]]:20: warning: the tensor uses the memory of 'bytes', and a tensor that may share it is stored where it outlives the memory: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE-2]]:10: note: the tensor is stored here
    // CHECK-FIXES: rows.push_back(torch::from_blob(&bytes[0], {n}, torch::kByte).clone());
  }
  void capture(int64_t n) {
    std::vector<float> values(n);
    torch::Tensor t = torch::from_blob(values.data(), {n});
    // CHECK-NOTES: :[[@LINE-1]]:23: warning: the tensor uses the memory of 'values', and it is captured by a function that outlives the memory: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE+2]]:10: note: the tensor is captured here
    // CHECK-FIXES: torch::Tensor t = torch::from_blob(values.data(), {n}).clone();
    last = [t] { return t.sum(); };
  }
};

void out_parameter(torch::Tensor &out) {
  std::vector<float> values(3);
  out = torch::from_blob(values.data(), {3});
  // CHECK-NOTES: :[[@LINE-1]]:9: warning: the tensor uses the memory of 'values', and it is stored where it outlives the memory: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
  // CHECK-NOTES: :[[@LINE-2]]:7: note: the tensor is stored here
  // CHECK-FIXES: out = torch::from_blob(values.data(), {3}).clone();
}

struct Queue {
  void push(torch::Tensor t);
};

struct Worker {
  Queue queue;
  void submit() {
    std::vector<float> values(3);
    queue.push(torch::from_blob(values.data(), {3}));
    // CHECK-NOTES: :[[@LINE-1]]:16: warning: the tensor uses the memory of 'values', and it is handed to code that outlives the memory: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE-2]]:11: note: the tensor is handed over here
    // CHECK-FIXES: queue.push(torch::from_blob(values.data(), {3}).clone());
  }
  void detached() {
    std::vector<float> values(3);
    torch::Tensor t = torch::from_blob(values.data(), {3});
    // CHECK-NOTES: :[[@LINE-1]]:23: warning: the tensor uses the memory of 'values', and it is captured by a function that outlives the memory: freed memory is read; copy it with '.clone()' [torch-from-blob-lifetime]
    // CHECK-NOTES: :[[@LINE+2]]:5: note: the tensor is captured here
    // CHECK-FIXES: torch::Tensor t = torch::from_blob(values.data(), {3}).clone();
    std::thread([t] { t.sum(); }).detach();
  }
};
