#pragma once

#include "fence.h"
#include "record.h"
#include "validate.h"

#include <torch_host/settings.h>
#include <torch_host/transfer.h>

#include <optional>
#include <vector>

namespace torch_host::detail {

/// How one call wants its copies made.
struct CopyRequest {
  const HostOptions &options;
  const char *call;
  CallSite site;
  Validation level;
  /// Several tensors or no waiting at once: page-locked memory pays, copies need not block.
  bool overlapped;
};

/// One tensor on its way to the host.
class Copy {
public:
  /// Moves `tensor`, which has passed check_transferable, or starts to. After an exception a copy
  /// may be running if running_on() says so.
  void start(const at::Tensor &tensor, const CopyRequest &request);

  bool aliases() const noexcept { return aliases_; }
  /// Set while the device may still write to the destination.
  const std::optional<c10::Device> &running_on() const noexcept { return running_on_; }
  int64_t bytes() const noexcept { return bytes_; }
  int64_t synchronisations() const noexcept { return synchronisations_; }
  /// The result, validated. Only after the device was waited for.
  at::Tensor finish(const CopyRequest &request);

private:
  void copy_on_host(const CopyRequest &request);
  void copy_from_device(const CopyRequest &request);

  at::Tensor source_;
  at::Tensor host_;
  c10::ScalarType element_ = c10::ScalarType::Undefined;
  bool aliases_ = false;
  std::optional<c10::Device> running_on_;
  int64_t bytes_ = 0;
  int64_t synchronisations_ = 0;
  /// Undefined where the contents are not compared.
  SourceChecksums checksums_;
};

/// Copies that are started together and waited for together. The destructor waits, so that nothing
/// keeps writing into memory that is about to be freed.
class Batch {
public:
  /// Starts all; after an exception none is left running.
  Batch(at::TensorList tensors, const CopyRequest &request);
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;
  ~Batch() { wait_quietly(); }

  bool ready() const;
  void wait();
  /// The results in the order of the tensors, validated. After wait().
  std::vector<at::Tensor> finish();
  /// What was done so far; the time of copying is the caller's to add.
  Tally tally() const noexcept;

private:
  /// Small tensors of one device and element type, laid end to end on the device.
  struct Pack {
    std::vector<std::size_t> positions;
    std::vector<at::Tensor> parts;
    int64_t bytes = 0;
    Copy copy;
  };
  void start();
  void fence();
  void wait_quietly() noexcept;
  void pack_small_tensors();
  bool packable(const at::Tensor &tensor) const;
  void unpack(Pack &pack, std::vector<at::Tensor> &results);
  /// The copy's result; of a list, a ValidationError names the tensors that were in the copy.
  at::Tensor finish(Copy &copy, c10::ArrayRef<std::size_t> positions);
  template <class Visit> void for_each_copy(Visit visit) const;

  std::vector<at::Tensor> tensors_;
  HostOptions options_;
  CopyRequest request_;
  /// One for each tensor; unused for those that are in a pack.
  std::vector<Copy> copies_;
  std::vector<bool> packed_;
  std::vector<Pack> packs_;
  std::vector<Fence> fences_;
  int64_t waits_ = 0;
  int64_t nanoseconds_waiting_ = 0;
};

} // namespace torch_host::detail
