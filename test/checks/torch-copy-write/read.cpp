// RUN: %check_torch_tidy %s torch-copy-write %t
// The copy is read, kept or copied back, or there is none: nothing is reported.
#include <torch/torch.h>

#include <functional>
#include <utility>
#include <vector>

torch::Tensor copied_back(const torch::Tensor &t) {
  torch::Tensor gpu = t.cuda();
  torch::Tensor host = gpu.cpu();
  host.fill_(1);
  gpu.copy_(host);
  return gpu;
}

torch::Tensor the_result(const torch::Tensor &t) {
  torch::Tensor gpu = t.cuda();
  torch::Tensor host = gpu.cpu().clamp_(0, 1);
  return torch::cat({host, gpu.cpu()});
}

torch::Tensor takes_its_name(torch::Tensor t) {
  t = t.cuda();
  t = t.cpu();
  t.mul_(2);
  return t;
}

float read_by_pointer() {
  torch::Tensor gpu = torch::zeros({4}, torch::kCUDA);
  torch::Tensor host = gpu.cpu();
  float *p = host.data_ptr<float>();
  p[0] = 1;
  return p[0] + gpu.sum().item<float>();
}

struct Keeper {
  torch::Tensor kept;
  std::vector<torch::Tensor> all;
  float keep(torch::Tensor &out, torch::Tensor &other) {
    torch::Tensor gpu = torch::zeros({4}, torch::kCUDA);
    kept = gpu.cpu();
    kept.add_(1);
    out = gpu.cpu();
    out.add_(1);
    all.push_back(gpu.cpu());
    all.back().add_(1);
    torch::Tensor swapped = gpu.cpu();
    swapped.add_(1);
    std::swap(swapped, other);
    return gpu.sum().item<float>();
  }
};

std::function<float()> captured() {
  torch::Tensor gpu = torch::zeros({4}, torch::kCUDA);
  torch::Tensor host = gpu.cpu();
  host.add_(1);
  const float sum = gpu.sum().item<float>();
  return [host, sum] { return host.sum().item<float>() - sum; };
}

// Nothing is copied, or nothing tells that it is.
torch::Tensor no_copy(const torch::Tensor &unknown) {
  torch::Tensor m = torch::zeros({4, 4});
  m.cpu().fill_(1);
  m.contiguous().data_ptr<float>()[3] = 2;
  m.reshape({-1}).zero_();
  m.to(torch::kFloat).add_(1);
  unknown.contiguous().add_(1);
  unknown.cpu().add_(1);
  return m + unknown;
}

// A copy that was asked for.
float scratch(const torch::Tensor &t) {
  torch::Tensor m = torch::zeros({4, 4}), copy = m.clone(), forced = m.to(torch::kFloat, false, true);
  copy.add_(1);
  forced.add_(1);
  return m.sum().item<float>();
}
