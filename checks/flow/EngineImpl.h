//===--- EngineImpl.h - the engine's working data --------------------------===//
#ifndef TORCH_TIDY_FLOW_ENGINEIMPL_H
#define TORCH_TIDY_FLOW_ENGINEIMPL_H

#include "Engine.h"
#include "Journal.h"

namespace torch_tidy::flow {

/// A function's CFG and what the engine looks up in it.
struct Engine::FunctionGraph {
  std::unique_ptr<clang::CFG> Graph;
  /// Blocks in reverse post-order, and the position of each block in it.
  std::vector<const clang::CFGBlock *> Order;
  std::vector<unsigned> Position;
  /// The full expression (or declaration, return) that each expression is part of.
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Roots;
  /// Blocks of handlers that a block inside a `try` may go to, by block id.
  std::vector<llvm::SmallVector<const clang::CFGBlock *, 1>> Handlers;
  /// The loops that each block is in, outermost first, by block id: only blocks from which the loop
  /// may go on, not those before a `return` or `break`.
  std::vector<llvm::SmallVector<const clang::Stmt *, 2>> Loops;
  /// The blocks in which arrays are declared: their end is no element of the CFG.
  llvm::DenseMap<const clang::VarDecl *, const clang::CompoundStmt *> ArrayScopes;
  unsigned Elements = 0;
};

/// One function being analysed; callees analysed in place form a stack.
struct Engine::Frame {
  const clang::Decl *Function = nullptr;
  FunctionGraph *Graph = nullptr;
  Frame *Caller = nullptr;
  const Value *This = nullptr;    ///< What `this` points to.
  const Value *Leaving = nullptr; ///< The aggregate that a return statement hands out.
  State Exit;
  std::map<const clang::Stmt *, unsigned> LoopRuns; ///< In the journal.
  /// Loops over all elements of a container, as each turn that ends leaves its element: proven to
  /// be on the host, or replaced by a tensor that is.
  enum class Elements : uint8_t { Unknown, OnHost, Replaced };
  std::map<const clang::Stmt *, Elements> HostElements;
  /// Their headers, as long as no turn has ended.
  std::set<const clang::CFGBlock *> Waiting;
  /// What the turns leave at the condition of a loop that has a first turn for certain.
  std::map<const clang::CFGBlock *, State> Turned;
  bool contains(const clang::Decl *D) const {
    for (const Frame *F = this; F; F = F->Caller)
      if (F->Function == D)
        return true;
    return false;
  }
};

/// The elements of the container \p L. An iterator or a pointer to elements refers to them itself.
inline LocationId elementsAt(LocationTable &Locations, LocationId L) {
  return Locations[L].Step.Op == PathStep::Element ? L : Locations.child(L, ElementStep);
}

/// What the memory that a pointer points to belongs to.
struct Engine::MemoryOwner {
  LocationId Owner = LocationTable::None; ///< The array, the container, the variable.
  bool Host = false;                      ///< It is host memory for certain.
  bool Local = false;                     ///< It ends with a local variable.
  bool Heap = false;                      ///< The memory goes when the owner gets other contents.
  bool Element = false;                   ///< The owner is some element of a container.
  bool Reserved = false;                  ///< Elements may be added without moving the others.
};

/// The memory below a tensor that from_blob made.
struct Engine::BlobMemory {
  const clang::CallExpr *Call = nullptr;
  const clang::Expr *OptionsArg = nullptr;
  MemoryOwner Of;
  std::string Name;       ///< Of the owner.
  bool Temporary = false; ///< Gone at the end of the full expression.
  bool Const = false;     ///< A cast took const away.
  /// Memory of other tensors.
  llvm::SmallVector<PointerOrigin, 1> Origins;
};

/// The result of a call that returns a copy, or its argument where nothing is to be done.
struct Engine::MadeCopy {
  const clang::CallExpr *Call = nullptr;
  Evidence New = Evidence::Possible;
  FactId Device = FactTable::Host;
};

/// What a function does with its variables that may own memory.
struct Engine::OwnerUses {
  std::set<const clang::VarDecl *> Moved;    ///< `std::move(v)`, `return v`, swapped
  std::set<const clang::VarDecl *> Copied;   ///< Copied from or to: a handle may be shared.
  std::set<const clang::VarDecl *> Reserved; ///< `v.reserve(n)`
  std::set<const clang::ValueDecl *> Device; ///< Pointers that got an accelerator's memory.
  bool Detaches = false;                     ///< A thread is detached.
};

/// That \p X has the one of its storages that is asked for.
inline Evidence certainty(const TensorFacts &X) {
  return X.Storages.size() == 1 ? Evidence::Proven : Evidence::Likely;
}

constexpr unsigned MaxCallDepth = 5;
constexpr uint64_t MinBudget = 300000;

/// Element counts above which a callee is not analysed in place, by depth of the call.
inline unsigned maxInlineSize(unsigned Depth) { return Depth <= 1 ? 4000 : 800; }

/// The location that holds what \p Function returns while it is analysed.
inline PathStep returnSlot(const clang::Decl *Function) {
  return {PathStep::Temporary, Function, 0};
}

/// Number of the temporary that stands for an object of a method that is called through a pointer
/// that nothing is known of.
constexpr int64_t UnknownObject = 1;

/// \p E without casts, parentheses and nodes that only pass their operand on.
const clang::Expr *stripCasts(const clang::Expr *E);

/// `t.cpu()`, `t.to(torch::kCPU)`, `t.to("cpu")`
bool copiesToHost(const clang::CXXMemberCallExpr *Call);

/// The types among \p Have that are not what memory taken as \p As may hold; by a cast, bits may be
/// looked at.
ElementTypes misfits(ElementTypes Have, int As, bool Cast);

/// \p E without parentheses and without nodes that only pass their operand on.
const clang::Expr *strip(const clang::Expr *E);

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_ENGINEIMPL_H
