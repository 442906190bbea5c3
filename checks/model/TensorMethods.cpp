//===--- TensorMethods.cpp - what LibTorch's tensor calls do, as data ------===//
#include "TensorMethods.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

namespace torch_tidy::model {

// at::TensorBase and at::Tensor of LibTorch 1.13 to 2.14 (ATen/core/TensorBase.h, TensorBody.h).
static constexpr std::pair<const char *, MethodKind> Methods[] = {
    {"accessor", MethodKind::Accessor},
    {"const_data_ptr", MethodKind::Pointer},
    {"cpu", MethodKind::Conversion},
    {"cuda", MethodKind::Conversion},
    {"data", MethodKind::Detach},
    {"data_ptr", MethodKind::Pointer},
    {"defined", MethodKind::Defined},
    {"detach", MethodKind::Detach},
    {"device", MethodKind::Device},
    {"dim", MethodKind::Extent},
    {"dtype", MethodKind::ElementType},
    {"get_device", MethodKind::Device},
    {"getIntrusivePtr", MethodKind::StorageHandle},
    {"grad", MethodKind::Grad},
    {"has_value", MethodKind::Defined},
    {"hip", MethodKind::Conversion},
    {"is_contiguous", MethodKind::IsContiguous},
    {"is_cpu", MethodKind::IsHost},
    {"is_cuda", MethodKind::IsAccelerator},
    {"is_floating_point", MethodKind::IsFloating},
    {"is_hip", MethodKind::IsAccelerator},
    {"is_hpu", MethodKind::IsAccelerator},
    {"is_ipu", MethodKind::IsAccelerator},
    {"is_metal", MethodKind::IsAccelerator},
    {"is_mps", MethodKind::IsAccelerator},
    {"is_mtia", MethodKind::IsAccelerator},
    {"is_ort", MethodKind::IsAccelerator},
    {"is_privateuseone", MethodKind::IsAccelerator},
    {"is_ve", MethodKind::IsAccelerator},
    {"is_vulkan", MethodKind::IsAccelerator},
    {"is_xla", MethodKind::IsAccelerator},
    {"is_xpu", MethodKind::IsAccelerator},
    {"mutable_data", MethodKind::Pointer},
    {"mutable_data_ptr", MethodKind::Pointer},
    {"mutable_grad", MethodKind::Grad},
    {"operator=", MethodKind::Handle},
    {"ndimension", MethodKind::Extent},
    {"numel", MethodKind::Extent},
    {"options", MethodKind::Options},
    {"packed_accessor", MethodKind::PackedAccessor},
    {"packed_accessor32", MethodKind::PackedAccessor},
    {"packed_accessor64", MethodKind::PackedAccessor},
    {"requires_grad", MethodKind::NeedsGrad},
    {"requires_grad_", MethodKind::SetGrad},
    {"reset", MethodKind::Reset},
    {"resize_", MethodKind::Resize},
    {"resize_as_", MethodKind::Resize},
    {"scalar_type", MethodKind::ElementType},
    {"set_", MethodKind::SetStorage},
    {"set_data", MethodKind::SetStorage},
    {"set_requires_grad", MethodKind::SetGrad},
    {"size", MethodKind::Extent},
    {"sizes", MethodKind::Shape},
    {"storage", MethodKind::StorageHandle},
    {"strides", MethodKind::Shape},
    {"swap", MethodKind::Handle},
    {"sym_sizes", MethodKind::Shape},
    {"sym_strides", MethodKind::Shape},
    {"to", MethodKind::Conversion},
    {"toType", MethodKind::Conversion},
    {"type", MethodKind::Options},
    {"type_as", MethodKind::Conversion},
    {"unsafeGetStorageImpl", MethodKind::StorageHandle},
    {"unsafeGetTensorImpl", MethodKind::StorageHandle},
    {"unsafe_storage", MethodKind::StorageHandle},
    {"untyped_storage", MethodKind::StorageHandle},
    {"xpu", MethodKind::Conversion},
};

static constexpr const char *Silent[] = {
    "backward",      "element_size", "equal",          "has_names",
    "has_storage",   "is_alias_of",  "is_leaf",        "is_same",
    "is_sparse",     "item",         "itemsize",       "layout",
    "name",          "nbytes",       "output_nr",      "print",
    "register_hook", "retain_grad",  "storage_offset", "stride",
    "toString",      "use_count",    "weak_use_count", "_version",
    "is_complex",    "is_signed",    "is_nonzero",     "retains_grad",
    "sym_numel",     "allclose",     "key_set",        "suggest_memory_format",
    "is_quantized",  "is_meta",
};

// torch::nn::utils::rnn::pack_padded_sequence copies the lengths to the host.
static constexpr const char *HostResults[] = {
    "torch::nn::utils::rnn::PackedSequence::batch_sizes",
};

bool givesHostTensor(llvm::StringRef QualifiedName) {
  return llvm::any_of(HostResults, [&](const char *Known) { return QualifiedName == Known; });
}

MethodKind methodKind(llvm::StringRef Name, bool HasTemplateArguments) {
  if (Name == "data" && HasTemplateArguments)
    return MethodKind::Pointer;
  for (const auto &[Known, Kind] : Methods)
    if (Name == Known)
      return Kind;
  for (const char *Known : Silent)
    if (Name == Known)
      return MethodKind::NoResult;
  return MethodKind::Operator;
}

} // namespace torch_tidy::model
