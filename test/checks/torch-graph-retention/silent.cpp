// RUN: %check_torch_tidy %s torch-graph-retention %t
// Consumed by a later backward(), handed out, renewed in each turn, without history.
#include <torch/torch.h>

#include <vector>

void plot(const std::vector<torch::Tensor> &v);

void consumed(torch::nn::Linear &net, int n) {
  std::vector<torch::Tensor> a, b, c;
  torch::Tensor t = torch::zeros({}), u = torch::zeros({}), h = torch::zeros({4}), s = torch::zeros({});
  for (int i = 0; i < n; ++i) {
    auto loss = net->forward(torch::randn({8, 4})).mean();
    a.push_back(loss);
    b.push_back(loss);
    t = t + loss;
    u = u + loss;
    h = torch::tanh(h + loss);
    c.push_back(loss);
    if (c.size() == 4) {
      torch::stack(c).sum().backward();
      c.clear();
    }
  }
  torch::stack(a).mean().backward();
  for (auto &each : b)
    s = s + each;
  s.backward();
  torch::autograd::backward({t});
  torch::autograd::grad({u}, net->parameters());
}

torch::Tensor returned(torch::nn::Linear &net, int n) {
  torch::Tensor x = torch::randn({8, 4}), sum = torch::zeros({});
  std::vector<torch::Tensor> outputs;
  for (int i = 0; i < n; ++i) {
    x = x + net->forward(x);
    sum += x.mean();
    outputs.push_back(x);
  }
  return sum + torch::stack(outputs).mean();
}

void collect(torch::nn::Linear &net, const std::vector<torch::Tensor> &in, std::vector<torch::Tensor> &out) {
  for (auto &x : in)
    out.push_back(net->forward(x));
}

void handed_over(torch::nn::Linear &net, int n) {
  std::vector<torch::Tensor> a;
  for (int i = 0; i < n; ++i)
    a.push_back(net->forward(torch::randn({8, 4})).mean());
  plot(a);
}

class Given {
public:
  void add(torch::nn::Linear &net, const torch::Tensor &x) { outputs_.push_back(net->forward(x)); }
  const std::vector<torch::Tensor> &outputs() const { return outputs_; }

private:
  std::vector<torch::Tensor> outputs_;
};

torch::Tensor recurrent(torch::nn::GRUCell &cell, const std::vector<torch::Tensor> &in) {
  torch::Tensor h = torch::zeros({1, 32});
  for (auto &x : in)
    h = cell->forward(x, h);
  return h;
}

void leaves(torch::nn::Linear &net) {
  std::vector<torch::Tensor> parameters;
  for (auto &p : net->parameters())
    parameters.push_back(p);
  for (auto &p : net->named_parameters())
    parameters.push_back(p.value());
  torch::optim::SGD optimizer(parameters, 0.1);
}

float renewed(torch::nn::Linear &net, int n) {
  float s = 0;
  torch::Tensor total = torch::zeros({}), cut = torch::zeros({});
  std::vector<torch::Tensor> list;
  for (int i = 0; i < n; ++i) {
    torch::Tensor own = torch::zeros({});
    own += net->forward(torch::randn({8, 4})).mean();
    total = torch::zeros({});
    total += own;
    cut += own;
    cut.detach_();
    list = {};
    list.push_back(own);
    s += total.item<float>() + own.item<float>();
  }
  return s + cut.item<float>();
}

float not_recorded(torch::nn::Linear &net, int n) {
  torch::Tensor total = torch::zeros({});
  std::vector<torch::Tensor> guesses;
  for (int i = 0; i < n; ++i) {
    torch::Tensor out = net->forward(torch::randn({8, 4}));
    guesses.push_back(out.argmax(1));
    total += out.detach().mean();
    torch::NoGradGuard no_grad;
    total += out.mean();
    guesses.push_back(net->forward(torch::randn({8, 4})));
  }
  return total.item<float>();
}
