// RUN: %check_torch_tidy %s torch-graph-retention %t -expect-remaining=1
// Collected in all kinds of containers, added up in all kinds of ways.
#include <torch/torch.h>

#include <deque>
#include <list>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

struct Entry {
  int step;
  torch::Tensor loss;
};

void add_to(std::vector<torch::Tensor> &list, const torch::Tensor &loss) { list.push_back(loss); }
// CHECK-MESSAGES: :[[@LINE-1]]:81: warning: 'loss' is collected in 'list' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
// CHECK-FIXES: void add_to(std::vector<torch::Tensor> &list, const torch::Tensor &loss) { list.push_back(loss.detach()); }
torch::Tensor plus(const torch::Tensor &a, const torch::Tensor &b) { return a + b; }

float containers(torch::nn::Linear &net, torch::optim::SGD &optimizer, int n) {
  std::vector<torch::Tensor> losses(n), by_helper, once;
  std::deque<torch::Tensor> recent;
  std::list<torch::Tensor> list;
  std::queue<torch::Tensor> queue;
  std::map<int, torch::Tensor> by_step;
  std::map<std::string, torch::Tensor> newest;
  std::vector<Entry> entries;
  std::vector<std::pair<int, torch::Tensor>> pairs;
  std::vector<std::vector<torch::Tensor>> nested;
  torch::Tensor ring[2];
  for (int i = 0; i < n; ++i) {
    optimizer.zero_grad();
    torch::Tensor loss = net->forward(torch::randn({8, 4})).square().mean();
    loss.backward();
    optimizer.step();
    losses[i] = loss;
    // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'loss' is collected in 'losses[i]' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    recent.push_front(loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'loss' is collected in 'recent' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    list.emplace_back(loss * 2);
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'loss * 2' is collected in 'list' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    queue.push(std::move(loss));
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'std::move(loss)' is collected in 'queue' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    by_step[i] = loss;
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'loss' is collected in 'by_step[i]' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    by_step.insert({i, loss});
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'loss' is collected in 'by_step' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    entries.push_back({i, loss});
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'loss' is collected in 'entries' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    entries.push_back(Entry{i, loss});
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'loss' is collected in 'entries' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    pairs.emplace_back(i, loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'loss' is collected in 'pairs' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    pairs.push_back(std::make_pair(i, loss));
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'loss' is collected in 'pairs' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    nested.push_back({loss, loss});
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'loss' is collected in 'nested' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    // CHECK-FIXES: losses[i] = loss.detach();
    // CHECK-FIXES: recent.push_front(loss.detach());
    // CHECK-FIXES: list.emplace_back((loss * 2).detach());
    // CHECK-FIXES: queue.push(std::move(loss).detach());
    // CHECK-FIXES: by_step[i] = loss.detach();
    // CHECK-FIXES: by_step.insert({i, loss.detach()});
    // CHECK-FIXES: entries.push_back({i, loss.detach()});
    // CHECK-FIXES: entries.push_back(Entry{i, loss.detach()});
    // CHECK-FIXES: pairs.emplace_back(i, loss.detach());
    // CHECK-FIXES: pairs.push_back(std::make_pair(i, loss.detach()));
    // CHECK-FIXES: nested.push_back({loss.detach(), loss.detach()});
    add_to(by_helper, loss);
    // Only the newest, or only once.
    newest["loss"] = loss;
    ring[i % 2] = loss;
    if (i == 3) {
      once.push_back(loss);
      break;
    }
  }
  return torch::stack(losses).mean().item<float>();
}

float sums(torch::nn::Linear &net, torch::optim::SGD &optimizer, int n) {
  torch::Tensor a = torch::zeros({}), b = torch::zeros({}), c = torch::zeros({}), d = torch::zeros({});
  torch::Tensor all = torch::zeros({n}), list = torch::zeros({1}), most = torch::zeros({}), e = torch::zeros({});
  for (int i = 0; i < n; ++i) {
    optimizer.zero_grad();
    torch::Tensor loss = net->forward(torch::randn({8, 4})).square().mean();
    loss.backward();
    optimizer.step();
    a = torch::add(a, loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'loss' is added to 'a' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    a = a.add(loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'loss' is added to 'a' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    b.add_(loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'loss' is added to 'b' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    b -= loss;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'loss' is added to 'b' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    // CHECK-FIXES: a = torch::add(a, loss.detach());
    // CHECK-FIXES: a = a.add(loss.detach());
    // CHECK-FIXES: b.add_(loss.detach());
    // CHECK-FIXES: b -= loss.detach();
    c = plus(c, loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: the tensor is added to 'c' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    d = loss * 0.1 + d * 0.9;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'loss * 0.1' is added to 'd' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    e = e + (loss - 1) + 2;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: '(loss - 1)' is added to 'e' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    all[i] = loss;
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'loss' is added to 'all' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    all.index_put_({i}, loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'loss' is added to 'all' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    list = torch::cat({list, loss.view(1)});
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'loss.view(1)' is added to 'list' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    most = torch::max(most, loss);
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'loss' is added to 'most' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    // CHECK-FIXES: d = (loss * 0.1).detach() + d * 0.9;
    // CHECK-FIXES: e = e + (loss - 1).detach() + 2;
    // CHECK-FIXES: all[i] = loss.detach();
    // CHECK-FIXES: all.index_put_({i}, loss.detach());
    // CHECK-FIXES: list = torch::cat({list, loss.view(1).detach()});
    // CHECK-FIXES: most = torch::max(most, loss.detach());
  }
  return a.item<float>() + b.item<float>() + c.item<float>() + d.item<float>();
}

class Meter {
public:
  void add(torch::nn::Linear &net, const torch::Tensor &x) { outputs_.push_back(net->forward(x)); }
  // CHECK-MESSAGES: :[[@LINE-1]]:71: warning: 'net->forward(x)' is collected in 'outputs_' with its autograd history, so that the graph of every call stays in memory; detach it [torch-graph-retention]
  void sum(torch::nn::Linear &net, const torch::Tensor &x) { total_ += net->forward(x).mean(); }
  // CHECK-MESSAGES: :[[@LINE-1]]:69: warning: 'net->forward(x).mean()' is added to 'total_' with its autograd history, so that the graph of every call stays in memory; detach it [torch-graph-retention]
  // CHECK-FIXES: void add(torch::nn::Linear &net, const torch::Tensor &x) { outputs_.push_back(net->forward(x).detach()); }
  // CHECK-FIXES: void sum(torch::nn::Linear &net, const torch::Tensor &x) { total_ += net->forward(x).mean().detach(); }
  void smooth(torch::nn::Linear &net, const torch::Tensor &x) {
    average_ = average_ * 0.9 + net->forward(x).mean() * 0.1;
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'net->forward(x).mean() * 0.1' is added to 'average_' with its autograd history, so that the graph of every call stays in memory; detach it [torch-graph-retention]
    // CHECK-FIXES: average_ = average_ * 0.9 + (net->forward(x).mean() * 0.1).detach();
  }
  void last(torch::nn::Linear &net, const torch::Tensor &x) { last_ = net->forward(x).mean(); }
  void again(torch::nn::Linear &net, const torch::Tensor &x) {
    current_.clear();
    current_.push_back(net->forward(x));
  }
  float mean() { return torch::stack(outputs_).mean().item<float>() + current_[0].mean().item<float>(); }

private:
  std::vector<torch::Tensor> outputs_, current_;
  torch::Tensor total_ = torch::zeros({}), average_ = torch::zeros({}), last_;
};

// backward() is done: nobody differentiates the sum again.
torch::Tensor returned(torch::nn::Linear &net, int n) {
  torch::Tensor sum = torch::zeros({});
  for (int i = 0; i < n; ++i) {
    auto loss = net->forward(torch::randn({8, 4})).mean();
    loss.backward();
    sum += loss;
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'loss' is added to 'sum' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
    // CHECK-FIXES: sum += loss.detach();
  }
  return sum;
}

float each_epoch(torch::nn::Linear &net, int n) {
  float s = 0;
  for (int epoch = 0; epoch < n; ++epoch) {
    torch::Tensor total = torch::zeros({});
    for (int i = 0; i < n; ++i)
      total += net->forward(torch::randn({8, 4})).mean();
      // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: the tensor is added to 'total' with its autograd history, so that the graph of every iteration stays in memory; detach it [torch-graph-retention]
      // CHECK-FIXES: total += net->forward(torch::randn({8, 4})).mean().detach();
    s += total.item<float>();
  }
  return s;
}
