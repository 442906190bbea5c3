// RUN: %check_torch_tidy %s torch-discarded-result %t -expect-remaining
#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

torch::Tensor prepare(torch::Tensor image, const torch::Device &device) {
  image.to(device);
  // CHECK-NOTES: :[[@LINE-1]]:9: warning: 'to' leaves 'image' as it is and returns another tensor, which is thrown away here; assign the result [torch-discarded-result]
  // CHECK-FIXES: image = image.to(device);
  image.clamp(0, 1);
  // CHECK-NOTES: :[[@LINE-1]]:9: warning: 'clamp' leaves 'image' as it is and returns another tensor, which is thrown away here; assign the result [torch-discarded-result]
  // CHECK-NOTES: :[[@LINE-2]]:9: note: 'clamp_' changes the tensor itself
  // CHECK-FIXES: image = image.clamp(0, 1);
  image.requires_grad_(false).cpu();
  // CHECK-NOTES: :[[@LINE-1]]:31: warning: 'cpu' leaves 'image.requires_grad_(false)' as it is and returns another tensor, which is thrown away here; assign the result [torch-discarded-result]
  // CHECK-FIXES: image = image.requires_grad_(false).cpu();
  torch::clamp(image, 0, 1);
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'clamp' leaves 'image' as it is and returns another tensor, which is thrown away here; assign the result [torch-discarded-result]
  // CHECK-NOTES: :[[@LINE-2]]:3: note: 'clamp_' changes the tensor itself
  // CHECK-FIXES: image = torch::clamp(image, 0, 1);
  image * 2;
  // CHECK-NOTES: :[[@LINE-1]]:9: warning: 'operator*' leaves 'image' as it is and returns another tensor, which is thrown away here; assign the result [torch-discarded-result]
  // CHECK-FIXES: image = image * 2;
  return image;
}

// One report for each tensor in a full expression; its fix mends all calls.
torch::Tensor choose(torch::Tensor image, torch::Tensor label, bool gpu, torch::Device device) {
  image.to(device), image.to(torch::kFloat);
  // CHECK-NOTES: :[[@LINE-1]]:9: warning: 'to' leaves 'image' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: image = image.to(device), image = image.to(torch::kFloat);
  gpu ? label.cuda() : label.cpu();
  // CHECK-NOTES: :[[@LINE-1]]:15: warning: 'cuda' leaves 'label' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: gpu ? label = label.cuda() : label = label.cpu();
  for (int i = 0; i < 3; ++i, label.mul(0.5))
    // CHECK-NOTES: :[[@LINE-1]]:37: warning: 'mul' leaves 'label' {{.*}} [torch-discarded-result]
    // CHECK-NOTES: :[[@LINE-2]]:37: note: 'mul_' changes the tensor itself
    // CHECK-FIXES: for (int i = 0; i < 3; ++i, label = label.mul(0.5))
    image.add_(label);
  if (gpu)
    image.detach();
  // CHECK-NOTES: :[[@LINE-1]]:11: warning: 'detach' leaves 'image' {{.*}} [torch-discarded-result]
  // CHECK-NOTES: :[[@LINE-2]]:11: note: 'detach_' changes the tensor itself
  // CHECK-FIXES: image = image.detach();
  return image + label;
}

struct Sample {
  torch::Tensor image;
};

class Holder {
public:
  void set_device(const torch::Device &device) { data_.to(device); }
  // CHECK-NOTES: :[[@LINE-1]]:56: warning: 'to' leaves 'data_' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: void set_device(const torch::Device &device) { data_ = data_.to(device); }

private:
  torch::Tensor data_;
};

void places(torch::Tensor *p, std::vector<Sample> &batch, std::map<std::string, torch::Tensor> &m,
            std::shared_ptr<torch::Tensor> shared, torch::Device device) {
  p->detach();
  // CHECK-NOTES: :[[@LINE-1]]:6: warning: 'detach' leaves 'p' {{.*}} [torch-discarded-result]
  // CHECK-NOTES: :[[@LINE-2]]:6: note: 'detach_' changes the tensor itself
  // CHECK-FIXES: *p = p->detach();
  shared->cpu();
  // CHECK-NOTES: :[[@LINE-1]]:11: warning: 'cpu' leaves 'shared' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: *shared = shared->cpu();
  batch[0].image.to(device);
  // CHECK-NOTES: :[[@LINE-1]]:18: warning: 'to' leaves 'batch[0].image' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: batch[0].image = batch[0].image.to(device);
  m["a"].to(device);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: 'to' leaves 'm["a"]' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: m["a"] = m["a"].to(device);
  for (auto &each : m)
    each.second.to(device);
  // CHECK-NOTES: :[[@LINE-1]]:17: warning: 'to' leaves 'each.second' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: each.second = each.second.to(device);
}

// No edit: const, a module's registered parameter, a copy that nobody reads, a reduction,
// several results.
void no_fix(const torch::Tensor &chunk, torch::nn::Linear &layer, std::vector<torch::Tensor> &all,
            torch::Tensor scores, torch::Device device) {
  chunk.contiguous();
  // CHECK-NOTES: :[[@LINE-1]]:9: warning: 'contiguous' leaves 'chunk' {{.*}} [torch-discarded-result]
  // CHECK-NOTES: :[[@LINE-4]]:34: note: 'chunk' is const: the result needs another variable
  layer->weight.to(device);
  // CHECK-NOTES: :[[@LINE-1]]:17: warning: 'to' leaves 'layer->weight' {{.*}} [torch-discarded-result]
  for (torch::Tensor each : all)
    each.to(device);
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: 'to' leaves 'each' {{.*}} [torch-discarded-result]
  scores.var();
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: 'var' leaves 'scores' {{.*}} [torch-discarded-result]
  scores.sort();
  // CHECK-NOTES: :[[@LINE-1]]:10: warning: 'sort' leaves 'scores' {{.*}} [torch-discarded-result]
}

template <class T> void convert(torch::Tensor t, T type) {
  t.to(type);
  // CHECK-NOTES: :[[@LINE-1]]:5: warning: 'to' leaves 't' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: t = t.to(type);
  t.cpu();
  // CHECK-NOTES: :[[@LINE-1]]:5: warning: 'cpu' leaves 't' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: t = t.cpu();
}
template void convert(torch::Tensor, torch::ScalarType);
template void convert(torch::Tensor, torch::Device);

#define PASS_ON(...) __VA_ARGS__
void lambda_in_macro(torch::Tensor t, torch::Device device) {
  PASS_ON([&] { t.to(device); }());
  // CHECK-NOTES: :[[@LINE-1]]:19: warning: 'to' leaves 't' {{.*}} [torch-discarded-result]
  // CHECK-FIXES: PASS_ON([&] { t = t.to(device); }());
}
