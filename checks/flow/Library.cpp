//===--- Library.cpp - the standard library and LibTorch's helper types ----===//
#include "../support/Compat.h"
#include "EngineImpl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using torch_tidy::model::qualifiedName;
using torch_tidy::model::TypeKind;

namespace torch_tidy::flow {

static PathStep indexStep(int64_t I) { return {PathStep::Index, nullptr, I}; }

static bool isOneOf(StringRef Name, std::initializer_list<StringRef> Names) {
  return llvm::is_contained(Names, Name);
}

static bool isMap(const CXXRecordDecl *R) {
  return R->getIdentifier() && isOneOf(R->getName(), {"map", "unordered_map", "multimap", "Dict",
                                                      "OrderedDict", "unordered_multimap"});
}

/// The part \p Step of \p Whole: of a location or of an aggregate value.
const Value *Engine::part(const Value *Whole, PathStep Step, QualType Type, State &St) {
  if (!Whole)
    return nullptr;
  if (Whole->K == Value::Kind::Aggregate) {
    for (const auto &[S, V] : Whole->Parts)
      if (S == Step)
        return V;
    return nullptr;
  }
  if (Whole->K != Value::Kind::Reference)
    return nullptr;
  Value *V = Arena.make(Value::Kind::Reference);
  for (LocationId L : Whole->Locations)
    V->Locations.push_back(T.Locations.child(L, Step));
  llvm::sort(V->Locations);
  (void)Type;
  (void)St;
  return V;
}

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

const Value *Engine::construct(const CXXConstructExpr *E, State &St) {
  QualType Type = E->getType();
  llvm::SmallVector<const Expr *, 6> Args;
  for (const Expr *A : E->arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Args.push_back(A);
  const CXXConstructorDecl *Ctor = E->getConstructor();
  TypeKind Kind = Types.kind(Type);
  for (const Expr *A : Args)
    if (const Value *V = raw(A, St); V && V->K == Value::Kind::DataLvalue && A->isGLValue())
      use(V, UseKind::Read, E, St, V->Number == 1);

  if (Ctor->isCopyOrMoveConstructor() && !Args.empty())
    return value(Args[0], St);
  const Value *First = Args.empty() ? nullptr : value(Args[0], St);
  switch (Kind) {
  case TypeKind::Tensor:
    if (Args.empty())
      return Arena.make(Value::Kind::Undefined);
    if (First && First->K == Value::Kind::Tensor)
      return First;
    return opaqueResult(E, Type, "this expression", St);
  case TypeKind::Device:
  case TypeKind::DeviceType:
    if (First && First->K == Value::Kind::Device)
      return First;
    return opaqueResult(E, Type, "this expression", St);
  case TypeKind::Options: {
    Value *V = Arena.make(Value::Kind::Options);
    optionsFrom(Args, St, V->Options);
    return V;
  }
  case TypeKind::ElementType:
    return First;
  case TypeKind::NoGrad: {
    // InferenceMode(false) switches recording on again.
    Value *V = Arena.make(Value::Kind::GradScope);
    V->Number = int64_t(
        First && First->K == Value::Kind::Integer && !First->Number ? GradMode::On : GradMode::Off);
    const CXXRecordDecl *R = Type->getAsCXXRecordDecl();
    if (!Args.empty() && !(First && First->K == Value::Kind::Integer) && R &&
        R->getName() == "InferenceMode")
      V->Number = int64_t(GradMode::Unknown);
    return V;
  }
  case TypeKind::AutoGradMode: {
    Value *V = Arena.make(Value::Kind::GradScope);
    V->Number = int64_t(!First || First->K != Value::Kind::Integer ? GradMode::Unknown
                        : First->Number                            ? GradMode::On
                                                                   : GradMode::Off);
    return V;
  }
  case TypeKind::Module: {
    if (First && First->K == Value::Kind::Module)
      return First;
    // `Linear fc{nullptr}` is filled later.
    if (First && First->K == Value::Kind::Integer && Args[0]->getType()->isNullPtrType())
      return nullptr;
    // A module built here has its parameters on the host until it is moved.
    Value *V = Arena.make(Value::Kind::Module);
    V->Tensor.Grad = opaqueFact(E, 5, "the output of a module carries gradients of its parameters",
                                Evidence::Likely, St);
    useAll(Args, UseKind::Escape, E, St);
    return V;
  }
  case TypeKind::JitModule:
    return First;
  case TypeKind::IValue:
    return First;
  case TypeKind::MemoryView: {
    // cv::Mat(rows, cols, type, data), Eigen::Map(data, ...): the object keeps the pointer.
    for (const Expr *A : Args)
      if (const Value *V = value(A, St); V && V->K == Value::Kind::Pointer) {
        use(V, UseKind::View, E, St);
        Value *View = Arena.copy(*V);
        for (PointerOrigin &O : View->Origins)
          O.Kind = ViewKind::Object;
        return View;
      }
    return First && First->K == Value::Kind::Pointer ? First : nullptr;
  }
  case TypeKind::Pointer:
    // An optional of a number, a device, an element type is followed as what is in it.
    if (First && First->K != Value::Kind::Reference && First->K != Value::Kind::Tensor &&
        First->K != Value::Kind::Unknown)
      return First;
    if (First && First->K == Value::Kind::Reference && Args[0]->getType()->isPointerType()) {
      // unique_ptr<Tensor>(new Tensor(...)): the pointee moves in.
      if (const Value *V = load(First, Args[0]->getType()->getPointeeType(), St)) {
        Value *P = Arena.make(Value::Kind::Aggregate);
        P->Parts.emplace_back(PointeeStep, V);
        return P;
      }
      return nullptr;
    }
    if (First && First->K == Value::Kind::Tensor) {
      Value *P = Arena.make(Value::Kind::Aggregate);
      P->Parts.emplace_back(PointeeStep, First);
      return P;
    }
    return nullptr;
  case TypeKind::Container: {
    llvm::SmallVector<const Value *, 2> Pointers;
    for (const Expr *A : Args)
      if (const Value *V = value(A, St); V && V->K == Value::Kind::Pointer)
        Pointers.push_back(V);
    if (!Pointers.empty() && Pointers[0]->Origins[0].Kind == ViewKind::Shape) {
      // IntArrayRef from IntArrayRef; a vector copies it.
      if (Type->getAsCXXRecordDecl()->getName() == "ArrayRef")
        return Pointers[0];
      use(Pointers[0], UseKind::Read, E, St);
      return nullptr;
    }
    if (!Pointers.empty() && Type->getAsCXXRecordDecl()->getName() == "ArrayRef") {
      use(Pointers[0], UseKind::View, E, St);
      return Pointers[0];
    }
    // A range of pointers is read here; a list of pointers only keeps them.
    if (!model::Types::elementOf(Type)->isPointerType())
      for (const Value *P : Pointers)
        use(P, UseKind::Read, E, St);
    if (First && First->K == Value::Kind::Aggregate)
      return First;
    if (First && (First->K == Value::Kind::Tensor || First->K == Value::Kind::Pointer) &&
        Args.size() == 1) {
      // ArrayRef of one element.
      Value *V = Arena.make(Value::Kind::Aggregate);
      V->Parts.emplace_back(ElementStep, First);
      return V;
    }
    if (First && First->K == Value::Kind::Reference && Args.size() == 2) {
      // vector(first, last) over a range of elements.
      if (const Value *V = load(First, QualType(), St)) {
        Value *C = Arena.make(Value::Kind::Aggregate);
        C->Parts.emplace_back(ElementStep, V);
        return C;
      }
    }
    // vector(n, value)
    if (Args.size() >= 2)
      if (const Value *V = value(Args[1], St); V && V->K == Value::Kind::Tensor) {
        Value *C = Arena.make(Value::Kind::Aggregate);
        C->Parts.emplace_back(ElementStep, V);
        return C;
      }
    return Args.empty() ? Arena.make(Value::Kind::Aggregate) : nullptr;
  }
  case TypeKind::Tuple: {
    Value *V = Arena.make(Value::Kind::Aggregate);
    if (Args.size() == 1 && First && First->K == Value::Kind::Aggregate)
      return First;
    for (unsigned I = 0; I < Args.size(); ++I)
      if (const Value *P = value(Args[I], St))
        V->Parts.emplace_back(indexStep(I), P);
    return V;
  }
  case TypeKind::Function:
    return First;
  case TypeKind::Thread:
    if (usesOf(Current->Function).Detaches)
      for (const Expr *A : Args)
        blobLeaves(value(A, St), BlobLeaves::HandedOver, E, St);
    runLambdas(Args, E, St);
    useAll(Args, UseKind::Escape, E, St);
    return nullptr;
  default:
    break;
  }
  if (First && First->K == Value::Kind::Lambda)
    return First;

  // std::string(p, n) and the like read the memory.
  std::string Name = qualifiedName(Ctor->getParent());
  if (Name == "std::basic_string") {
    // The name of a device.
    if (First && First->K == Value::Kind::Device)
      return First;
    useAll(Args, UseKind::Read, E, St);
    return nullptr;
  }
  if (support::startsWith(Name, "pybind11::")) {
    useAll(Args, UseKind::Read, E, St);
    return nullptr;
  }
  // A class of the program: its constructor's body with `this` as a new object.
  if (!Ctor->isImplicit() && Types.holdsTensor(Type)) {
    LocationId Object = T.Locations.root({PathStep::Temporary, E, 3});
    eraseTree(Object, St);
    bool Done = false;
    inlineCall(Ctor, E, Args, reference(Object), St, Done);
    if (Done) {
      const Value *V = load(Object, QualType(), St);
      eraseTree(Object, St);
      return V;
    }
  }
  // A struct whose members are filled afterwards.
  if (Kind == TypeKind::Other && Ctor->isDefaultConstructor() && !Ctor->isUserProvided())
    return Arena.make(Value::Kind::Aggregate);
  return opaqueCall(Ctor, E, Args, nullptr, St);
}

//===----------------------------------------------------------------------===//
// Containers and pointers
//===----------------------------------------------------------------------===//

const Value *Engine::containerCall(const CXXMethodDecl *M, const Expr *Call, const Expr *Object,
                                   llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const CXXRecordDecl *Class = M->getParent();
  QualType ObjectType = Object->getType();
  if (ObjectType->isPointerType())
    ObjectType = ObjectType->getPointeeType();
  TypeKind Kind = Types.kind(ObjectType);
  if (Kind == TypeKind::Other)
    Kind = Types.kind(Class);
  const Value *Here = ObjectType.getAsOpaquePtr() != Object->getType().getAsOpaquePtr()
                          ? value(Object, St)
                          : raw(Object, St);
  const Value *Loaded = Object->isGLValue() ? load(Here, QualType(), St) : Here;
  const std::string NameStorage = M->getNameAsString();
  StringRef Name = NameStorage;

  // Accessors, shapes, and views over tensor memory.
  if (Loaded && Loaded->K == Value::Kind::Pointer) {
    Done = true;
    const ViewKind View = Loaded->Origins.front().Kind;
    if (Name == "operator[]" || Name == "operator()" || Name == "at" || Name == "ptr") {
      if (View == ViewKind::Shape || View == ViewKind::Object) {
        use(Loaded, UseKind::Read, Call, St);
        return nullptr;
      }
      // A subscript of an accessor is a smaller accessor, or the element.
      if (TypeKind R = Types.kind(Call->getType());
          R == TypeKind::Accessor || R == TypeKind::PackedAccessor)
        return Loaded;
      Value *L = Arena.copy(*Loaded);
      L->K = Value::Kind::DataLvalue;
      L->Number = 0;
      L->Number = Args.size() == 1 && integerOf(Args[0]) == 0;
      return L;
    }
    if (View == ViewKind::Accessor || View == ViewKind::PackedAccessor) {
      if (Name == "data")
        return Loaded;
      return nullptr;
    }
    if (View == ViewKind::Shape) {
      if (isOneOf(Name, {"slice", "begin", "end", "data"})) {
        use(Loaded, UseKind::Read, Call, St);
        return Loaded;
      }
      if (Name != "operator=" && Name != "size" && Name != "empty")
        use(Loaded, UseKind::Read, Call, St);
      if (Name == "operator=" && Args.size() == 1)
        return assign(Call, Object, value(Args[0], St), St);
      return nullptr;
    }
    if (View == ViewKind::Object && Name != "operator=") {
      if (isOneOf(Name, {"setTo", "setZero", "setOnes", "copyTo"}) && Name != "copyTo")
        use(Loaded, UseKind::Write, Call, St);
      else
        use(Loaded, UseKind::Read, Call, St);
      // clone() owns its memory; other results may be views.
      return nullptr;
    }
    Done = false;
  }

  // Iterators of a tracked container.
  if (Kind == TypeKind::Other && Loaded == nullptr && Here && Here->K == Value::Kind::Reference)
    Loaded = Here;
  // `v.begin()->x`: the temporary is the iterator itself.
  const bool OfVariable =
      Object->isGLValue() && !isa<MaterializeTemporaryExpr>(Object->IgnoreImpCasts());
  const Value *Iterator =
      OfVariable && Here && Here->K == Value::Kind::Reference && Here->Locations.size() == 1
          ? St.lookup(Here->Locations.front())
          : Here;
  if (Iterator && Iterator->K == Value::Kind::Reference && !Iterator->Locations.empty() &&
      T.Locations[Iterator->Locations.front()].Step.Op == PathStep::Element &&
      Kind != TypeKind::Container) {
    if (Name == "operator*" || Name == "operator->") {
      Done = true;
      return element(Iterator, Call, nullptr, Call->getType(), St);
    }
    if (isOneOf(Name, {"operator++", "operator--", "operator+", "operator-",
                       "operator+=", "operator-="})) {
      Done = true;
      return Call->isGLValue() ? Here : Iterator;
    }
    if (isOneOf(Name, {"operator!=", "operator=="})) {
      Done = true;
      return nullptr;
    }
  }

  if (Kind == TypeKind::Function && Name == "operator()") {
    if (Loaded && Loaded->K == Value::Kind::Lambda) {
      Done = true;
      llvm::SmallVector<const Value *, 4> Values;
      for (const Expr *A : Args)
        Values.push_back(raw(A, St));
      return callLambda(Loaded, Call, Values, St);
    }
    return nullptr;
  }
  if (Kind == TypeKind::Tuple && Name == "operator=" && Args.size() == 1) {
    Done = true;
    const Value *Right = value(Args[0], St);
    // std::tie(a, b) = f(): each reference gets its part.
    if (Loaded && Loaded->K == Value::Kind::Aggregate && Here == Loaded) {
      for (const auto &[Step, To] : Loaded->Parts)
        if (To->K == Value::Kind::Reference) {
          const Value *V = part(Right, Step, QualType(), St);
          V = V && V->K == Value::Kind::Reference ? load(V, QualType(), St) : V;
          store(To, V ? V : unknown(), St, Call);
        }
      return nullptr;
    }
    return assign(Call, Object, Right ? Right : unknown(), St);
  }
  if (Kind != TypeKind::Container) {
    if (Name == "operator=" && Args.size() == 1 && (M->isDefaulted() || !Scope.isUserCode(M))) {
      Done = true;
      return assign(Call, Object, value(Args[0], St), St);
    }
    return nullptr;
  }

  // The elements may move, or other elements take their place.
  if (!Blobs.empty() && !M->isConst() &&
      isOneOf(Name, {"push_back", "emplace_back", "insert", "emplace", "resize", "reserve", "clear",
                     "assign", "shrink_to_fit", "append"})) {
    const bool Grows = Name != "clear" && Name != "assign" && Name != "shrink_to_fit";
    if (Here && Here->K == Value::Kind::Reference && Here->Locations.size() == 1 &&
        !(Grows && ownerOf(T.Locations.child(Here->Locations.front(), ElementStep)).Reserved))
      memoryGone(Here, OwnerGone::Resized, Call->getExprLoc(), St);
  }
  const bool Map =
      isMap(Class) || (ObjectType->getAsCXXRecordDecl() && isMap(ObjectType->getAsCXXRecordDecl()));
  Done = true;
  if (Name == "operator=" && Args.size() == 1)
    return assign(Call, Object, value(Args[0], St), St);
  if (isOneOf(Name, {"insert", "emplace", "assign", "set", "erase", "clear", "push_front",
                     "emplace_front", "pop_front", "pop_back", "resize", "reverse", "sort", "merge",
                     "splice", "remove", "remove_if", "unique"}))
    elementsMove(Here, St);
  if (isOneOf(Name,
              {"push_back", "emplace_back", "push_front", "emplace_front", "push", "emplace",
               "insert", "insert_or_assign", "try_emplace", "append", "add", "assign", "set"})) {
    unsigned Pointers = 0;
    for (const Expr *A : Args)
      if (const Value *V = value(A, St))
        Pointers += V->K == Value::Kind::Pointer;
    if (Pointers >= 2) {
      for (const Expr *A : Args)
        if (const Value *V = value(A, St))
          use(V, UseKind::Read, Call, St);
      return nullptr;
    }
    for (unsigned I = Args.size(); I-- > 0;) {
      const Value *V = value(Args[I], St);
      if (!V && Types.isTensor(Args[I]->getType()))
        V = opaqueResult(Args[I], Args[I]->getType(), "this expression", St);
      if (!V || V->K == Value::Kind::Integer || V->K == Value::Kind::Condition)
        continue;
      if (V->K == Value::Kind::Aggregate)
        if (const Value *Inner = part(V, ElementStep, QualType(), St))
          V = Inner;
      escape(V, St);
      if (Here && Here->K == Value::Kind::Reference)
        for (LocationId L : Here->Locations) {
          LocationId E = T.Locations.child(L, ElementStep);
          collects(Call, Object, L, Args, St);
          V = heldIn(V, elementsOf(E));
          if (Map && V->K != Value::Kind::Aggregate)
            E = T.Locations.child(E, indexStep(1));
          store(E, V, St, Call);
        }
      break;
    }
    return Name == "emplace_back" ? element(Here, Call, nullptr, Call->getType(), St) : nullptr;
  }
  if (isOneOf(Name, {"operator[]", "at", "front", "back", "top", "get", "value"})) {
    const Expr *Index = Args.size() == 1 && !Map ? Args[0] : nullptr;
    if (Here && Here->K == Value::Kind::Aggregate) {
      const Value *V = nullptr;
      if (const auto N = Index ? integerOf(Index) : std::nullopt)
        V = part(Here, {PathStep::Instance, nullptr, *N}, QualType(), St);
      if (!V)
        V = part(Here, ElementStep, QualType(), St);
      return Map ? part(V, indexStep(1), QualType(), St) : V;
    }
    const Value *Picked =
        Map ? part(part(Here, ElementStep, QualType(), St), indexStep(1), QualType(), St)
            : element(Here, Call, Index, Call->getType(), St);
    if (!Picked)
      return opaqueResult(Call, Call->getType(), Name, St);
    return Call->isGLValue() ? Picked : load(Picked, Call->getType(), St);
  }
  if (isOneOf(Name, {"begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "data", "erase",
                     "lower_bound", "upper_bound"})) {
    return Here ? someElement(Here) : nullptr;
  }
  if (isOneOf(Name, {"slice", "drop_front", "subspan", "last"}))
    return Here ? someElement(Here) : nullptr;
  if (isOneOf(Name, {"vec", "items", "elements", "drop_back", "first"}))
    return Here;
  if (Name == "clear" && logging() && Here && Here->K == Value::Kind::Reference)
    Log->inActive(
        [&](LoopRun &Run) { Run.Cleared.insert(Here->Locations.begin(), Here->Locations.end()); });
  if (Name == "values" || Name == "keys")
    return opaqueResult(Call, Call->getType(), Name, St);
  if (Name == "swap" && Args.size() == 1) {
    const Value *A = Loaded, *B = value(Args[0], St);
    store(Here, B, St, Call);
    store(raw(Args[0], St), A, St, Call);
    return nullptr;
  }
  return nullptr;
}

const Value *Engine::pointerCall(const CXXMethodDecl *M, const Expr *Call, const Expr *Object,
                                 llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const std::string NameStorage = M->getNameAsString();
  StringRef Name = NameStorage;
  const Value *Here = Object->getType()->isPointerType() ? value(Object, St) : raw(Object, St);
  Done = true;
  if (isOneOf(Name, {"operator*", "operator->", "get", "value", "value_or", "unsafeGetTensorRef",
                     "getTensorRef", "lock"})) {
    const Value *V = part(Here, PointeeStep, Call->getType(), St);
    if (!V) {
      Done = false;
      return nullptr;
    }
    if (Name == "value_or" && !Args.empty()) {
      const Value *Other = value(Args[0], St);
      V = load(V, Call->getType(), St);
      return V && Other ? joinValues(V, Other, St, T, Arena) : nullptr;
    }
    if (V->K == Value::Kind::Reference && Call->isPRValue() && !Call->getType()->isPointerType())
      return load(V, Call->getType(), St);
    return V;
  }
  if (isa<CXXConversionDecl>(M) || Name == "has_value") {
    if (!Here || Here->K != Value::Kind::Reference || Here->Locations.size() != 1)
      return nullptr;
    Condition C;
    C.Op = Condition::Opaque;
    C.Key = reinterpret_cast<const void *>(uintptr_t(Here->Locations.front()));
    return makeCondition(C);
  }
  if ((Name == "operator=" || Name == "emplace" || Name == "reset") && Here &&
      Here->K == Value::Kind::Reference) {
    const Value *V = Args.empty() ? nullptr : value(Args[0], St);
    if (Name != "operator=")
      memoryGone(Here, OwnerGone::Reset, Call->getExprLoc(), St);
    else
      memoryGone(Here, OwnerGone::Reassigned, Call->getExprLoc(), St);
    if (V && V->K == Value::Kind::Aggregate) {
      store(Here, V, St, Call);
    } else {
      const Value *Inside = part(Here, PointeeStep, QualType(), St);
      for (LocationId L : Here->Locations)
        eraseTree(L, St);
      if (V && V->K == Value::Kind::Tensor)
        store(Inside, V, St, Call);
    }
    return Here;
  }
  Done = false;
  return nullptr;
}

const Value *Engine::ivalueCall(const CXXMethodDecl *M, const Expr *Call, const Expr *Object,
                                State &St, bool &Done) {
  const std::string NameStorage = M->getNameAsString();
  StringRef Name = NameStorage;
  // An IValue is followed as the tensor (or the tensors) in it.
  const Value *V = value(Object, St);
  if (!support::startsWith(Name, "to") && Name != "get" && Name != "value")
    return nullptr;
  if (!V || V->K != Value::Kind::Tensor)
    return nullptr;
  Done = true;
  TypeKind Kind = Types.kind(Call->getType());
  if (Kind == TypeKind::Tensor || Kind == TypeKind::IValue)
    return V;
  if (Kind == TypeKind::Container || Kind == TypeKind::Pointer || Kind == TypeKind::Tuple) {
    Value *C = Arena.make(Value::Kind::Aggregate);
    C->Parts.emplace_back(Kind == TypeKind::Pointer ? PointeeStep : ElementStep, V);
    if (isMap(Call->getType()->getAsCXXRecordDecl())) {
      // The elements of a dictionary are pairs of key and value.
      Value *Pair = Arena.make(Value::Kind::Aggregate);
      Pair->Parts.emplace_back(indexStep(1), V);
      C->Parts.front().second = Pair;
    }
    return C;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Free functions of the standard library
//===----------------------------------------------------------------------===//

const Value *Engine::standardCall(const FunctionDecl *Fn, const Expr *Call,
                                  llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const DeclContext *Space = Fn->getDeclContext()->getEnclosingNamespaceContext();
  while (Space && Space->isInlineNamespace())
    Space = Space->getParent();
  const auto *NS = dyn_cast_or_null<NamespaceDecl>(Space);
  if (!NS || !(NS->getName() == "std" || NS->getName() == "c10"))
    return nullptr;
  const std::string NameStorage = Fn->getNameAsString();
  StringRef Name = NameStorage;
  Done = true;
  if (Args.size() == 1 &&
      isOneOf(Name, {"move", "forward", "as_const", "ref", "cref", "move_if_noexcept"}))
    return raw(Args[0], St);
  if (Name == "addressof" && Args.size() == 1) {
    const Value *V = raw(Args[0], St);
    if (!V || V->K != Value::Kind::DataLvalue)
      return V;
    return addressOf(V);
  }
  // Another position in the same memory.
  if (isOneOf(Name, {"next", "prev", "make_move_iterator"}) && !Args.empty())
    if (const Value *V = value(Args[0], St); V && V->K == Value::Kind::Pointer)
      return moved(V);
  if (isOneOf(Name, {"sort",
                     "stable_sort",
                     "partial_sort",
                     "nth_element",
                     "reverse",
                     "rotate",
                     "shuffle",
                     "random_shuffle",
                     "partition",
                     "stable_partition",
                     "remove",
                     "remove_if",
                     "unique",
                     "next_permutation",
                     "prev_permutation",
                     "iter_swap",
                     "swap_ranges",
                     "copy",
                     "copy_n",
                     "copy_if",
                     "move",
                     "fill",
                     "fill_n",
                     "generate",
                     "generate_n",
                     "transform",
                     "replace",
                     "replace_if",
                     "erase_if",
                     "copy_backward",
                     "move_backward",
                     "inplace_merge",
                     "make_heap",
                     "push_heap",
                     "pop_heap",
                     "sort_heap",
                     "shift_left",
                     "shift_right"}))
    for (const Expr *A : Args)
      elementsMove(raw(A, St), St);
  if (Name == "get" && Args.size() == 1) {
    const TemplateArgumentList *TA = Fn->getTemplateSpecializationArgs();
    if (TA && TA->size() && TA->get(0).getKind() == TemplateArgument::Integral) {
      const Value *V = part(raw(Args[0], St), indexStep(TA->get(0).getAsIntegral().getExtValue()),
                            Call->getType(), St);
      if (V && V->K == Value::Kind::Reference && !Call->isGLValue())
        return load(V, Call->getType(), St);
      return V;
    }
  }
  if (isOneOf(Name, {"make_tuple", "make_pair", "tie", "forward_as_tuple"})) {
    Value *V = Arena.make(Value::Kind::Aggregate);
    for (unsigned I = 0; I < Args.size(); ++I)
      if (const Value *P = Name == "tie" ? raw(Args[I], St) : value(Args[I], St))
        V->Parts.emplace_back(indexStep(I), P);
    return V;
  }
  if (Name == "swap" && Args.size() == 2) {
    const Value *A = value(Args[0], St), *B = value(Args[1], St);
    const Value *ToA = raw(Args[0], St), *ToB = raw(Args[1], St);
    store(ToA, B, St, Call);
    store(ToB, A, St, Call);
    return nullptr;
  }
  if (Name == "exchange" && Args.size() == 2) {
    const Value *Old = value(Args[0], St);
    store(raw(Args[0], St), value(Args[1], St), St, Call);
    return Old;
  }
  if (isOneOf(Name, {"begin", "end", "cbegin", "cend", "data"}) && Args.size() == 1) {
    const Value *V = raw(Args[0], St);
    if (V && V->K == Value::Kind::Reference)
      return part(V, ElementStep, Call->getType(), St);
    return nullptr;
  }
  if (isOneOf(Name, {"make_optional", "make_shared", "make_unique", "make_intrusive"})) {
    if (Types.kind(model::Types::elementOf(Call->getType())) == TypeKind::Module) {
      Value *V = Arena.make(Value::Kind::Module);
      V->Tensor.Grad =
          opaqueFact(Call, 5, "the output of a module carries gradients of its parameters",
                     Evidence::Likely, St);
      return V;
    }
    if (!Args.empty())
      if (const Value *V = value(Args[0], St); V && V->K == Value::Kind::Tensor) {
        Value *P = Arena.make(Value::Kind::Aggregate);
        P->Parts.emplace_back(PointeeStep, V);
        return P;
      }
  }
  Done = false;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Devices and options
//===----------------------------------------------------------------------===//

const Value *Engine::deviceCall(const CXXMethodDecl *M, const Expr *Call, const Expr *Object,
                                llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const std::string NameStorage = M->getNameAsString();
  StringRef Name = NameStorage;
  const Value *V = value(Object, St);
  Done = true;
  if (isa<CXXConversionDecl>(M))
    return V;
  if (Name == "operator=" && Args.size() == 1)
    return assign(Call, Object, value(Args[0], St), St);
  if (!V)
    return nullptr;
  if (V->K == Value::Kind::Options) {
    if (Args.empty() && isOneOf(Name, {"device", "device_opt"})) {
      Value *D = Arena.make(Value::Kind::Device);
      D->Fact = V->Options.Device;
      return D;
    }
    if (Args.empty() && Types.kind(Call->getType()) == TypeKind::ElementType &&
        isOneOf(Name, {"dtype", "dtype_opt", "scalarType", "typeMeta"}))
      return typeOf(*V);
    if (support::startsWith(Name, "is_cuda") || Name == "is_cpu") {
      // x.type().is_cuda()
      Condition C;
      C.Op = Name == "is_cpu" ? Condition::OnHost : Condition::OnAccelerator;
      C.Fact = V->Options.Device;
      return makeCondition(C);
    }
    if (Types.kind(Call->getType()) == TypeKind::Options)
      return optionsCall(Name, V->Options, Call, Args, St);
    return nullptr;
  }
  if (V->K != Value::Kind::Device)
    return nullptr;
  if (Name == "type")
    return V;
  if (Name == "operator==" && Args.size() == 1)
    return compare(BO_EQ, Object, Args[0], St);
  if (Name == "operator!=" && Args.size() == 1)
    return compare(BO_NE, Object, Args[0], St);
  if (support::startsWith(Name, "is_")) {
    Condition C;
    C.Op = Name == "is_cpu" ? Condition::OnHost : Condition::OnAccelerator;
    C.Fact = V->Fact;
    if (Name == "is_meta" || Name == "is_mkldnn")
      return nullptr;
    return makeCondition(C);
  }
  return nullptr;
}

const Value *Engine::optionsCall(StringRef Name, const OptionsFacts &From, const Expr *Call,
                                 llvm::ArrayRef<const Expr *> Args, State &St) {
  Value *V = Arena.make(Value::Kind::Options);
  V->Options = From;
  const Value *Arg = Args.empty() ? nullptr : value(Args[0], St);
  if (Name == "device" || Name == "device_index") {
    V->Options.HasDevice = true;
    V->Options.Device =
        Arg && Arg->K == Value::Kind::Device
            ? Arg->Fact
            : opaqueFact(Call, 6, "the device is chosen at run time here", Evidence::Likely, St);
  } else if (Name == "dtype") {
    V->Options.Types = UnknownElementType;
    if (Arg && Arg->K == Value::Kind::ElementType) {
      V->Options.Types = Arg->Types;
    } else if (const auto *C = dyn_cast<CallExpr>(Call)) {
      // dtype<double>()
      const FunctionDecl *Fn = C->getDirectCallee();
      const TemplateArgumentList *TA = Fn ? Fn->getTemplateSpecializationArgs() : nullptr;
      if (TA && TA->size() && TA->get(0).getKind() == TemplateArgument::Type)
        if (int Type = model::Types::scalarTypeOf(TA->get(0).getAsType()); Type >= 0)
          V->Options.Types = ElementTypes(1) << Type;
    }
  } else if (Name == "pinned_memory") {
    V->Options.Pinned = !(Arg && Arg->K == Value::Kind::Integer && !Arg->Number);
  } else if (Name == "requires_grad") {
    const bool No = Arg && Arg->K == Value::Kind::Integer && !Arg->Number;
    V->Options.Grad =
        No ? FactTable::Host
           : opaqueFact(Call, 7, "made to require grad here",
                        Arg && Arg->K != Value::Kind::Integer ? Evidence::Likely : Evidence::Proven,
                        St);
  }
  return V;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

const Value *Engine::moduleCall(const CXXMethodDecl *M, const Expr *Call, const Expr *Object,
                                llvm::ArrayRef<const Expr *> Args, State &St, bool &Done) {
  const std::string NameStorage = M->getNameAsString();
  StringRef Name = NameStorage;
  const bool Arrow = Object->getType()->isPointerType();
  const Value *Here = Arrow ? value(Object, St) : raw(Object, St);
  QualType ModuleType = Arrow ? Object->getType()->getPointeeType() : Object->getType();
  const bool Own = isa<CXXThisExpr>(strip(Object));
  Done = true;
  if (isOneOf(Name, {"operator->", "operator*", "get", "ptr", "operator=", "copy"})) {
    if (Name != "operator=")
      return Here;
    const Value *V = Args.empty() ? nullptr : value(Args[0], St);
    store(Here, V && V->K == Value::Kind::Module ? V : unknown(), St, Call);
    return Here;
  }
  if (isOneOf(Name, {"register_module", "replace_module"}))
    return Args.size() == 2 ? value(Args[1], St) : nullptr;
  if (Name == "register_parameter" || Name == "register_buffer") {
    const TensorFacts *X = Args.size() >= 2 ? tensor(Args[1], St) : nullptr;
    TensorFacts R = X ? *X : TensorFacts();
    R.Grad = FactTable::Host;
    const Value *Requires = Args.size() == 3 ? value(Args[2], St) : nullptr;
    if (Name == "register_parameter" &&
        !(Requires && Requires->K == Value::Kind::Integer && !Requires->Number))
      R.Grad = opaqueFact(Call, 8, "registered as a parameter here", Evidence::Proven, St);
    return tensorValue(std::move(R));
  }
  const Value *Module = load(Here, ModuleType, St);
  if (Own && (!Module || Module->K != Value::Kind::Module))
    Module = nullptr;
  if (!Module && !Own)
    Module = initial(T.Locations.root({PathStep::Temporary, Object, 4}), ModuleType, St);
  if (Module && Module->K != Value::Kind::Module)
    Module = initial(T.Locations.root({PathStep::Temporary, Object, 4}), ModuleType, St);

  if (isOneOf(Name, {"to", "cuda", "cpu", "xpu"})) {
    bool Found = false;
    FactId Device = FactTable::Host;
    if (Name == "to") {
      for (const Expr *A : Args)
        if (!Found)
          Device = deviceOf(A, St, &Found);
    } else {
      Found = true;
      if (Name != "cpu")
        Device =
            opaqueFact(Call, 9, "the module is moved to an accelerator here", Evidence::Proven, St);
    }
    if (Found && Module && Here) {
      Value *Moved = Arena.copy(*Module);
      Moved->Tensor.Device = Device;
      store(Here, Moved, St, Call);
    }
    return Here;
  }
  if (isOneOf(Name, {"parameters", "buffers", "named_parameters", "named_buffers"}) && Module) {
    TensorFacts R;
    R.Device = Module->Tensor.Device;
    if (StringRef(Name).contains("parameters"))
      R.Grad = opaqueFact(Call, 10, "a parameter of the module", Evidence::Proven, St);
    R.Storages.push_back({T.Objects.get(Call, 0x30, Call->getExprLoc(), true)});
    R.Impls.push_back({T.Objects.get(Call, 0x31, Call->getExprLoc(), true)});
    Value *V = Arena.make(Value::Kind::Aggregate);
    V->Parts.emplace_back(ElementStep, tensorValue(std::move(R)));
    return V;
  }
  const bool Forward = isOneOf(Name, {"forward", "operator()", "run_method", "get_method", "attr",
                                      "run", "any_forward", "forward_with_hx", "run_extern"});
  if (!Forward || !Module) {
    Done = false;
    return nullptr;
  }
  if (Types.kind(Call->getType()) == TypeKind::JitModule)
    return Here; // get_method("f")(...)
  TensorFacts R;
  llvm::SmallVector<FactId, 4> Devices{Module->Tensor.Device}, Grads;
  llvm::SmallVector<const TensorFacts *, 4> Inputs;
  for (const Expr *A : Args)
    tensorsIn(A, St, Inputs);
  for (const TensorFacts *X : Inputs) {
    Devices.push_back(X->Device);
    Grads.push_back(X->Grad);
  }
  R.Device = combine(Devices, St);
  if (St.Mode != GradMode::Off) {
    Grads.push_back(Module->Tensor.Grad);
    R.Grad = combine(Grads, St);
  }
  R.Storages = fresh(Call, 0, St);
  R.Impls = fresh(Call, 1, St);
  computedFrom(R, Inputs, R.Grad != FactTable::Host);
  const Value *Out = tensorValue(R);
  switch (Types.kind(Call->getType())) {
  case TypeKind::Tensor:
  case TypeKind::IValue:
    return Out;
  case TypeKind::Container: {
    Value *V = Arena.make(Value::Kind::Aggregate);
    V->Parts.emplace_back(ElementStep, Out);
    return V;
  }
  case TypeKind::Tuple: {
    Value *V = Arena.make(Value::Kind::Aggregate);
    for (unsigned I = 0; I < 4; ++I)
      V->Parts.emplace_back(indexStep(I), Out);
    return V;
  }
  default:
    Done = false;
    return nullptr;
  }
}

} // namespace torch_tidy::flow
