//===--- Deprecated.cpp - spellings of LibTorch's first releases ------------===//
#include "Deprecated.h"

namespace torch_tidy::model {

static constexpr DeprecatedMethod Accessors[] = {
    {"data", "data_ptr", "is deprecated, since 'data()' without a type is another tensor"},
    {"packed_accessor", "packed_accessor64", "is deprecated, since it hides how wide the index is"},
};

static constexpr DeprecatedMethod TypeQueries[] = {
    {"is_cuda", "is_cuda", "is deprecated: it looks up a type object of the old dispatcher"},
    {"scalarType", "scalar_type", "is deprecated: it looks up a type object of the old dispatcher"},
};

template <size_t N>
static const DeprecatedMethod *find(const DeprecatedMethod (&Table)[N], llvm::StringRef Name) {
  for (const DeprecatedMethod &M : Table)
    if (Name == M.Name)
      return &M;
  return nullptr;
}

const DeprecatedMethod *deprecatedAccessor(llvm::StringRef Name) { return find(Accessors, Name); }
const DeprecatedMethod *deprecatedTypeQuery(llvm::StringRef Name) {
  return find(TypeQueries, Name);
}

} // namespace torch_tidy::model
