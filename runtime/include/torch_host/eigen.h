#pragma once

#include <torch_host/detail/matrix.h>
#include <torch_host/host_view.h>

#include <Eigen/Core>

namespace torch_host {

/// A tensor's elements as a read-only, row-major Eigen matrix that owns its memory (or shares the
/// storage of a CPU tensor, as HostView does).
template <class T> class EigenView {
public:
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Map = Eigen::Map<const Matrix>;

  EigenView(const at::Tensor &tensor, CallSite site)
      : view_(host_view<const T>(tensor, site)), shape_(detail::matrix_shape(view_.sizes(), site)) {
  }

  /// Valid while this object lives.
  Map map() const & { return Map(view_.data(), shape_.rows, shape_.columns); }
  Map map() const && = delete;
  Eigen::Index rows() const noexcept { return shape_.rows; }
  Eigen::Index cols() const noexcept { return shape_.columns; }
  /// A matrix of its own.
  Matrix matrix() const { return Map(view_.data(), shape_.rows, shape_.columns); }

private:
  HostView<const T> view_;
  detail::MatrixShape shape_;
};

/// `to_eigen<float>(t).matrix()`, or keep the result and use its map(). Two dimensions become rows
/// and columns, one a column, none a 1 x 1 matrix. Throws Error for more dimensions, and as
/// host_view.
template <class T>
EigenView<T> to_eigen(const at::Tensor &tensor, CallSite site = CallSite::current()) {
  return EigenView<T>(tensor, site);
}

} // namespace torch_host
