//===--- Sinks.cpp - functions that read or write memory, as data ----------===//
#include "Sinks.h"
#include "../support/Compat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace torch_tidy::model {

using support::startsWith;

static constexpr uint32_t arg(unsigned I) { return uint32_t(1) << I; }

static constexpr HostSink HostSinks[] = {
    {"memcpy", arg(1), arg(0)},
    {"memmove", arg(1), arg(0)},
    {"memset", 0, arg(0)},
    {"memcmp", arg(0) | arg(1), 0},
    {"memchr", arg(0), 0},
    {"bcopy", arg(0), arg(1)},
    {"strcpy", arg(1), arg(0)},
    {"strncpy", arg(1), arg(0)},
    {"strlen", arg(0), 0},
    {"strcmp", arg(0) | arg(1), 0},
    {"strncmp", arg(0) | arg(1), 0},
    {"fwrite", arg(0), 0},
    {"fread", 0, arg(0)},
    {"write", arg(1), 0},
    {"read", 0, arg(1)},
    {"pwrite", arg(1), 0},
    {"pread", 0, arg(1)},
    {"send", arg(1), 0},
    {"recv", 0, arg(1)},
    {"__builtin_memcpy", arg(1), arg(0)},
    {"__builtin_memmove", arg(1), arg(0)},
    {"__builtin_memset", 0, arg(0)},
    {"std::basic_ostream::write", arg(0), 0},
    {"std::basic_istream::read", 0, arg(0)},
    {"std::basic_streambuf::sputn", arg(0), 0},
    {"std::basic_streambuf::sgetn", 0, arg(0)},
    {"std::basic_string::assign", arg(0) | arg(1), 0},
    {"std::basic_string::append", arg(0) | arg(1), 0},
};

// Algorithms that write; all others only read.
static constexpr HostSink WritingAlgorithms[] = {
    {"copy", 0, arg(2)},
    {"copy_n", 0, arg(2)},
    {"copy_if", 0, arg(2)},
    {"copy_backward", 0, arg(2)},
    {"move", 0, arg(2)},
    {"move_backward", 0, arg(2)},
    {"fill", 0, arg(0)},
    {"fill_n", 0, arg(0)},
    {"generate", 0, arg(0)},
    {"generate_n", 0, arg(0)},
    {"iota", 0, arg(0)},
    {"transform", 0, arg(2) | arg(3)},
    {"partial_sum", 0, arg(2)},
    {"inclusive_scan", 0, arg(2)},
    {"exclusive_scan", 0, arg(2)},
    {"adjacent_difference", 0, arg(2)},
    {"sort", 0, arg(0)},
    {"stable_sort", 0, arg(0)},
    {"partial_sort", 0, arg(0)},
    {"nth_element", 0, arg(0)},
    {"reverse", 0, arg(0)},
    {"rotate", 0, arg(0)},
    {"shuffle", 0, arg(0)},
    {"replace", 0, arg(0)},
    {"replace_if", 0, arg(0)},
    {"unique", 0, arg(0)},
    {"remove", 0, arg(0)},
    {"remove_if", 0, arg(0)},
    {"reverse_copy", 0, arg(2)},
    {"swap_ranges", 0, arg(0) | arg(2)},
    {"merge", 0, arg(4)},
    {"uninitialized_copy", 0, arg(2)},
    {"uninitialized_fill", 0, arg(0)},
};

static constexpr const char *ReadingAlgorithms[] = {
    "accumulate",    "reduce",      "inner_product", "transform_reduce", "for_each",
    "for_each_n",    "find",        "find_if",       "find_if_not",      "count",
    "count_if",      "max_element", "min_element",   "minmax_element",   "equal",
    "mismatch",      "search",      "all_of",        "any_of",           "none_of",
    "is_sorted",     "lower_bound", "upper_bound",   "binary_search",    "lexicographical_compare",
    "adjacent_find", "equal_range", "includes",
};

// Families whose functions take device memory.
static constexpr const char *DevicePrefixes[] = {
    "cublas", "cudnn",  "cufft", "cusparse", "cusolver", "curand",  "nccl",     "nppi",
    "npps",   "nvjpeg", "hip",   "rocblas",  "miopen",   "hipblas", "cutensor", "cudss",
};
static constexpr const char *DeviceNamespaces[] = {
    "cub::",  "thrust::",  "nvinfer1::", "cutlass::", "cute::",
    "cuda::", "rocprim::", "hipcub::",   "nvcv::",    "cvcuda::",
};

Sink findSink(llvm::StringRef Name) {
  Sink S;
  llvm::StringRef C = Name;
  if (startsWith(C, "std::"))
    C = C.drop_front(5);
  for (const HostSink &H : HostSinks)
    if (Name == H.Name || (C == H.Name && !llvm::StringRef(H.Name).contains(':'))) {
      S.Kind = SinkKind::Host;
      S.Reads = H.Reads;
      S.Writes = H.Writes;
      return S;
    }
  if (startsWith(Name, "std::")) {
    // std::ranges has the same algorithms.
    llvm::StringRef Algorithm = C;
    for (const HostSink &H : WritingAlgorithms)
      if (Algorithm == H.Name) {
        S.Kind = SinkKind::Algorithm;
        S.Reads = ~H.Writes;
        S.Writes = H.Writes;
        return S;
      }
    if (llvm::is_contained(ReadingAlgorithms, Algorithm)) {
      S.Kind = SinkKind::Algorithm;
      return S;
    }
    S.Kind = SinkKind::Neutral;
    return S;
  }
  if (Name == "printf" || Name == "fprintf" || Name == "snprintf" || Name == "fmt::print" ||
      Name == "free") {
    S.Kind = SinkKind::Neutral;
    return S;
  }
  if (startsWith(Name, "cudaMemcpy") || startsWith(Name, "hipMemcpy")) {
    S.Kind = SinkKind::Copy;
    llvm::StringRef Rest = Name.substr(Name.find("Memcpy") + 6);
    // (dst, src, count, kind), (dst, dpitch, src, spitch, width, height, kind)
    S.Direction = startsWith(Rest, "2D") ? 6 : startsWith(Rest, "Peer") ? -1 : 3;
    if (startsWith(Rest, "3D") || startsWith(Rest, "ToSymbol") || startsWith(Rest, "FromSymbol") ||
        startsWith(Rest, "Peer"))
      S.Kind = SinkKind::Device;
    return S;
  }
  auto IsDevice = [&] {
    for (const char *P : DeviceNamespaces)
      if (startsWith(Name, P))
        return true;
    if (Name.contains("::"))
      return false;
    for (const char *P : DevicePrefixes)
      if (startsWith(Name, P))
        return true;
    // cudaMalloc, cuMemcpyDtoH, __cudaRegister...
    return startsWith(Name, "cuda") ||
           (Name.size() > 2 && startsWith(Name, "cu") && (Name[2] >= 'A' && Name[2] <= 'Z'));
  };
  if (IsDevice())
    S.Kind = SinkKind::Device;
  return S;
}

bool anyOrder(llvm::StringRef Name) {
  if (startsWith(Name, "std::"))
    Name = Name.drop_front(5);
  return llvm::is_contained(
      llvm::ArrayRef<llvm::StringRef>{"memset", "__builtin_memset", "fill", "fill_n", "accumulate",
                                      "reduce", "count", "count_if", "all_of", "any_of", "none_of"},
      Name);
}

static constexpr const char *Keepers[] = {
    "push",   "push_back", "push_front",  "emplace", "emplace_back", "emplace_front",
    "insert", "enqueue",   "try_enqueue", "Enqueue", "Push",         "PushBack",
    "post",   "Post",      "submit",      "Submit",  "put",          "Put",
    "add",    "Add",       "append",      "Append",  "store",        "Store",
    "send",   "schedule",  "produce",     "offer",   "pushBack",     "addTensor",
};

static constexpr const char *OwnMemory[] = {
    "data", "ptr", "bits", "constBits", "scanLine", "c_str", "get", "getData", "GetData",
};

// cudaMallocManaged and cudaMallocHost give memory that the host can read.
static constexpr const char *DeviceAllocators[] = {
    "cudaMalloc", "cudaMallocAsync", "cudaMallocPitch", "cudaMallocFromPoolAsync",
    "hipMalloc",  "hipMallocAsync",  "hipMallocPitch",
};

bool allocatesOnDevice(llvm::StringRef Name) { return llvm::is_contained(DeviceAllocators, Name); }

bool keepsArgument(llvm::StringRef Name) { return llvm::is_contained(Keepers, Name); }

bool givesOwnMemory(llvm::StringRef Name) { return llvm::is_contained(OwnMemory, Name); }

} // namespace torch_tidy::model
