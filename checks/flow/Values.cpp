//===--- Values.cpp - abstract values of the tensor-flow analysis ---------===//
#include "Values.h"

namespace torch_tidy::flow {

bool equal(const Condition *A, const Condition *B) {
  if (A == B)
    return true;
  if (!A || !B || A->Op != B->Op || A->Fact != B->Fact || A->Key != B->Key)
    return false;
  if (A->Types != B->Types || A->Dim != B->Dim || A->Size != B->Size)
    return false;
  if (A->Of != B->Of && !(A->Of && B->Of && *A->Of == *B->Of))
    return false;
  return equal(A->L, B->L) && equal(A->R, B->R);
}

bool equal(const Value *A, const Value *B) {
  if (A == B)
    return true;
  if (!A || !B || A->K != B->K)
    return false;
  switch (A->K) {
  case Value::Kind::Unknown:
  case Value::Kind::Undefined:
    return true;
  case Value::Kind::Tensor:
  case Value::Kind::Module:
    return A->Tensor == B->Tensor;
  case Value::Kind::Pointer:
  case Value::Kind::DataLvalue:
    return A->Origins == B->Origins && A->Moved == B->Moved;
  case Value::Kind::Device:
    return A->Fact == B->Fact;
  case Value::Kind::Options:
    return A->Options == B->Options;
  case Value::Kind::ElementType:
    return A->Types == B->Types && A->OfTensor == B->OfTensor && A->Tensor == B->Tensor;
  case Value::Kind::Condition:
    return equal(A->Cond, B->Cond);
  case Value::Kind::Integer:
  case Value::Kind::GradScope:
    return A->Number == B->Number;
  case Value::Kind::Extent:
    return A->Number == B->Number && A->Tensor == B->Tensor;
  case Value::Kind::Reference:
    return A->Locations == B->Locations;
  case Value::Kind::Lambda:
    if (A->Lambda != B->Lambda)
      return false;
    [[fallthrough]];
  case Value::Kind::Aggregate:
    if (A->Parts.size() != B->Parts.size())
      return false;
    for (size_t I = 0; I < A->Parts.size(); ++I)
      if (!(A->Parts[I].first == B->Parts[I].first) ||
          !equal(A->Parts[I].second, B->Parts[I].second))
        return false;
    return true;
  }
  return false;
}

LocationId LocationTable::child(LocationId Parent, PathStep Step) {
  auto [It, New] = Ids.try_emplace({Parent, Step}, LocationId(Entries.size()));
  if (New) {
    bool Summary = Entries[Parent].Summary || Step.Op == PathStep::Element;
    // One element picked out of a summary is one tensor.
    if (Step.Op == PathStep::Instance)
      Summary = false;
    Entries.push_back({Parent, Step, Summary, {}});
    if (Parent != None)
      Entries[Parent].Children.push_back(It->second);
  }
  return It->second;
}

const clang::ValueDecl *LocationTable::rootVariable(LocationId Id) const {
  const PathStep &Step = Entries[rootOf(Id)].Step;
  if (Step.Op != PathStep::Variable)
    return nullptr;
  return static_cast<const clang::ValueDecl *>(static_cast<const clang::Decl *>(Step.Key));
}

ObjectId ObjectTable::get(const void *Key, unsigned Variant, clang::SourceLocation Loc,
                          bool External) {
  auto [It, New] = ByKey.try_emplace({Key, Variant}, ObjectId(Objects.size()));
  if (New)
    Objects.push_back({Key, Loc, External});
  return It->second;
}

ObjectId ObjectTable::older(ObjectId Id) {
  auto [It, New] = Older.try_emplace(Id, ObjectId(Objects.size()));
  if (New) {
    Object Copy = Objects[Id];
    Objects.push_back(Copy);
    Older.try_emplace(It->second, It->second);
  }
  return It->second;
}

} // namespace torch_tidy::flow
