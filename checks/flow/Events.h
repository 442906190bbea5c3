//===--- Events.h - what the tensor-flow analysis tells the checks --------===//
//
// Checks consume events and never look at the analysis state: an event carries every fact that a
// check needs to decide, to word its message and notes, and to ask fixes/ for the edit.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_EVENTS_H
#define TORCH_TIDY_FLOW_EVENTS_H

#include "Values.h"

namespace torch_tidy::flow {

/// One raw accessor call in the source.
struct AccessSite {
  const clang::Expr *Call = nullptr;     ///< The whole call, `t.data_ptr<float>()`.
  const clang::Expr *Receiver = nullptr; ///< `t`
  std::string Method;                    ///< As spelled: "data_ptr".
  ViewKind Kind = ViewKind::Pointer;
  bool Typed = false;   ///< The call names the element type; it throws for another.
  int ElementType = -1; ///< `c10::ScalarType` of that type.
  const clang::FunctionDecl *Function = nullptr; ///< Innermost function that has the call.
  const clang::Stmt *Root = nullptr;             ///< The full expression it is part of.
  /// The receiver is this reference, which a temporary handed out: it keeps nothing alive.
  const clang::VarDecl *Unextended = nullptr;
};

enum class UseKind : uint8_t {
  Read,
  Write,
  View,   ///< Kept by an object that reads it later (cv::Mat, Eigen::Map).
  Blob,   ///< Wrapped by from_blob as host memory.
  Device, ///< Handed to the device: never a host use, ends the pointer's way.
  Escape, ///< Handed to code that is not visible.
  Return, ///< Leaves the function.
  Taken,  ///< Taken for memory of another element type, by the accessor itself or by a cast.
};

/// Why the owner of the memory is gone.
enum class OwnerGone : uint8_t { No, EndOfExpression, Reassigned, Reset, Resized, ScopeEnd, Moved };

/// A pointer from a raw accessor is used.
struct PointerUse {
  AccessSite Site;
  UseKind Kind = UseKind::Read;
  const clang::Expr *Use = nullptr;
  clang::SourceLocation UseLoc;
  const clang::Stmt *UseRoot = nullptr; ///< The full expression of the use.
  TensorFacts Tensor;
  /// That the tensor is on an accelerator, and the symbol that tells why.
  Evidence Device = Evidence::None;
  Symbol DeviceFrom;
  /// That the tensor requires grad, and why; `Recording` at the accessor call.
  Evidence Grad = Evidence::None;
  Symbol GradFrom;
  bool Recording = true;
  /// That the memory (for sizes(): the TensorImpl) is gone at the use.
  Evidence Dangling = Evidence::None;
  OwnerGone Gone = OwnerGone::No;
  clang::SourceLocation GoneLoc;
  bool FirstElement = false; ///< Reads exactly element 0.
  bool AnyOrder = false;     ///< The order of the elements does not matter: a fill, a sum.
  /// Taken: the type that the memory is taken for, the types of the tensor that are no such, and
  /// whether it has such a type on some paths or on every.
  int TakenAs = -1;
  ElementTypes Misfits = 0;
  Evidence Mistyped = Evidence::None;
};

enum class BlobIssue : uint8_t {
  Outlives,     ///< The tensor is there when the memory is gone.
  ElementType,  ///< The options name another element type than that of the pointer.
  HostAsDevice, ///< Host memory described as an accelerator's.
  DeviceAsHost, ///< Memory of an accelerator described as the host's.
  ConstWritten, ///< Memory that was const is changed in place.
};

/// How a tensor gets away from the memory below it.
enum class BlobLeaves : uint8_t { Used, Returned, Stored, Captured, HandedOver };

/// Something is wrong with a tensor made by `from_blob`.
struct BlobEvent {
  BlobIssue Issue = BlobIssue::Outlives;
  const clang::CallExpr *Call = nullptr;   ///< `from_blob(...)`, or `make_tensor()` of `for_blob`.
  const clang::Expr *OptionsArg = nullptr; ///< Null where the call leaves the options out.
  Evidence Level = Evidence::Proven;
  std::string Memory; ///< What the memory belongs to, as written: 'values', `t` for a tensor.
  BlobLeaves Leaves = BlobLeaves::Used;
  clang::SourceLocation At; ///< Where it leaves, is used, is written.
  OwnerGone Gone = OwnerGone::No;
  clang::SourceLocation GoneLoc;
  int PointerType = -1; ///< ElementType: `c10::ScalarType` of what the pointer points to.
  ElementTypes Described = 0;
  Symbol DeviceFrom;                   ///< HostAsDevice, DeviceAsHost: what tells the device.
  const clang::Expr *Origin = nullptr; ///< DeviceAsHost: the tensor.
};

/// A write into a copy that nobody reads, while the original is used.
struct CopyWrite {
  const clang::CallExpr *Copy = nullptr; ///< `t.cpu()`, `t.contiguous()`, ...
  const clang::Expr *Write = nullptr;    ///< The first write.
  Evidence Level = Evidence::Possible;   ///< That the call makes a copy.
  Symbol DeviceFrom;                     ///< Of the original; no text where it does not matter.
};

/// A tensor is fetched from an accelerator in every turn of a loop in which it does not change.
struct HostTransfer {
  const clang::Expr *Call = nullptr;     ///< `t[i].item<float>()`
  const clang::Expr *Receiver = nullptr; ///< `t[i]`
  const clang::Expr *Base = nullptr;     ///< `t`, which the receiver is a view or copy of
  bool Item = false;                     ///< One number, not a whole tensor.
  const clang::Stmt *Root = nullptr;     ///< The full expression.
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Loop = nullptr;
  /// The outermost loop that repeats it without change; null where that is a caller's.
  const clang::Stmt *Outermost = nullptr;
  /// Base names the same tensor before Outermost and in every turn of it.
  bool SameBefore = false;
  Evidence Device = Evidence::None;
  Symbol DeviceFrom;
};

/// A tensor with its autograd history is kept from one iteration to the next.
struct GraphKept {
  const clang::Expr *At = nullptr;                   ///< The call or assignment that keeps.
  const clang::Expr *Holder = nullptr;               ///< `losses`, `total`
  llvm::SmallVector<const clang::Expr *, 1> Tensors; ///< `loss`
  bool Sum = false;                                  ///< Added up, not collected.
  const clang::Stmt *Loop = nullptr;                 ///< Null for a member that collects.
  const clang::FunctionDecl *Function = nullptr;     ///< That has the statement.
  const clang::ValueDecl *Member = nullptr;          ///< Or global variable.
  bool BackwardDone = false;                         ///< backward() ran through what is kept.
  bool Consumed = false;                             ///< A later backward() needs the history.
  Evidence Grad = Evidence::None;
  Symbol GradFrom;
};

/// Host memory is used while a non-blocking copy may still be under way.
struct EarlyUse {
  enum Kind : uint8_t {
    Read,  ///< The copy's destination.
    Write, ///< The copy's source.
    Free,  ///< The copy's source goes.
  };
  Kind Op = Read;
  const clang::Expr *At = nullptr;     ///< The accessor call, or what uses the memory.
  const clang::Expr *Tensor = nullptr; ///< As spelled there; may be null.
  const clang::Expr *Use = nullptr;    ///< Where the pointer of the accessor is used.
  const clang::Expr *Access = nullptr; ///< The accessor call, where there is one.
  const clang::Stmt *Root = nullptr;   ///< The full expression of At.
  const clang::Expr *Copy = nullptr;
  Evidence Device = Evidence::None;
  Symbol DeviceFrom;
};

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_EVENTS_H
