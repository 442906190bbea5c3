// RUN: %check_torch_tidy %s torch-host-access %t
// Tensors that are on the host without any guard. Nothing is reported.
#include <torch/script.h>
#include <torch/torch.h>

#include <vector>

float factories() {
  torch::Tensor a = torch::zeros({4}), b = torch::rand({4}, torch::kFloat);
  torch::Tensor c = torch::tensor({1.0f, 2.0f}), d = torch::arange(4, torch::TensorOptions().device(torch::kCPU));
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0] + c.data_ptr<float>()[0] + d.accessor<int64_t, 1>()[0];
}

float from_host_memory(std::vector<float> &values) {
  torch::Tensor t = torch::from_blob(values.data(), {4});
  return t.data_ptr<float>()[0];
}

float conversions(const torch::Tensor &t, const torch::Tensor &other) {
  torch::Tensor a = t.cpu(), b = t.to(torch::kCPU), c = t.to("cpu"), d = t.to(at::Device(torch::kCPU));
  torch::Tensor e = t.to(torch::kCPU, torch::kFloat), f = t.to(torch::TensorOptions().device(torch::kCPU));
  torch::Tensor g = t.to(a.device()), h = t.to(a);
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0] + c.data_ptr<float>()[0] + d.data_ptr<float>()[0] +
         e.data_ptr<float>()[0] + f.data_ptr<float>()[0] + g.data_ptr<float>()[0] + h.data_ptr<float>()[0];
}

float operators(const torch::Tensor &t) {
  torch::Tensor host = t.cpu();
  torch::Tensor sum = torch::softmax(host.transpose(0, 1).contiguous() * 2 + 1, 0).sum();
  torch::Tensor both = torch::cat({host, torch::ones_like(host)}).view({-1});
  return sum.data_ptr<float>()[0] + both[0].data_ptr<float>()[0] + *host.max().data_ptr<float>();
}

float several_results(const torch::Tensor &t) {
  auto sorted = t.cpu().sort(0);
  auto [values, indices] = t.cpu().max(0);
  return std::get<0>(sorted).data_ptr<float>()[0] + values.data_ptr<float>()[0] + indices.data_ptr<int64_t>()[0];
}

#define HOST torch::kCPU

float constants(const torch::Tensor &t) {
  const torch::Device host(HOST);
  auto options = t.options().device(host);
  torch::Tensor a = t.to(HOST), b = t.to(host), c = torch::empty({2}, options);
  return a.data_ptr<float>()[0] + b.data_ptr<float>()[0] + c.data_ptr<float>()[0];
}

float on_both_paths(const torch::Tensor &t, bool flip) {
  torch::Tensor host;
  if (flip)
    host = t.flip(0).cpu();
  else
    host = t.cpu();
  return host.data_ptr<float>()[0];
}

float every_turn(const torch::Tensor &batch) {
  float sum = 0;
  for (int64_t i = 0; i < batch.size(0); ++i) {
    torch::Tensor row = batch[i].cpu();
    sum += row.data_ptr<float>()[0];
  }
  return sum;
}

float containers(const torch::Tensor &t) {
  std::vector<torch::Tensor> list;
  list.push_back(t.cpu());
  list.emplace_back(torch::zeros({4}));
  float sum = 0;
  for (const auto &element : list)
    sum += element.data_ptr<float>()[0];
  return sum + list[1].data_ptr<float>()[0];
}

class Buffer {
public:
  explicit Buffer(int64_t size) : memory_(torch::zeros({size})) {}
  void clear() { memory_ = torch::zeros_like(memory_); }
  void load(const torch::Tensor &t) { memory_ = t.to(torch::kCPU); }
  float first() const { return memory_.data_ptr<float>()[0]; }

private:
  torch::Tensor memory_;
};

float in_lambdas(const torch::Tensor &t) {
  torch::Tensor host = t.cpu();
  auto first = [&] { return host.data_ptr<float>()[0]; };
  auto at = [values = host.data_ptr<float>()](int64_t i) { return values[i]; };
  at::parallel_for(0, host.numel(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      host.data_ptr<float>()[i] += 1;
  });
  return first() + at(0);
}

float a_module_that_stays() {
  torch::nn::Linear layer(4, 1);
  torch::NoGradGuard no_grad;
  torch::Tensor y = layer->forward(torch::ones({1, 4}));
  return y.data_ptr<float>()[0] + layer->weight.data_ptr<float>()[0];
}

static float first_of(const torch::Tensor &t) { return t.data_ptr<float>()[0]; }

float helper_with_host_tensors(const torch::Tensor &t) {
  return first_of(t.cpu()) + first_of(torch::ones({2}));
}

torch::Tensor to_floats(const torch::Tensor &t) { return t.to(torch::kCPU).to(torch::kFloat).contiguous(); }

float visible_results(const torch::Tensor &t) {
  torch::Tensor host = to_floats(t);
  return host.data_ptr<float>()[0];
}

// The first element of a map.
struct CpuMap {
  std::map<std::string, std::tuple<torch::Tensor, torch::Tensor>> edges_;
  float first(const std::map<std::string, std::tuple<torch::Tensor, torch::Tensor>> &edges) {
    auto options = std::get<0>(edges.begin()->second).options();
    auto rows = torch::empty({3}, options);
    rows.data_ptr<float>()[0] = 1;
    return std::get<1>(edges.begin()->second).data_ptr<float>()[0];
  }
};

float maybeOwned(const torch::Tensor &x) {
  TORCH_CHECK(x.is_cpu());
  auto plain = x.expect_contiguous();
  return plain->data_ptr<float>()[0];
}

float symbolicSizes() {
  auto t = at::empty_symint({c10::SymInt(3)}, at::TensorOptions().device(at::kCPU));
  return t.data_ptr<float>()[0];
}

// LibTorch keeps these on the host.
int64_t batchSize(const torch::nn::utils::rnn::PackedSequence &packed) {
  return packed.batch_sizes().data_ptr<int64_t>()[0];
}

// What a member holds between the calls counts, not what it holds in one.
class Landmarks {
public:
  void find(const torch::Tensor &x, torch::Device device) {
    points_ = x.to(device) * 2;
    points_ = points_.detach().to(torch::kCPU);
    points_ *= 3;
  }
  float first() const { return points_.data_ptr<float>()[0]; }

private:
  torch::Tensor points_;
};
