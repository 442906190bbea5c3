#pragma once

#include <torch_host/call_site.h>

#include <ATen/core/Tensor.h>

namespace torch_host::detail {

enum class Access : uint8_t { read, write };

/// Counts a living view of a storage, so that views that would not see each other's writes are
/// refused when they are made. Keeps the storage alive. Movable, empty when moved from.
class StorageClaim {
public:
  StorageClaim() = default;
  /// Throws Error where a living view of the same storage excludes this one.
  StorageClaim(const at::Tensor &tensor, Access access, const char *call, CallSite site);
  StorageClaim(StorageClaim &&other) noexcept;
  StorageClaim &operator=(StorageClaim &&other) noexcept;
  ~StorageClaim() { release(); }
  void release() noexcept;

private:
  c10::Storage storage_;
  Access access_ = Access::read;
};

/// A row-major host tensor and the claim that goes with it.
struct View {
  at::Tensor host;
  bool aliases = false;
  StorageClaim claim;
  void *data = nullptr;
  int64_t size = 0;
};

View read_view(const at::Tensor &tensor, c10::ScalarType element, CallSite site);

/// The write side: what it takes to bring the host tensor back.
class WritableView {
public:
  WritableView(const at::Tensor &tensor, c10::ScalarType element, CallSite site);
  WritableView(WritableView &&) noexcept = default;
  /// Ends the view: writes back, bumps the version counter, gives up the claim.
  void commit(CallSite site);
  /// As commit() where it has not been called; for destructors. Throws, unless the stack is being
  /// unwound: then a failure is only warned about.
  void finish(int uncaught_at_start);
  bool live() const noexcept { return source_.defined(); }
  /// Throws Error after commit().
  void check_live(CallSite site) const;

  View view;

private:
  void write_back(const at::Tensor &source, CallSite site);

  at::Tensor source_;
  int64_t version_ = 0;
  CallSite made_;
};

int64_t flat_index(const at::Tensor &host, at::IntArrayRef index, CallSite site);

} // namespace torch_host::detail
