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
    {"dtype", MethodKind::ElementType},
    {"get_device", MethodKind::Device},
    {"getIntrusivePtr", MethodKind::StorageHandle},
    {"grad", MethodKind::Grad},
    {"has_value", MethodKind::Defined},
    {"hip", MethodKind::Conversion},
    {"is_cpu", MethodKind::IsHost},
    {"is_cuda", MethodKind::IsAccelerator},
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
    {"sizes", MethodKind::Shape},
    {"storage", MethodKind::StorageHandle},
    {"strides", MethodKind::Shape},
    {"swap", MethodKind::Handle},
    {"sym_sizes", MethodKind::Shape},
    {"sym_strides", MethodKind::Shape},
    {"to", MethodKind::Conversion},
    {"type", MethodKind::Options},
    {"type_as", MethodKind::Conversion},
    {"unsafeGetStorageImpl", MethodKind::StorageHandle},
    {"unsafeGetTensorImpl", MethodKind::StorageHandle},
    {"unsafe_storage", MethodKind::StorageHandle},
    {"untyped_storage", MethodKind::StorageHandle},
    {"xpu", MethodKind::Conversion},
};

static constexpr const char *Silent[] = {
    "backward",      "dim",
    "element_size",  "equal",
    "has_names",     "has_storage",
    "is_alias_of",   "is_contiguous",
    "is_leaf",       "is_same",
    "is_sparse",     "item",
    "itemsize",      "layout",
    "name",          "nbytes",
    "ndimension",    "numel",
    "output_nr",     "print",
    "register_hook", "retain_grad",
    "size",          "storage_offset",
    "stride",        "toString",
    "use_count",     "weak_use_count",
    "_version",      "is_floating_point",
    "is_complex",    "is_signed",
    "is_nonzero",    "retains_grad",
    "sym_numel",     "allclose",
    "key_set",       "suggest_memory_format",
    "is_quantized",  "is_meta",
};

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

static constexpr const char *Views[] = {
    "view",
    "view_as",
    "t",
    "transpose",
    "permute",
    "select",
    "slice",
    "narrow",
    "squeeze",
    "unsqueeze",
    "expand",
    "expand_as",
    "diagonal",
    "unfold",
    "as_strided",
    "operator[]",
    "real",
    "imag",
    "view_as_real",
    "unbind",
    "split",
    "chunk",
    "movedim",
    "swapaxes",
    "swapdims",
    "moveaxis",
    "mT",
    "mH",
    "T",
    "H",
    "numpy_T",
    "alias",
    "detach",
    "unflatten",
    "tensor_split",
    "hsplit",
    "vsplit",
    "dsplit",
    "split_with_sizes",
    "conj",
    "view_as_complex",
    "adjoint",
};
static constexpr const char *MaybeViews[] = {
    "reshape",    "flatten",    "ravel",        "contiguous",  "reshape_as",
    "index",      "to",         "resolve_conj", "resolve_neg", "broadcast_to",
    "atleast_1d", "atleast_2d", "atleast_3d",   "positive",
};

ResultStorage resultStorage(llvm::StringRef Name) {
  if (llvm::is_contained(Views, Name))
    return ResultStorage::View;
  if (llvm::is_contained(MaybeViews, Name))
    return ResultStorage::MaybeView;
  return ResultStorage::New;
}

static constexpr const char *NotDifferentiable[] = {
    "argmax",
    "argmin",
    "argsort",
    "bincount",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "equal",
    "greater",
    "less",
    "isnan",
    "isinf",
    "isfinite",
    "logical_and",
    "logical_or",
    "logical_not",
    "logical_xor",
    "nonzero",
    "any",
    "all",
    "sign",
    "multinomial",
    "randperm",
    "one_hot",
    "bernoulli",
    "histc",
    "searchsorted",
    "bucketize",
    "not_equal",
    "greater_equal",
    "less_equal",
    "isin",
    "signbit",
    "floor_divide",
    "operator<",
    "operator>",
    "operator<=",
    "operator>=",
    "operator==",
    "operator!=",
    "operator!",
    "operator~",
    "count_nonzero",
    "unique",
    "isclose",
    "nms",
};

bool neverDifferentiable(llvm::StringRef Name) {
  return llvm::is_contained(NotDifferentiable, Name);
}

static constexpr const char *Factories[] = {
    "zeros",         "ones",           "empty",           "rand",
    "randn",         "randint",        "randperm",        "arange",
    "full",          "linspace",       "logspace",        "eye",
    "tensor",        "scalar_tensor",  "empty_strided",   "range",
    "hann_window",   "hamming_window", "blackman_window", "bartlett_window",
    "kaiser_window", "complex",        "from_file",       "tril_indices",
    "triu_indices",  "empty_permuted",
};

bool isFactory(llvm::StringRef Name) { return llvm::is_contained(Factories, Name); }

} // namespace torch_tidy::model
