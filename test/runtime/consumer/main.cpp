#include <torch_host/torch_host.h>

#include <ATen/ATen.h>

#include <cstdio>

int main() {
  const at::Tensor tensor = at::arange(6, at::kFloat).reshape({2, 3});
  const auto view = torch_host::host_view<const float>(tensor.t());
  float sum = 0;
  for (float value : view)
    sum += value;
  std::printf("sum %g, last %g, calls %zu\n", static_cast<double>(sum),
              static_cast<double>(view.at({2, 1})), torch_host::stats().size());
  return sum == 15 ? 0 : 1;
}
