//===--- Journal.h - what a function does, loop by loop ---------------------===//
//
// Some questions are about a loop as a whole: does the tensor change in it, is what is collected in
// it consumed afterwards? The pass that records events writes down here what happens in each run of
// a loop; the questions are answered when the function is done.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_FLOW_JOURNAL_H
#define TORCH_TIDY_FLOW_JOURNAL_H

#include "Events.h"
#include <set>

namespace torch_tidy::flow {

using ObjectList = llvm::SmallVector<ObjectId, 4>;

/// What happens in a loop, as run by one call of the function around it.
struct LoopRun {
  const clang::Stmt *Loop = nullptr;             ///< Null for the analysed function as a whole.
  const clang::FunctionDecl *Function = nullptr; ///< That has the loop.
  std::set<ObjectId> Created;                    ///< Made, or picked, anew in each turn.
  std::set<ObjectId> Written;
  std::set<LocationId> Declared;
  std::set<LocationId> Stored;
  std::set<LocationId> Cleared; ///< Emptied, or given a value that keeps nothing of the old one.
  bool Steps = false;           ///< An optimizer changes parameters.
  bool Forwards = false;        ///< A module may change its buffers.
  bool Replays = false;         ///< A recorded graph may change anything.
};

/// An operand of a running sum.
struct Summand {
  const clang::Expr *Operand = nullptr;
  ObjectList Objects;
  Evidence Grad = Evidence::None;
  Symbol GradFrom;
};

struct Journal {
  /// Runs of loops; the first is the function.
  std::vector<LoopRun> Loops{1};
  /// Those that the code being analysed is in, outermost first.
  std::vector<unsigned> Active{0};

  template <class Callback> void inActive(Callback Do) {
    for (unsigned L : Active)
      Do(Loops[L]);
  }

  /// The name of \p Id in the newest turn.
  ObjectId newest(ObjectId Id) const {
    auto It = Newest.find(Id);
    return It == Newest.end() ? Id : It->second;
  }
  /// \p From and all that their values were computed from.
  std::set<ObjectId> history(llvm::ArrayRef<ObjectId> From) const;

  std::map<ObjectId, ObjectId> Newest; ///< By the name of earlier turns.
  std::map<ObjectId, ObjectList> CopiedFrom;
  std::map<ObjectId, ObjectList> Inputs;
  std::map<ObjectId, std::vector<Summand>> Sums;
  std::set<ObjectId> OfModules;
  std::set<ObjectId> Gradients;
  /// Results of operators that were recorded for backward().
  std::set<ObjectId> Recorded;
  /// The member or global variable that holds it.
  std::map<ObjectId, const clang::ValueDecl *> Holders;

  struct Transfer {
    HostTransfer Event;
    TensorFacts Tensor;
    LocationId Base = 0;
    std::vector<unsigned> Loops;
  };
  std::vector<Transfer> Transfers;

  struct Keeping {
    GraphKept Event;
    LocationId Place = 0;
    bool Container = false;
    ObjectList Held;      ///< The container's elements, or the storages of the sum.
    ObjectList Collected; ///< What was added.
    std::vector<unsigned> Loops;
  };
  std::vector<Keeping> Keepings;
  std::vector<ObjectList> Backwards;
  ObjectList Returned;
  /// Handed to code that is not visible.
  ObjectList HandedOut;
};

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_JOURNAL_H
