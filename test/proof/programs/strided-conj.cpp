// checks: strided-access
// device: value
// cpu: value
// expect: 1 -2
#include <cstdio>
#include <torch/torch.h>

int main() {
  torch::Tensor z = torch::complex(torch::tensor({1.f}), torch::tensor({2.f})).conj();
  const c10::complex<float> *p = z.data_ptr<c10::complex<float>>();
  std::printf("%g %g\n", p[0].real(), p[0].imag());
  return 0;
}
