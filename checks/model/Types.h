//===--- Types.h - which C++ types are LibTorch's, and what they are -------===//
//
// Types are recognised by their canonical declaration, never by spelling: other libraries have a
// `Tensor` too. One line of the table in Types.cpp teaches the analysis a new type.
//
//===----------------------------------------------------------------------===//
#ifndef TORCH_TIDY_MODEL_TYPES_H
#define TORCH_TIDY_MODEL_TYPES_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>

namespace torch_tidy::model {

enum class TypeKind : uint8_t {
  Other,
  Tensor,         ///< at::Tensor, at::TensorBase, torch::stable::Tensor, and classes derived
  Device,         ///< c10::Device
  DeviceType,     ///< c10::DeviceType
  Options,        ///< c10::TensorOptions
  ElementType,    ///< c10::ScalarType, caffe2::TypeMeta
  NoGrad,         ///< scopes in which no gradient is recorded
  AutoGradMode,   ///< a scope whose argument tells whether gradients are recorded
  Module,         ///< torch::nn::Module, ModuleHolder, AnyModule, and classes derived
  JitModule,      ///< torch::jit::Module and its methods
  IValue,         ///< c10::IValue
  Accessor,       ///< at::TensorAccessor
  PackedAccessor, ///< at::GenericPackedTensorAccessor, at::PackedTensorAccessor
  Storage,        ///< c10::Storage, c10::DataPtr, c10::StorageImpl, c10::TensorImpl
  MemoryView,     ///< cv::Mat, Eigen::Map, std::span, ...: keeps a pointer it was made from
  Pointer,        ///< std::unique_ptr, std::shared_ptr, optional, MaybeOwned, intrusive_ptr
  Container,      ///< std::vector, std::array, c10::ArrayRef, c10::List, std::map, ...
  Tuple,          ///< std::tuple, std::pair
  Function,       ///< std::function
  Thread,         ///< std::thread and the like: its arguments are used later
};

/// Answers per record, cached: one instance for each translation unit.
class Types {
public:
  TypeKind kind(clang::QualType T) const;
  TypeKind kind(const clang::RecordDecl *R) const;

  bool isTensor(clang::QualType T) const { return kind(T) == TypeKind::Tensor; }
  /// A tensor, or a container, tuple, pointer or struct field that holds one, two levels deep.
  bool holdsTensor(clang::QualType T, unsigned Depth = 3) const;
  /// The first template argument of the container or pointer \p T that is a type.
  static clang::QualType elementOf(clang::QualType T);
  /// `c10::ScalarType` of the C++ type \p T; -1 for a type that no tensor has.
  static int scalarTypeOf(clang::QualType T);
  static llvm::StringRef scalarTypeName(int ScalarType);
  /// As C++ spells the type of the elements; empty where it has none.
  static llvm::StringRef cppTypeName(int ScalarType);

private:
  TypeKind classify(const clang::RecordDecl *R) const;
  mutable llvm::DenseMap<const clang::RecordDecl *, TypeKind> Cache;
};

/// The qualified name of \p D without inline namespaces (`std::__cxx11::`, `std::__1::`).
std::string qualifiedName(const clang::NamedDecl *D);

} // namespace torch_tidy::model

#endif // TORCH_TIDY_MODEL_TYPES_H
