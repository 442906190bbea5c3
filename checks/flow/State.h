//===--- State.h - what holds at one program point ------------------------===//
#ifndef TORCH_TIDY_FLOW_STATE_H
#define TORCH_TIDY_FLOW_STATE_H

#include "Values.h"
#include <set>

namespace torch_tidy::flow {

/// What the analysis of one translation unit shares: tables that outlive a function's analysis.
struct Tables {
  FactTable Facts;
  LocationTable Locations;
  ObjectTable Objects;
};

/// A non-blocking copy between a device and a storage on the host, not waited for yet.
struct PendingCopy {
  const clang::Expr *Call = nullptr;
  Evidence Level = Evidence::None; ///< That it is such a copy.
  SymbolId From = 0;               ///< What tells so.
};

enum class GradMode : uint8_t { On, Off, Unknown };

/// The abstract state at one program point. Copies are cheap: the maps are shared until written.
class State {
public:
  using Environment = std::map<LocationId, const Value *>;
  using Levels = std::map<FactId, Evidence>;

  const Value *lookup(LocationId L) const {
    auto It = Env->find(L);
    return It == Env->end() ? nullptr : It->second;
  }
  void set(LocationId L, const Value *V) { env()[L] = V; }
  void erase(LocationId L) {
    if (Env->count(L))
      env().erase(L);
  }
  const Environment &environment() const { return *Env; }
  Environment &env() {
    if (Env.use_count() > 1)
      Env = std::make_shared<Environment>(*Env);
    return *Env;
  }

  /// What guards have proven, by fact.
  const Levels &levels() const { return *Refined; }
  void refine(FactId F, Evidence E) { refined()[F] = E; }
  Levels &refined() {
    if (Refined.use_count() > 1)
      Refined = std::make_shared<Levels>(*Refined);
    return *Refined;
  }

  /// Evidence that what \p F describes is so (on an accelerator; requires grad).
  Evidence evaluate(const FactTable &Facts, FactId F) const;
  /// The symbol that carries the evidence of \p F, for the report's note.
  SymbolId strongest(const FactTable &Facts, FactId F) const;

  /// Joins \p Other in; true if anything changed. With \p Point, the place where the paths meet, it
  /// is remembered which of them brought a host tensor in, and on which side of a parameter's test
  /// that was: `if (flag) t = t.cpu();`. Not in loops, where one place would stand for the tensors
  /// of many turns.
  bool join(const State &Other, Tables &T, ValueArena &Arena, const void *Point = nullptr);

  /// The dead storages that some value still has.
  std::set<ObjectId> heldDead() const;

  /// Values of the expressions of the full expression being evaluated.
  std::map<const clang::Stmt *, const Value *> Exprs;
  const clang::Stmt *Root = nullptr;
  GradMode Mode = GradMode::On;
  /// Storages that somebody unseen may hold.
  std::set<ObjectId> Escaped;
  /// Storages made by from_blob whose memory is gone.
  std::set<ObjectId> Dead;
  /// Calls that made a copy into which something was written.
  std::set<const clang::Expr *> WrittenCopies;
  /// Conditions known to hold that could not be resolved to facts yet (`!opt || opt->is_cpu()`).
  std::vector<const Condition *> Assumed;
  /// Opaque conditions known to be true or false.
  std::map<const void *, bool> Known;
  /// Host storages that a copy still writes (first: false) or reads (first: true).
  std::map<std::pair<bool, ObjectId>, PendingCopy> Pending;
  bool Reachable = false;

private:
  const Value *correlated(LocationId L, const Value *Joined, const Value *Mine, const State &Other,
                          const Value *Theirs, Tables &T, ValueArena &Arena, const void *Point,
                          std::vector<const Condition *> &Learnt) const;

  std::shared_ptr<Environment> Env = std::make_shared<Environment>();
  std::shared_ptr<Levels> Refined = std::make_shared<Levels>();
};

/// The device fact of a tensor, a device or options; null for other values.
FactId *deviceFact(Value &V);
inline const FactId *deviceFact(const Value &V) { return deviceFact(const_cast<Value &>(V)); }

/// \p Key is the value that a parameter or a local variable of type bool has before anything else
/// is stored.
bool isFlag(const void *Key, const LocationTable &Locations);

/// \p C tests \p Key, or the fact \p F.
bool mentions(const Condition *C, const void *Key);
bool mentionsFact(const Condition *C, FactId F);

/// Adds to \p Learnt that \p Own is on the host unless \p IsAway; with \p Proven also that it is
/// not there otherwise.
void tieDevice(FactId Own, const Condition *IsAway, bool Proven, ValueArena &Arena,
               std::vector<const Condition *> &Learnt);

/// Conditions that a state remembers.
constexpr size_t MaxAssumed = 16;

/// Joins two values reached by two paths. \p SA and \p SB are the states of the paths: a fact that
/// only one path has a proof for is fixed before its proof is lost.
const Value *joinValues(const Value *A, const State &SA, const Value *B, const State &SB, Tables &T,
                        ValueArena &Arena);

/// \p A joined with \p B at one and the same point.
const Value *joinValues(const Value *A, const Value *B, const State &S, Tables &T,
                        ValueArena &Arena);

} // namespace torch_tidy::flow

#endif // TORCH_TIDY_FLOW_STATE_H
