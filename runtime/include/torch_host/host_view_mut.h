#pragma once

#include <torch_host/host_view.h>

#include <exception>

namespace torch_host {

/// Reads and writes a tensor's elements on the host. What was written is in the tensor after
/// commit(), or else after the destructor: a CPU tensor with row-major strides is written in place,
/// any other through a host copy that is brought back whole. Movable; one thread at a time.
template <class T> class HostViewMut {
  static_assert(!std::is_const_v<T>, "host_view_mut writes: use host_view<const T> to read");

public:
  using element_type = T;
  using value_type = T;

  explicit HostViewMut(detail::WritableView view)
      : view_(std::move(view)), data_(static_cast<T *>(view_.view.data)), size_(view_.view.size) {}
  HostViewMut(HostViewMut &&other) noexcept
      : view_(std::move(other.view_)), data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  HostViewMut &operator=(HostViewMut &&) = delete;
  /// Commits. Throws what commit() throws, except while another exception is under way: then the
  /// failure is warned about. Call commit() to handle errors where they arise.
  ~HostViewMut() noexcept(false) { view_.finish(uncaught_); }

  /// Brings what was written back to the tensor, bumps its version counter and ends the view: its
  /// pointers are dead, and new views of the storage may be made. A second call does nothing.
  ///
  /// Throws Error where the tensor was changed through another handle since the view was made (the
  /// write-back would undo that change).
  void commit(CallSite site = CallSite::current()) {
    data_ = nullptr;
    size_ = 0;
    view_.commit(site);
  }

  /// As in HostView; throw Error after commit().
  T *data(CallSite site = CallSite::current()) & {
    view_.check_live(site);
    return data_;
  }
  T *data(CallSite = CallSite::current()) && = delete;
  T *begin() & { return data(); }
  T *begin() && = delete;
  T *end() & { return data() + size_; }
  T *end() && = delete;
  Span<T> span(CallSite site = CallSite::current()) & {
    return {data(site), static_cast<std::size_t>(size_)};
  }
  Span<T> span(CallSite = CallSite::current()) && = delete;
  T &at(std::initializer_list<int64_t> index, CallSite site = CallSite::current()) & {
    view_.check_live(site);
    return data_[detail::flat_index(view_.view.host, {index.begin(), index.size()}, site)];
  }
  T &at(std::initializer_list<int64_t>, CallSite = CallSite::current()) && = delete;

  int64_t size() const noexcept { return size_; }
  at::IntArrayRef sizes() const & noexcept { return view_.view.host.sizes(); }
  at::IntArrayRef sizes() const && = delete;
  at::IntArrayRef strides() const & noexcept { return view_.view.host.strides(); }
  at::IntArrayRef strides() const && = delete;
  /// Element i in row-major order; not checked, and null after commit().
  T &operator[](int64_t i) const & noexcept { return data_[i]; }
  T &operator[](int64_t i) const && = delete;
  bool aliases() const noexcept { return view_.view.aliases; }

private:
  detail::WritableView view_;
  T *data_;
  int64_t size_;
  int uncaught_ = std::uncaught_exceptions();
};

/// A writable view: `host_view_mut<float>(t)`.
///
/// Throws Error where the tensor does not hold T, requires grad while gradients are recorded,
/// has elements that share memory (expanded), where any other view of the same storage lives, and
/// for all that to_host refuses.
template <class T>
HostViewMut<T> host_view_mut(const at::Tensor &tensor, CallSite site = CallSite::current()) {
  return HostViewMut<T>(detail::WritableView(tensor, element_type_v<T>, site));
}

} // namespace torch_host
