//===--- State.cpp - what holds at one program point ----------------------===//
#include "State.h"
#include "llvm/ADT/STLExtras.h"

namespace torch_tidy::flow {

Evidence State::evaluate(const FactTable &Facts, FactId F) const {
  if (F == FactTable::Host)
    return Evidence::None;
  auto It = Refined->find(F);
  if (It != Refined->end())
    return It->second;
  llvm::ArrayRef<SymbolId> Symbols = Facts.symbols(F);
  Evidence Result = Evidence::None;
  for (size_t I = 0; I < Symbols.size(); ++I) {
    Evidence E = Facts[Symbols[I]].Base;
    // A single symbol's own fact was looked up above already.
    if (Symbols.size() > 1) {
      auto Single = Refined->find(const_cast<FactTable &>(Facts).fact(Symbols[I]));
      if (Single != Refined->end())
        E = Single->second;
    }
    Result = I ? joinEvidence(Result, E) : E;
  }
  return Result;
}

SymbolId State::strongest(const FactTable &Facts, FactId F) const {
  SymbolId Best = 0;
  Evidence BestLevel = Evidence::None;
  for (SymbolId S : Facts.symbols(F)) {
    Evidence E = evaluate(Facts, const_cast<FactTable &>(Facts).fact(S));
    if (!Best || E > BestLevel) {
      Best = S;
      BestLevel = E;
    }
  }
  return Best;
}

namespace {

/// Joins values of two paths; see joinValues.
class Joiner {
public:
  Joiner(const State &SA, const State &SB, Tables &T, ValueArena &Arena,
         const void *Point = nullptr)
      : SA(SA), SB(SB), T(T), Arena(Arena), SameLevels(SA.levels() == SB.levels()), Point(Point) {}

  const Value *join(const Value *A, const Value *B) {
    if (!A || A == B)
      return B;
    if (!B)
      return A;
    using Kind = Value::Kind;
    // A handle that holds nothing yet adds nothing.
    if (A->K == Kind::Undefined)
      return B;
    if (B->K == Kind::Undefined)
      return A;
    if (A->K == Kind::Unknown)
      return A;
    if (B->K == Kind::Unknown)
      return B;
    if (A->K != B->K)
      return joinKinds(A, B);
    if (equal(A, B))
      return A;
    Value *V = Arena.copy(*A);
    V->Initial = A->Initial && B->Initial;
    switch (A->K) {
    case Kind::Tensor:
    case Kind::Module:
      V->Tensor = join(A->Tensor, B->Tensor);
      break;
    case Kind::Pointer:
    case Kind::DataLvalue:
      joinOrigins(V->Origins, B->Origins);
      V->Moved |= B->Moved;
      break;
    case Kind::Device:
      V->Fact = join(A->Fact, B->Fact);
      break;
    case Kind::Options:
      V->Options.Device = join(A->Options.Device, B->Options.Device);
      V->Options.HasDevice |= B->Options.HasDevice;
      V->Options.Pinned |= B->Options.Pinned;
      V->OfTensor = false;
      V->Options.Types = joinTypes(A->Options.Types, B->Options.Types);
      if (!A->Options.Types != !B->Options.Types)
        V->Options.Types |= UnknownElementType;
      V->Options.Grad = join(A->Options.Grad, B->Options.Grad);
      break;
    case Kind::ElementType:
      V->Types = joinTypes(A->Types, B->Types);
      V->OfTensor = false;
      V->Tensor = TensorFacts();
      break;
    case Kind::Reference:
      for (LocationId L : B->Locations)
        if (!llvm::is_contained(V->Locations, L))
          V->Locations.push_back(L);
      llvm::sort(V->Locations);
      break;
    case Kind::Aggregate:
      joinParts(V->Parts, B->Parts);
      break;
    case Kind::Lambda:
      if (A->Lambda != B->Lambda)
        return Arena.make(Kind::Unknown);
      joinParts(V->Parts, B->Parts);
      break;
    case Kind::Condition:
    case Kind::Integer:
    case Kind::GradScope:
    case Kind::Extent:
      return Arena.make(Kind::Unknown);
    case Kind::Unknown:
    case Kind::Undefined:
      break;
    }
    return equal(V, A) ? A : V;
  }

  /// \p V as it must be kept when the proofs of its path are lost.
  const Value *freeze(const Value *V, const State &S) {
    if (SameLevels || !V)
      return V;
    if (V->K == Value::Kind::Pointer || V->K == Value::Kind::DataLvalue) {
      Value *Copy = Arena.copy(*V);
      for (PointerOrigin &O : Copy->Origins)
        freeze(O, S);
      return equal(Copy, V) ? V : Copy;
    }
    if (V->K == Value::Kind::Aggregate || V->K == Value::Kind::Lambda) {
      Value *Copy = nullptr;
      for (size_t I = 0; I < V->Parts.size(); ++I) {
        const Value *Part = freeze(V->Parts[I].second, S);
        if (Part == V->Parts[I].second)
          continue;
        if (!Copy)
          Copy = Arena.copy(*V);
        Copy->Parts[I].second = Part;
      }
      return Copy ? Copy : V;
    }
    if (V->K != Value::Kind::Tensor)
      return V;
    FactId Device = freeze(V->Tensor.Device, S), Grad = freeze(V->Tensor.Grad, S);
    if (Device == V->Tensor.Device && Grad == V->Tensor.Grad)
      return V;
    Value *Copy = Arena.copy(*V);
    Copy->Tensor.Device = Device;
    Copy->Tensor.Grad = Grad;
    return Copy;
  }

private:
  void freeze(PointerOrigin &O, const State &S) {
    FactId Device = freeze(O.Tensor->Device, S), Grad = freeze(O.Tensor->Grad, S);
    if (Device == O.Tensor->Device && Grad == O.Tensor->Grad)
      return;
    TensorFacts X = *O.Tensor;
    X.Device = Device;
    X.Grad = Grad;
    O.Tensor = Arena.tensor(std::move(X));
  }

  const Value *joinKinds(const Value *A, const Value *B) {
    // `p = nullptr` on one path: what matters is what it points to on the other.
    auto IsNull = [](const Value *V) {
      return V->K == Value::Kind::Integer || V->K == Value::Kind::Reference;
    };
    if (A->K == Value::Kind::Pointer && IsNull(B))
      return freeze(A, SA);
    if (B->K == Value::Kind::Pointer && IsNull(A))
      return freeze(B, SB);
    if (A->K == Value::Kind::Reference && B->K == Value::Kind::Integer)
      return A;
    if (B->K == Value::Kind::Reference && A->K == Value::Kind::Integer)
      return B;
    return Arena.make(Value::Kind::Unknown);
  }

  FactId freeze(FactId F, const State &S) {
    if (F != FactTable::Host && S.evaluate(T.Facts, F) == Evidence::None)
      return FactTable::Host;
    return F;
  }

  FactId join(FactId A, FactId B) {
    if (A == B)
      return A;
    A = freeze(A, SA);
    B = freeze(B, SB);
    const FactId Joined = T.Facts.join(A, B);
    if (!Point || (A == FactTable::Host) == (B == FactTable::Host))
      return Joined;
    // `Tensor u = f ? t.cpu() : t; Tensor v = g ? t.cpu() : t;`: what proves u to be on the host
    // says nothing of v.
    const unsigned Side = A == FactTable::Host ? 1 : 2;
    return T.Facts.join(
        Joined, T.Facts.fact(T.Facts.symbol(Point, Side, Evidence::None, {}, llvm::StringRef())));
  }

  TensorFacts join(const TensorFacts &A, const TensorFacts &B) {
    TensorFacts R = A;
    R.Device = join(A.Device, B.Device);
    R.Grad = join(A.Grad, B.Grad);
    R.Storages = join(A.Storages, B.Storages);
    R.Impls = join(A.Impls, B.Impls);
    R.Types = joinTypes(A.Types, B.Types);
    R.Order |= B.Order;
    R.OneElement = A.OneElement && B.OneElement;
    R.Lazy |= B.Lazy;
    R.Element = std::max(A.Element, B.Element);
    // The path that differs is mostly the one written later: `if (half) t = t.to(kHalf);`.
    if (A.Types != B.Types)
      R.TypeFrom = later(A.TypeFrom, B.TypeFrom);
    if (A.Order != B.Order || A.Lazy != B.Lazy)
      R.LayoutFrom = A.Order == LayoutContiguous && !A.Lazy ? B.LayoutFrom : A.LayoutFrom;
    R.Sizes = joinSizes(A.Sizes, B.Sizes);
    return R;
  }

  static const clang::Expr *later(const clang::Expr *A, const clang::Expr *B) {
    if (!A || !B)
      return A ? A : B;
    return A->getExprLoc().getRawEncoding() < B->getExprLoc().getRawEncoding() ? B : A;
  }

  static SizeList joinSizes(const SizeList &A, const SizeList &B) {
    if (A == B || !A || !B || A->size() != B->size())
      return A == B ? A : nullptr;
    std::vector<int64_t> Joined(*A);
    for (size_t I = 0; I < Joined.size(); ++I)
      if (Joined[I] != (*B)[I])
        Joined[I] = -1;
    return Joined == *A ? A : std::make_shared<const std::vector<int64_t>>(std::move(Joined));
  }

  Alternatives join(const Alternatives &A, const Alternatives &B) {
    if (A == B)
      return A;
    Alternatives R;
    auto Find = [](const Alternatives &In, ObjectId Id) {
      return llvm::find_if(In, [&](const Alternative &X) { return X.Object == Id; });
    };
    auto From = [](const Alternative &X, uint8_t Side) { return X.Side ? X.Side : Side; };
    for (const Alternative &X : A) {
      auto Y = Find(B, X.Object);
      if (Y == B.end())
        R.push_back({X.Object, minEvidence(X.Weight, Evidence::Likely), From(X, 1)});
      else
        R.push_back({X.Object, maxEvidence(X.Weight, Y->Weight), From(X, Y->Side)});
    }
    for (const Alternative &Y : B)
      if (Find(A, Y.Object) == A.end())
        R.push_back({Y.Object, minEvidence(Y.Weight, Evidence::Likely), From(Y, 2)});
    llvm::sort(R, [](const Alternative &X, const Alternative &Y) { return X.Object < Y.Object; });
    return R;
  }

  void joinOrigins(llvm::SmallVectorImpl<PointerOrigin> &A, llvm::ArrayRef<PointerOrigin> B) {
    auto Find = [](auto &In, const PointerOrigin &Y) {
      return llvm::find_if(
          In, [&](const PointerOrigin &O) { return O.Site == Y.Site && O.Kind == Y.Kind; });
    };
    for (PointerOrigin &X : A)
      if (Find(B, X) == B.end())
        freeze(X, SA);
    for (const PointerOrigin &Y : B) {
      auto *X = Find(A, Y);
      if (X == A.end()) {
        A.push_back(Y);
        freeze(A.back(), SB);
        continue;
      }
      X->Recording |= Y.Recording;
      X->Overwritten |= Y.Overwritten;
      if (X->Tensor != Y.Tensor && !(*X->Tensor == *Y.Tensor))
        X->Tensor = Arena.tensor(join(*X->Tensor, *Y.Tensor));
    }
    llvm::sort(A, [](const PointerOrigin &X, const PointerOrigin &Y) {
      return std::tie(X.Site, X.Kind) < std::tie(Y.Site, Y.Kind);
    });
  }

  void joinParts(std::vector<std::pair<PathStep, const Value *>> &A,
                 const std::vector<std::pair<PathStep, const Value *>> &B) {
    auto Find = [](auto &In, const PathStep &Step) {
      return llvm::find_if(In, [&](const auto &P) { return P.first == Step; });
    };
    // An element that only one list has at its place is one like the others.
    A.erase(std::remove_if(A.begin(), A.end(),
                           [&](const auto &P) {
                             return P.first.Op == PathStep::Instance && Find(B, P.first) == B.end();
                           }),
            A.end());
    for (const auto &[Step, V] : B) {
      auto It = Find(A, Step);
      if (It != A.end())
        It->second = join(It->second, V);
      else if (Step.Op != PathStep::Instance)
        A.emplace_back(Step, V);
    }
    llvm::sort(A, [](const auto &X, const auto &Y) { return X.first < Y.first; });
  }

  const State &SA;
  const State &SB;
  Tables &T;
  ValueArena &Arena;
  bool SameLevels;
  const void *Point; ///< Where the paths meet, outside of loops.
};

} // namespace

const Value *joinValues(const Value *A, const State &SA, const Value *B, const State &SB, Tables &T,
                        ValueArena &Arena) {
  return Joiner(SA, SB, T, Arena).join(A, B);
}

const Value *joinValues(const Value *A, const Value *B, const State &S, Tables &T,
                        ValueArena &Arena) {
  return Joiner(S, S, T, Arena).join(A, B);
}

std::set<ObjectId> State::heldDead() const {
  std::set<ObjectId> Held;
  if (Dead.empty())
    return Held;
  auto Add = [&](const TensorFacts &X) {
    for (const Alternative &A : X.Storages)
      if (Dead.count(A.Object))
        Held.insert(A.Object);
  };
  auto AddValue = [&](const Value *V) {
    Add(V->Tensor);
    for (const auto &[Step, Part] : V->Parts)
      Add(Part->Tensor);
    for (const PointerOrigin &O : V->Origins)
      Add(*O.Tensor);
  };
  for (const auto &[L, V] : *Env)
    AddValue(V);
  for (const auto &[E, V] : Exprs)
    AddValue(V);
  return Held;
}

FactId *deviceFact(Value &V) {
  switch (V.K) {
  case Value::Kind::Tensor:
    return &V.Tensor.Device;
  case Value::Kind::Device:
    return &V.Fact;
  case Value::Kind::Options:
    return &V.Options.Device;
  default:
    return nullptr;
  }
}

/// 1 or 0 where what \p S knows decides \p C, else -1.
static int decided(const Condition *C, const State &S) {
  switch (C->Op) {
  case Condition::Not: {
    const int L = decided(C->L, S);
    return L < 0 ? -1 : !L;
  }
  case Condition::And:
  case Condition::Or: {
    const int Deciding = C->Op == Condition::Or;
    const int L = decided(C->L, S), R = decided(C->R, S);
    return L == Deciding || R == Deciding ? Deciding : L < 0 || R < 0 ? -1 : !Deciding;
  }
  case Condition::Opaque: {
    auto It = S.Known.find(C->Key);
    return It == S.Known.end() ? -1 : It->second;
  }
  default:
    return -1;
  }
}

/// \p C is a test of flags alone.
static bool ofFlags(const Condition *C, const LocationTable &Locations) {
  return C->Op == Condition::Opaque
             ? isFlag(C->Key, Locations)
             : (C->Op == Condition::Not || C->Op == Condition::And || C->Op == Condition::Or) &&
                   ofFlags(C->L, Locations) && (!C->R || ofFlags(C->R, Locations));
}

bool isFlag(const void *Key, const LocationTable &Locations) {
  const auto L = reinterpret_cast<uintptr_t>(Key);
  if (L == 0 || L >= Locations.size() || Locations.rootOf(LocationId(L)) != LocationId(L))
    return false;
  const auto *Var = llvm::dyn_cast_or_null<clang::VarDecl>(Locations.rootVariable(LocationId(L)));
  return Var && Var->hasLocalStorage() && Var->getType().getNonReferenceType()->isBooleanType();
}

bool mentions(const Condition *C, const void *Key) {
  return C && ((C->Op == Condition::Opaque && C->Key == Key) || mentions(C->L, Key) ||
               mentions(C->R, Key));
}

bool mentionsFact(const Condition *C, FactId F) {
  return C && (C->Fact == F || mentionsFact(C->L, F) || mentionsFact(C->R, F));
}

static const Condition *make(ValueArena &Arena, Condition::Kind Op, const Condition *L,
                             const Condition *R = nullptr) {
  Condition C;
  C.Op = Op;
  C.L = L;
  C.R = R;
  return Arena.condition(C);
}

void tieDevice(FactId Own, const Condition *IsAway, bool Proven, ValueArena &Arena,
               std::vector<const Condition *> &Learnt) {
  Condition C;
  C.Fact = Own;
  C.Op = Condition::OnHost;
  Learnt.push_back(make(Arena, Condition::Or, IsAway, Arena.condition(C)));
  C.Op = Condition::OnAccelerator;
  if (Proven)
    Learnt.push_back(
        make(Arena, Condition::Or, make(Arena, Condition::Not, IsAway), Arena.condition(C)));
}

/// What tells the paths apart: it holds in \p Away and does not in \p Home, or null.
static const Condition *difference(const State &Away, const State &Home,
                                   const LocationTable &Locations, ValueArena &Arena) {
  for (const auto &[Key, Value] : Away.Known) {
    auto It = Home.Known.find(Key);
    if (It == Home.Known.end() || It->second == Value || !isFlag(Key, Locations))
      continue;
    Condition Test;
    Test.Op = Condition::Opaque;
    Test.Key = Key;
    const Condition *C = Arena.condition(Test);
    return Value ? C : make(Arena, Condition::Not, C);
  }
  // `const bool b = f || g; if (b)`: neither is known where b is true.
  for (const Condition *C : Away.Assumed)
    if (decided(C, Home) == 0 && ofFlags(C, Locations))
      return C;
  for (const Condition *C : Home.Assumed)
    if (decided(C, Away) == 0 && ofFlags(C, Locations))
      return make(Arena, Condition::Not, C);
  return nullptr;
}

/// \p Joined with a device of its own, and what is known of that: where the test of flags told the
/// paths apart, and the tensor was on the host on one of them.
const Value *State::correlated(LocationId L, const Value *Joined, const Value *Mine,
                               const State &Other, const Value *Theirs, Tables &T,
                               ValueArena &Arena, const void *Point,
                               std::vector<const Condition *> &Learnt) const {
  if (Mine->K != Theirs->K || Mine->K != Joined->K || !deviceFact(*Mine))
    return Joined;
  const FactId MyDevice = *deviceFact(*Mine);
  const FactId TheirDevice = *deviceFact(*Theirs);
  const Evidence A = evaluate(T.Facts, MyDevice);
  const Evidence B = Other.evaluate(T.Facts, TheirDevice);
  if ((A == Evidence::None) == (B == Evidence::None))
    return Joined;
  const State &Away = A == Evidence::None ? Other : *this;
  const State &Home = &Away == this ? Other : *this;
  const FactId Device = A == Evidence::None ? TheirDevice : MyDevice;
  const Condition *IsAway = difference(Away, Home, T.Locations, Arena);
  if (!IsAway || Device >= 1u << 30)
    return Joined;
  const Symbol From = T.Facts[Away.strongest(T.Facts, Device)];
  // One for each variable at each point where paths meet.
  const auto Key = reinterpret_cast<uintptr_t>(Point) ^ uintptr_t(L) << 48;
  const FactId Own = T.Facts.fact(
      T.Facts.symbol(reinterpret_cast<const void *>(Key), 1u << 30 | unsigned(Device),
                     minEvidence(maxEvidence(A, B), Evidence::Likely), From.Loc, From.Text));
  auto Names = [&](const Condition *C) { return mentionsFact(C, Own); };
  if (Own == MyDevice || Own == TheirDevice || llvm::any_of(Assumed, Names) ||
      llvm::any_of(Other.Assumed, Names) || llvm::any_of(Learnt, Names))
    return Joined;
  tieDevice(Own, IsAway, maxEvidence(A, B) == Evidence::Proven, Arena, Learnt);
  // What proves that it was on the host on the other path proves it for both.
  Condition OnHost;
  OnHost.Op = Condition::OnHost;
  OnHost.Fact = Device;
  const Condition *NotHome = make(Arena, Condition::Not, Arena.condition(OnHost));
  OnHost.Fact = Own;
  if (maxEvidence(A, B) != Evidence::Proven)
    Learnt.push_back(make(Arena, Condition::Or, NotHome, Arena.condition(OnHost)));
  auto *V = Arena.copy(*Joined);
  *deviceFact(*V) = Own;
  return V;
}

bool State::join(const State &Other, Tables &T, ValueArena &Arena, const void *Point) {
  if (!Other.Reachable)
    return false;
  if (!Reachable) {
    *this = Other;
    Dead = Other.heldDead();
    return true;
  }
  bool Changed = false;
  std::vector<const Condition *> Learnt;
  Joiner J(*this, Other, T, Arena, Point);
  const bool SameLevels = Refined == Other.Refined || *Refined == *Other.Refined;

  // Variables. Where only one path has a value, the other has the initial one: the same, if the
  // value is that; nobody reads it, if it is a local variable; unknown otherwise.
  if (Env != Other.Env) {
    std::vector<std::pair<LocationId, const Value *>> Updates;
    // `if (f) v[0] = v[0].cpu();`: on the other path the element is one like the others still.
    auto PickedFrom = [&](LocationId L) {
      for (; L != LocationTable::None; L = T.Locations[L].Parent)
        if (T.Locations[L].Step.Op == PathStep::Instance)
          return T.Locations[L].Parent;
      return LocationTable::None;
    };
    auto OneSided = [&](LocationId L, const Value *V, const State &Side) -> const Value * {
      if (const LocationId Elements = PickedFrom(L); Elements != LocationTable::None)
        return V->Initial && lookup(Elements) == Other.lookup(Elements) ? V : nullptr;
      if (V->Initial)
        return V;
      const auto *Var = llvm::dyn_cast_or_null<clang::VarDecl>(T.Locations.rootVariable(L));
      const bool Persistent = Var ? llvm::isa<clang::ParmVarDecl>(Var) || !Var->hasLocalStorage()
                                  : T.Locations[T.Locations.rootOf(L)].Step.Op == PathStep::This;
      if (Persistent && V->K == Value::Kind::Tensor)
        return nullptr;
      return J.freeze(V, Side);
    };
    auto A = Env->begin();
    auto Mine = [&] {
      const Value *V = OneSided(A->first, A->second, *this);
      if (V != A->second)
        Updates.emplace_back(A->first, V);
      ++A;
    };
    for (const auto &[L, VB] : *Other.Env) {
      while (A != Env->end() && A->first < L)
        Mine();
      if (A != Env->end() && A->first == L) {
        if (A->second != VB) {
          const Value *V = J.join(A->second, VB);
          if (Point && Assumed.size() + Learnt.size() < MaxAssumed)
            V = correlated(L, V, A->second, Other, VB, T, Arena, Point, Learnt);
          if (V != A->second)
            Updates.emplace_back(L, V);
        }
        ++A;
      } else if (const Value *V = OneSided(L, VB, Other)) {
        Updates.emplace_back(L, V);
      }
    }
    while (A != Env->end())
      Mine();
    for (auto &[L, V] : Updates) {
      if (!V) {
        env().erase(L);
        Changed = true;
        continue;
      }
      const Value *&Slot = env()[L];
      if (!Slot || !equal(Slot, V) || Slot->Initial != V->Initial) {
        Slot = V;
        Changed = true;
      }
    }
  }

  for (const auto &[E, VB] : Other.Exprs) {
    auto It = Exprs.find(E);
    if (It == Exprs.end()) {
      Exprs[E] = J.freeze(VB, Other);
      Changed = true;
    } else if (It->second != VB) {
      const Value *V = J.join(It->second, VB);
      if (!equal(V, It->second)) {
        It->second = V;
        Changed = true;
      }
    }
  }
  if (!SameLevels)
    for (auto &[E, V] : Exprs)
      if (!Other.Exprs.count(E))
        V = J.freeze(V, *this);

  // A proof holds only where both paths have it.
  if (!SameLevels) {
    Levels Joined;
    // Tested, and the branches meet again: nothing is proven any more.
    auto Keep = [&](FactId F, Evidence Mine, Evidence Theirs) {
      if (Mine == Theirs)
        Joined[F] = Mine;
    };
    for (const auto &[F, E] : *Refined)
      Keep(F, E, Other.evaluate(T.Facts, F));
    for (const auto &[F, E] : *Other.Refined)
      if (!Refined->count(F))
        Keep(F, E, evaluate(T.Facts, F));
    if (Joined != *Refined) {
      Refined = std::make_shared<Levels>(std::move(Joined));
      Changed = true;
    }
  }
  if (Mode != Other.Mode && Mode != GradMode::Unknown) {
    Mode = GradMode::Unknown;
    Changed = true;
  }
  for (ObjectId O : Other.Escaped)
    Changed |= Escaped.insert(O).second;
  // A dead storage that no tensor has says nothing about the next one made at the same place.
  if (Other.Dead != Dead)
    for (ObjectId O : Other.heldDead())
      Changed |= Dead.insert(O).second;
  for (const clang::Expr *E : Other.WrittenCopies)
    Changed |= WrittenCopies.insert(E).second;
  for (const auto &[What, Copy] : Other.Pending)
    if (auto [It, New] = Pending.try_emplace(What, Copy); New) {
      It->second.Level = minEvidence(Copy.Level, Evidence::Likely);
      Changed = true;
    }
  auto NotAssumed = [&](const Condition *C) {
    return llvm::none_of(Other.Assumed, [&](const Condition *O) { return equal(O, C); });
  };
  size_t Before = Assumed.size();
  Assumed.erase(std::remove_if(Assumed.begin(), Assumed.end(), NotAssumed), Assumed.end());
  Changed |= Before != Assumed.size();
  Assumed.insert(Assumed.end(), Learnt.begin(), Learnt.end());
  for (auto It = Known.begin(); It != Known.end();) {
    auto Theirs = Other.Known.find(It->first);
    if (Theirs == Other.Known.end() || Theirs->second != It->second) {
      It = Known.erase(It);
      Changed = true;
    } else {
      ++It;
    }
  }
  if (Root != Other.Root && Root) {
    Root = nullptr;
    Changed = true;
  }
  return Changed;
}

} // namespace torch_tidy::flow
