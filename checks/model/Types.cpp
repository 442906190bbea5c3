//===--- Types.cpp - which C++ types are LibTorch's, and what they are -----===//
#include "Types.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringRef.h"
#include <utility>

using namespace clang;

namespace torch_tidy::model {

std::string qualifiedName(const NamedDecl *D) {
  llvm::SmallVector<StringRef, 8> Names;
  std::string Own = D->getNameAsString();
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent()) {
    if (const auto *NS = dyn_cast<NamespaceDecl>(C)) {
      if (!NS->isInline() && !NS->isAnonymousNamespace())
        Names.push_back(NS->getName());
    } else if (const auto *R = dyn_cast<RecordDecl>(C)) {
      if (R->getIdentifier())
        Names.push_back(R->getName());
    }
  }
  std::string Result;
  for (auto It = Names.rbegin(); It != Names.rend(); ++It)
    Result += (*It + "::").str();
  return Result + Own;
}

// The types of LibTorch and of the libraries that are used with it, one line each.
static constexpr std::pair<const char *, TypeKind> KnownTypes[] = {
    {"at::Tensor", TypeKind::Tensor},
    {"at::TensorBase", TypeKind::Tensor},
    {"torch::stable::Tensor", TypeKind::Tensor},
    {"at::OptionalTensorRef", TypeKind::Pointer},
    {"at::TensorRef", TypeKind::Pointer},
    {"c10::Device", TypeKind::Device},
    {"c10::TensorOptions", TypeKind::Options},
    {"at::DeprecatedTypeProperties", TypeKind::Options},
    {"at::DeprecatedTypeProperties", TypeKind::Options},
    {"torch::stable::Device", TypeKind::Device},
    {"caffe2::TypeMeta", TypeKind::ElementType},
    {"at::NoGradGuard", TypeKind::NoGrad},
    {"c10::InferenceMode", TypeKind::NoGrad},
    {"at::AutoNonVariableTypeMode", TypeKind::NoGrad},
    {"at::AutoDispatchBelowAutograd", TypeKind::NoGrad},
    {"at::AutoDispatchBelowADInplaceOrView", TypeKind::NoGrad},
    {"c10::NoGradGuard", TypeKind::NoGrad},
    {"c10::AutoGradMode", TypeKind::AutoGradMode},
    {"at::AutoGradMode", TypeKind::AutoGradMode},
    {"torch::nn::Module", TypeKind::Module},
    {"torch::nn::ModuleHolder", TypeKind::Module},
    {"torch::nn::AnyModule", TypeKind::Module},
    {"torch::nn::NamedAnyModule", TypeKind::Module},
    {"torch::jit::Module", TypeKind::JitModule},
    {"torch::jit::Method", TypeKind::JitModule},
    {"torch::jit::Object", TypeKind::JitModule},
    {"torch::inductor::AOTIModelPackageLoader", TypeKind::JitModule},
    {"c10::IValue", TypeKind::IValue},
    {"at::TensorAccessor", TypeKind::Accessor},
    {"at::TensorAccessorBase", TypeKind::Accessor},
    {"torch::headeronly::TensorAccessor", TypeKind::Accessor},
    {"torch::headeronly::TensorAccessorBase", TypeKind::Accessor},
    {"torch::headeronly::detail::TensorAccessor", TypeKind::Accessor},
    {"torch::headeronly::detail::TensorAccessorBase", TypeKind::Accessor},
    {"at::GenericPackedTensorAccessor", TypeKind::PackedAccessor},
    {"at::GenericPackedTensorAccessorBase", TypeKind::PackedAccessor},
    {"at::PackedTensorAccessor", TypeKind::PackedAccessor},
    {"torch::headeronly::GenericPackedTensorAccessor", TypeKind::PackedAccessor},
    {"torch::headeronly::GenericPackedTensorAccessorBase", TypeKind::PackedAccessor},
    {"torch::headeronly::detail::GenericPackedTensorAccessor", TypeKind::PackedAccessor},
    {"torch::headeronly::detail::GenericPackedTensorAccessorBase", TypeKind::PackedAccessor},
    {"c10::Storage", TypeKind::Storage},
    {"c10::DataPtr", TypeKind::Storage},
    {"c10::StorageImpl", TypeKind::Storage},
    {"c10::TensorImpl", TypeKind::Storage},
    {"at::StorageImpl", TypeKind::Storage},
    {"cv::Mat", TypeKind::MemoryView},
    {"cv::Mat_", TypeKind::MemoryView},
    {"cv::UMat", TypeKind::MemoryView},
    {"Eigen::Map", TypeKind::MemoryView},
    {"Eigen::TensorMap", TypeKind::MemoryView},
    {"cv::Matx", TypeKind::MemoryView},
    {"cv::_InputArray", TypeKind::MemoryView},
    {"std::span", TypeKind::MemoryView},
    {"gsl::span", TypeKind::MemoryView},
    {"std::basic_string_view", TypeKind::MemoryView},
    {"std::unique_ptr", TypeKind::Pointer},
    {"std::shared_ptr", TypeKind::Pointer},
    {"std::weak_ptr", TypeKind::Pointer},
    {"std::optional", TypeKind::Pointer},
    {"c10::optional", TypeKind::Pointer},
    {"c10::intrusive_ptr", TypeKind::Pointer},
    {"c10::MaybeOwned", TypeKind::Pointer},
    {"boost::optional", TypeKind::Pointer},
    {"std::reference_wrapper", TypeKind::Pointer},
    {"boost::shared_ptr", TypeKind::Pointer},
    {"absl::optional", TypeKind::Pointer},
    {"tl::optional", TypeKind::Pointer},
    {"std::vector", TypeKind::Container},
    {"std::array", TypeKind::Container},
    {"std::valarray", TypeKind::Container},
    {"std::deque", TypeKind::Container},
    {"std::list", TypeKind::Container},
    {"std::map", TypeKind::Container},
    {"std::unordered_map", TypeKind::Container},
    {"std::set", TypeKind::Container},
    {"std::queue", TypeKind::Container},
    {"std::stack", TypeKind::Container},
    {"std::forward_list", TypeKind::Container},
    {"std::multimap", TypeKind::Container},
    {"std::unordered_set", TypeKind::Container},
    {"std::initializer_list", TypeKind::Container},
    {"std::priority_queue", TypeKind::Container},
    {"std::unordered_multimap", TypeKind::Container},
    {"c10::ArrayRef", TypeKind::Container},
    {"c10::HeaderOnlyArrayRef", TypeKind::Container}, // base of ArrayRef in LibTorch 2.11
    {"c10::OptionalArrayRef", TypeKind::Container},
    {"c10::SmallVector", TypeKind::Container},
    {"c10::List", TypeKind::Container},
    {"c10::Dict", TypeKind::Container},
    {"c10::IListRef", TypeKind::Container},
    {"c10::SmallVectorImpl", TypeKind::Container},
    {"torch::OrderedDict", TypeKind::Container},
    {"llvm::SmallVector", TypeKind::Container},
    {"c10::MaterializedIListRef", TypeKind::Container},
    {"c10::SmallVectorTemplateCommon", TypeKind::Container},
    {"c10::SmallVectorTemplateBase", TypeKind::Container},
    {"torch::ExpandingArray", TypeKind::Container},
    {"c10::DictEntryRef", TypeKind::Container},
    {"std::tuple", TypeKind::Tuple},
    {"std::pair", TypeKind::Tuple},
    {"std::function", TypeKind::Function},
    {"std::packaged_task", TypeKind::Function},
    {"std::thread", TypeKind::Thread},
    {"std::jthread", TypeKind::Thread},
    {"std::future", TypeKind::Thread},
};

static TypeKind byName(StringRef Name) {
  for (const auto &[Known, Kind] : KnownTypes)
    if (Name == Known)
      return Kind;
  return TypeKind::Other;
}

TypeKind Types::classify(const RecordDecl *R) const {
  if (!R->getIdentifier())
    return TypeKind::Other;
  TypeKind Kind = byName(qualifiedName(R));
  if (Kind != TypeKind::Other)
    return Kind;
  // Classes derived from tensors, modules, accessors, scopes are such things too.
  const auto *C = dyn_cast<CXXRecordDecl>(R);
  if (!C || !C->hasDefinition() || C->isDependentContext())
    return TypeKind::Other;
  for (const CXXBaseSpecifier &Base : C->getDefinition()->bases()) {
    const auto *B = Base.getType()->getAsCXXRecordDecl();
    if (!B)
      continue;
    switch (TypeKind BaseKind = kind(B)) {
    case TypeKind::Tensor:
    case TypeKind::NoGrad:
    case TypeKind::Module:
    case TypeKind::JitModule:
    case TypeKind::Accessor:
    case TypeKind::PackedAccessor:
    case TypeKind::Container:
    case TypeKind::MemoryView:
      return BaseKind;
    default:
      break;
    }
  }
  return TypeKind::Other;
}

TypeKind Types::kind(const RecordDecl *R) const {
  if (!R)
    return TypeKind::Other;
  R = cast<RecordDecl>(R->getCanonicalDecl());
  auto It = Cache.find(R);
  if (It != Cache.end())
    return It->second;
  // The entry also ends the recursion through ill-formed hierarchies.
  Cache[R] = TypeKind::Other;
  TypeKind Kind = classify(R);
  Cache[R] = Kind;
  return Kind;
}

TypeKind Types::kind(QualType T) const {
  if (T.isNull())
    return TypeKind::Other;
  T = T.getNonReferenceType().getCanonicalType();
  if (const auto *E = T->getAs<EnumType>()) {
    std::string Name = qualifiedName(E->getDecl());
    if (Name == "c10::DeviceType" || Name == "torch::headeronly::DeviceType")
      return TypeKind::DeviceType;
    if (Name == "c10::ScalarType" || Name == "torch::headeronly::ScalarType")
      return TypeKind::ElementType;
    return TypeKind::Other;
  }
  if (const auto *R = T->getAsRecordDecl())
    return kind(R);
  if (const auto *TST = T->getAs<TemplateSpecializationType>())
    if (const TemplateDecl *TD = TST->getTemplateName().getAsTemplateDecl())
      return kind(dyn_cast_or_null<RecordDecl>(TD->getTemplatedDecl()));
  return TypeKind::Other;
}

bool Types::holdsTensor(QualType T, unsigned Depth) const {
  if (T.isNull() || !Depth)
    return false;
  T = T.getNonReferenceType().getCanonicalType();
  if (T->isPointerType())
    return holdsTensor(T->getPointeeType(), Depth - 1);
  if (const auto *A = T->getAsArrayTypeUnsafe())
    return holdsTensor(A->getElementType(), Depth - 1);
  const auto *R = T->getAsCXXRecordDecl();
  if (!R)
    return false;
  switch (kind(R)) {
  case TypeKind::Tensor:
    return true;
  case TypeKind::Pointer:
  case TypeKind::Container:
  case TypeKind::Tuple:
    if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R)) {
      for (const TemplateArgument &A : S->getTemplateArgs().asArray()) {
        if (A.getKind() == TemplateArgument::Type && holdsTensor(A.getAsType(), Depth - 1))
          return true;
        if (A.getKind() == TemplateArgument::Pack)
          for (const TemplateArgument &P : A.pack_elements())
            if (P.getKind() == TemplateArgument::Type && holdsTensor(P.getAsType(), Depth - 1))
              return true;
      }
    }
    return false;
  case TypeKind::Other:
    if (R->hasDefinition())
      for (const FieldDecl *F : R->getDefinition()->fields())
        if (holdsTensor(F->getType(), Depth - 1))
          return true;
    return false;
  default:
    return false;
  }
}

QualType Types::elementOf(QualType T) {
  T = T.getNonReferenceType().getCanonicalType();
  if (const auto *A = T->getAsArrayTypeUnsafe())
    return A->getElementType();
  if (const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl()))
    for (const TemplateArgument &A : S->getTemplateArgs().asArray())
      if (A.getKind() == TemplateArgument::Type)
        return A.getAsType();
  return {};
}

// c10/core/ScalarType.h: the order of AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS, unchanged from
// 1.0 to 2.14.
static const char *const ScalarTypeNames[] = {
    "Byte",  "Char",   "Short",       "Int",          "Long",          "Half",
    "Float", "Double", "ComplexHalf", "ComplexFloat", "ComplexDouble", "Bool",
    "QInt8", "QUInt8", "QInt32",      "BFloat16"};

llvm::StringRef Types::scalarTypeName(int ScalarType) {
  if (ScalarType < 0 || size_t(ScalarType) >= std::size(ScalarTypeNames))
    return "another type";
  return ScalarTypeNames[ScalarType];
}

llvm::StringRef Types::cppTypeName(int ScalarType) {
  static const char *const Names[] = {"uint8_t",
                                      "int8_t",
                                      "int16_t",
                                      "int32_t",
                                      "int64_t",
                                      "at::Half",
                                      "float",
                                      "double",
                                      "c10::complex<at::Half>",
                                      "c10::complex<float>",
                                      "c10::complex<double>",
                                      "bool",
                                      "c10::qint8",
                                      "c10::quint8",
                                      "c10::qint32",
                                      "at::BFloat16"};
  return ScalarType >= 0 && size_t(ScalarType) < std::size(Names) ? StringRef(Names[ScalarType])
                                                                  : StringRef();
}

int Types::scalarTypeOf(QualType T) {
  if (T.isNull())
    return -1;
  T = T.getNonReferenceType().getCanonicalType();
  if (const auto *B = T->getAs<BuiltinType>()) {
    switch (B->getKind()) {
    case BuiltinType::Bool:
      return 11;
    case BuiltinType::UChar:
      return 0;
    case BuiltinType::SChar:
    case BuiltinType::Char_S:
      return 1;
    case BuiltinType::Short:
      return 2;
    case BuiltinType::Int:
      return 3;
    case BuiltinType::Long:
    case BuiltinType::LongLong:
      return 4;
    case BuiltinType::Float:
      return 6;
    case BuiltinType::Double:
      return 7;
    default:
      return -1;
    }
  }
  if (const auto *R = T->getAsCXXRecordDecl()) {
    std::string Name = qualifiedName(R);
    if (Name == "c10::Half" || Name == "torch::headeronly::Half")
      return 5;
    if (Name == "c10::BFloat16" || Name == "torch::headeronly::BFloat16")
      return 15;
    if (Name == "c10::complex" || Name == "std::complex")
      return scalarTypeOf(elementOf(T)) == 7 ? 10 : 9;
  }
  return -1;
}

} // namespace torch_tidy::model
