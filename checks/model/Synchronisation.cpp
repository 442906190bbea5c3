//===--- Synchronisation.cpp - host and device wait for each other, as data ===//
#include "Synchronisation.h"
#include "llvm/ADT/STLExtras.h"
#include <string>
#include <utility>

namespace torch_tidy::model {

template <size_t N> static bool isOneOf(llvm::StringRef Name, const char *const (&Names)[N]) {
  return llvm::is_contained(Names, Name);
}

bool waitsForDevice(llvm::StringRef Name) {
  // torch::cuda::synchronize, CUDAStream::synchronize, cudaStreamSynchronize, hipDeviceSynchronize,
  // cuCtxSynchronize, c10::cuda::device_synchronize, ...
  return Name.contains("ynchronize");
}

bool saysItWaits(llvm::StringRef Name) {
  static constexpr const char *Words[] = {"sync",   "wait",  "join", "barrier",
                                          "finish", "flush", "drain"};
  const std::string Lower = Name.lower();
  if (llvm::StringRef(Lower).contains("async"))
    return false;
  return llvm::any_of(Words,
                      [&](const char *Word) { return llvm::StringRef(Lower).contains(Word); });
}

Query asksForCompletion(llvm::StringRef Name) {
  static constexpr std::pair<const char *, Query> Queries[] = {
      {"query", Query::True},           {"cudaEventQuery", Query::Zero},
      {"cudaStreamQuery", Query::Zero}, {"cuEventQuery", Query::Zero},
      {"cuStreamQuery", Query::Zero},   {"hipEventQuery", Query::Zero},
      {"hipStreamQuery", Query::Zero},
  };
  for (const auto &[Known, Answer] : Queries)
    if (Name == Known)
      return Answer;
  return Query::None;
}

bool fetchesNumber(llvm::StringRef Method) {
  static constexpr const char *Names[] = {"item", "is_nonzero", "_local_scalar_dense"};
  return isOneOf(Method, Names);
}

bool readsElements(llvm::StringRef Method) {
  static constexpr const char *Names[] = {"item", "is_nonzero", "equal", "allclose", "print"};
  return isOneOf(Method, Names);
}

bool differentiates(llvm::StringRef QualifiedName) {
  static constexpr const char *Names[] = {"torch::autograd::backward", "torch::autograd::grad"};
  return isOneOf(QualifiedName, Names);
}

bool accumulates(llvm::StringRef Operator) {
  static constexpr const char *Names[] = {
      "operator+", "operator-",   "add",   "sub",    "subtract", "rsub",      "cat",
      "concat",    "concatenate", "stack", "hstack", "vstack",   "lerp",      "maximum",
      "minimum",   "max",         "min",   "fmax",   "fmin",     "logaddexp",
  };
  return isOneOf(Operator, Names);
}

bool scales(llvm::StringRef Operator) {
  static constexpr const char *Names[] = {
      "operator*", "operator/", "mul", "multiply", "div", "divide", "true_divide", "neg",
  };
  return isOneOf(Operator, Names);
}

bool forgetsHistory(llvm::StringRef Method) {
  static constexpr const char *Names[] = {"detach_", "zero_", "fill_", "set_data", "reset"};
  return isOneOf(Method, Names);
}

bool changesParameters(llvm::StringRef Method) { return Method == "step"; }

bool replaysGraph(llvm::StringRef Method) { return Method == "replay"; }

HostMemory hostMemoryFunction(llvm::StringRef Name) {
  static constexpr std::pair<const char *, HostMemory> Functions[] = {
      {"cudaHostAlloc", HostMemory::Allocates},
      {"cudaMallocHost", HostMemory::Allocates},
      {"hipHostMalloc", HostMemory::Allocates},
      {"cuMemHostAlloc", HostMemory::Allocates},
      {"cuMemAllocHost", HostMemory::Allocates},
      {"cudaHostRegister", HostMemory::Pins},
      {"cuMemHostRegister", HostMemory::Pins},
      {"hipHostRegister", HostMemory::Pins},
      {"cudaFreeHost", HostMemory::Frees},
      {"hipHostFree", HostMemory::Frees},
      {"cuMemFreeHost", HostMemory::Frees},
      {"cudaHostUnregister", HostMemory::Frees},
      {"cuMemHostUnregister", HostMemory::Frees},
      {"hipHostUnregister", HostMemory::Frees},
      {"free", HostMemory::Frees},
      {"std::free", HostMemory::Frees},
  };
  for (const auto &[Known, What] : Functions)
    if (Name == Known)
      return What;
  return HostMemory::None;
}

} // namespace torch_tidy::model
