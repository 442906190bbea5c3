// RUN: %check_torch_tidy %s torch-transfer-in-loop %t
// The tensor changes in the loop, is fetched once, is on the host, or nothing is known of its device.
#include <torch/torch.h>

#include <cstdint>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

void unseen(torch::Tensor t);

float changes(int64_t n) {
  torch::Tensor t = torch::rand({n}, torch::kCUDA), u = t.view(-1);
  torch::Tensor a = torch::rand({n}, torch::kCUDA), b = torch::rand({n}, torch::kCUDA);
  torch::Tensor c = torch::rand({n}, torch::kCUDA), d = torch::rand({n}, torch::kCUDA);
  torch::Tensor e = torch::rand({n}, torch::kCUDA), f = torch::rand({n}, torch::kCUDA);
  float s = 0;
  for (int64_t i = 0; i < n; ++i) {
    u.mul_(2);
    s += t[i].item<float>();
    unseen(a);
    s += a[i].item<float>();
    unseen(b.view(-1));
    s += b[i].item<float>();
    c[i] = 3;
    s += c[0].item<float>();
    torch::add_out(d, e, e);
    s += d[i].item<float>();
    f = f.roll(1);
    s += f[0].item<float>();
    s += (e * 2)[0].item<float>() + e.sum().item<float>();
  }
  return s;
}

float once(int64_t n) {
  torch::Tensor t = torch::rand({n}, torch::kCUDA);
  float s = t[0].item<float>();
  for (int64_t i = 0; i < n; ++i) {
    if (i == 7)
      return t[i].item<float>();
    if (i == 8) {
      s = t[i].item<float>();
      break;
    }
    if (i == 9)
      throw std::runtime_error(std::to_string(t[i].item<float>()));
  }
  return s;
}

float one_each(int64_t n) {
  std::vector<torch::Tensor> v;
  std::map<int, torch::Tensor> m;
  for (int64_t i = 0; i < n; ++i)
    v.push_back(torch::rand({n}, torch::kCUDA));
  m[0] = torch::rand({n}, torch::kCUDA);
  float s = 0;
  for (auto &t : v)
    s += t[0].item<float>() + t.sum().item<float>();
  for (size_t i = 0; i < v.size(); ++i)
    s += v[i][0].item<float>();
  for (auto &[key, t] : m)
    s += t[0].item<float>();
  return s;
}

class Grid {
public:
  float sum() {
    float s = 0;
    for (int64_t i = 0; i < 8; ++i) {
      grow();
      s += cells_[i].item<float>();
    }
    return s;
  }

private:
  void grow() { cells_.add_(1); }
  torch::Tensor cells_ = torch::zeros({8}, torch::kCUDA);
};

// Somebody else ends the loop.
void polling() {
  torch::Tensor done = torch::zeros({}, torch::kCUDA);
  unseen(done);
  while (done.item<float>() < 1.f)
    ;
}

float devices(const torch::Tensor &x, int64_t n) {
  torch::Tensor host = torch::rand({n}), t = x.cuda();
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += x[i].item<float>() + host[i].item<float>();
  t = t.cpu();
  for (int64_t i = 0; i < n; ++i)
    s += t[i].item<float>();
  return s;
}

void steps(int64_t n) {
  torch::Tensor x = torch::rand({4}, torch::kCUDA);
  torch::Tensor w = torch::rand({4}, torch::TensorOptions().device(torch::kCUDA).requires_grad(true));
  torch::nn::Linear net(4, 1);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer({w}, 0.1);
  for (int64_t i = 0; i < n; ++i) {
    torch::Tensor loss = (net->forward(x) * w).sum();
    loss.backward();
    optimizer.step();
    std::cout << w[0].item<float>() << w.grad()[0].item<float>() << net->bias[0].item<float>();
  }
}
