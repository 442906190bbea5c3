// libFuzzer target: load_npy on any bytes either returns a tensor or throws Error. Lying headers
// must not make it take memory (the test runs it with a limit on single allocations).
#include <torch_host/error.h>
#include <torch_host/npy.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, std::size_t size) {
  static const int file = ::memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  try {
    const at::Tensor tensor = torch_host::load_npy(path);
    // What was accepted has exactly the memory that was in the file.
    if (static_cast<std::size_t>(tensor.nbytes()) > size)
      std::abort();
    volatile char last = 0;
    if (tensor.nbytes() > 0)
      last = static_cast<const char *>(tensor.data_ptr())[tensor.nbytes() - 1];
    (void)last;
  } catch (const torch_host::Error &) {
  }
  return 0;
}
