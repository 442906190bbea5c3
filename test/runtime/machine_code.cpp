// Loops over views and the same loops over raw pointers; machine_code.py compares their machine
// code. Compiled with -O2, never run. Each pair starts from a view, so that what differs can only
// be the access to the elements.
#include <torch_host/host_view.h>
#include <torch_host/host_view_mut.h>

#define CODE extern "C" __attribute__((noinline, used))

template <class T> using View = torch_host::HostView<const T>;
template <class T> using Mut = torch_host::HostViewMut<T>;

template <class T> T sum_raw(const View<T> &view) {
  const T *data = view.data();
  const int64_t size = view.size();
  T sum{};
  for (int64_t i = 0; i < size; ++i)
    sum += data[i];
  return sum;
}
template <class T> T sum_view(const View<T> &view) {
  T sum{};
  for (int64_t i = 0; i < view.size(); ++i)
    sum += view[i];
  return sum;
}
template <class T> T sum_range(const View<T> &view) {
  T sum{};
  for (T value : view)
    sum += value;
  return sum;
}
template <class T> T sum_range_raw(const View<T> &view) {
  T sum{};
  for (const T *p = view.data(), *end = p + view.size(); p != end; ++p)
    sum += *p;
  return sum;
}

CODE float view_float(const View<float> &v) { return sum_view(v); }
CODE float raw_float(const View<float> &v) { return sum_raw(v); }
CODE double view_double(const View<double> &v) { return sum_view(v); }
CODE double raw_double(const View<double> &v) { return sum_raw(v); }
CODE uint8_t view_byte(const View<uint8_t> &v) { return sum_view(v); }
CODE uint8_t raw_byte(const View<uint8_t> &v) { return sum_raw(v); }
CODE int64_t view_range_long(const View<int64_t> &v) { return sum_range(v); }
CODE int64_t raw_range_long(const View<int64_t> &v) { return sum_range_raw(v); }

CODE void view_scale(Mut<float> &v, const View<float> &in) {
  for (int64_t i = 0; i < in.size(); ++i)
    v[i] = 2 * in[i];
}
CODE void raw_scale(Mut<float> &v, const View<float> &in) {
  float *to = &v[0];
  const float *from = in.data();
  const int64_t size = in.size();
  for (int64_t i = 0; i < size; ++i)
    to[i] = 2 * from[i];
}
