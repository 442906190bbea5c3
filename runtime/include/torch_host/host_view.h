#pragma once

#include <torch_host/call_site.h>
#include <torch_host/detail/view.h>
#include <torch_host/element.h>
#include <torch_host/span.h>

#include <initializer_list>
#include <utility>

namespace torch_host {

/// Reads a tensor's elements on the host. Owns the host copy (or shares the storage of a CPU
/// tensor), so no pointer into it dangles while the view lives; everything that hands out memory is
/// deleted on temporaries. Always row-major. Movable; reading from several threads is safe.
template <class T> class HostView {
  static_assert(std::is_const_v<T>,
                "host_view reads: write host_view<const T>, or host_view_mut<T> to write");

public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  explicit HostView(detail::View view)
      : view_(std::move(view)), data_(static_cast<T *>(view_.data)), size_(view_.size) {}
  HostView(HostView &&other) noexcept
      : view_(std::move(other.view_)), data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  HostView &operator=(HostView &&other) noexcept {
    view_ = std::move(other.view_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  /// The first element; null where there is none.
  T *data() const & noexcept { return data_; }
  T *data() const && = delete;
  /// Number of elements.
  int64_t size() const noexcept { return size_; }
  /// In elements, as the tensor's own; valid while the view lives.
  at::IntArrayRef sizes() const & noexcept { return view_.host.sizes(); }
  at::IntArrayRef sizes() const && = delete;
  at::IntArrayRef strides() const & noexcept { return view_.host.strides(); }
  at::IntArrayRef strides() const && = delete;

  /// All elements in row-major order.
  T *begin() const & noexcept { return data_; }
  T *begin() const && = delete;
  T *end() const & noexcept { return data_ + size_; }
  T *end() const && = delete;
  Span<T> span() const & noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  Span<T> span() const && = delete;

  /// Element i in row-major order; not checked.
  T &operator[](int64_t i) const & noexcept { return data_[i]; }
  value_type operator[](int64_t i) const && noexcept { return data_[i]; }

  /// The element at one index for each dimension. Throws Error where the number of indices is not
  /// the number of dimensions, or one is negative or too large.
  value_type at(std::initializer_list<int64_t> index, CallSite site = CallSite::current()) const {
    return data_[detail::flat_index(view_.host, {index.begin(), index.size()}, site)];
  }

  /// The host tensor behind the view.
  const at::Tensor &tensor() const & noexcept { return view_.host; }
  /// Whether the view reads the argument's own storage.
  bool aliases() const noexcept { return view_.aliases; }

private:
  detail::View view_;
  T *data_;
  int64_t size_;
};

/// A view of the tensor's elements as they are now: `host_view<const float>(t)`.
///
/// Throws Error where the tensor does not hold T, where a HostViewMut of the same storage lives
/// (what it wrote might not be seen), and for all that to_host refuses.
template <class T>
HostView<T> host_view(const at::Tensor &tensor, CallSite site = CallSite::current()) {
  return HostView<T>(detail::read_view(tensor, element_type_v<T>, site));
}

} // namespace torch_host
