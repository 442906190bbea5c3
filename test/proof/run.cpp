// Runs each program on the CPU and on the guarded device, in a process of its own, and prints how
// it ended:
//
//   name 0|1 right|exit N|signal N|asan|exception TEXT
//
// What it printed lies in the folder of the first argument, in name.0 and name.1.
#include "proof.h"

#undef kCUDA
#undef is_available
#undef synchronize
#undef cuda
#undef is_cuda

#include "guarded_device.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

struct Program {
  const char *name;
  int (*run)();
};
extern const Program programs[];
extern const int program_count;

namespace guarded {
bool on_device = false;
}

at::DeviceType torch::guarded_accelerator() {
  return guarded::on_device ? at::kPrivateUse1 : at::kCPU;
}

void torch::cuda::guarded_synchronize() {
  if (guarded::on_device)
    guarded::synchronize();
}

// The process must die by the signal, as it would on a device, and not in AddressSanitizer's
// handler for it.
extern "C" const char *__asan_default_options() {
  return "exitcode=99:detect_leaks=0:symbolize=0:handle_segv=0:allow_user_segv_handler=1:"
         "halt_on_error=1:max_free_fill_size=65536:free_fill_byte=255:max_malloc_fill_size=65536:"
         "malloc_fill_byte=190";
}

namespace {

constexpr int kException = 98;

int run(const Program &program, const std::string &output) {
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int errors = ::open((output + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || errors < 0)
    return 2;
  ::dup2(file, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  int status = 0;
  try {
    torch::set_num_threads(1);
    status = program.run();
    guarded::synchronize();
  } catch (const std::exception &error) {
    std::string text = error.what();
    std::cerr << text.substr(0, text.find('\n')) << '\n';
    status = kException;
  }
  std::fflush(nullptr);
  std::cout.flush();
  return status;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  for (int i = 0; i < program_count; ++i)
    for (int device = 0; device < 2; ++device) {
      guarded::on_device = device;
      const std::string output =
          std::string(argv[1]) + "/" + programs[i].name + "." + std::to_string(device);
      std::fflush(stdout);
      const pid_t child = ::fork();
      if (child == 0)
        ::_exit(run(programs[i], output));
      int status = 0;
      ::waitpid(child, &status, 0);
      std::printf("%s %d ", programs[i].name, device);
      if (WIFSIGNALED(status))
        std::printf("signal %d\n", WTERMSIG(status));
      else if (WEXITSTATUS(status) == 99)
        std::printf("asan\n");
      else if (WEXITSTATUS(status) == kException)
        std::printf("exception\n");
      else
        std::printf("exit %d\n", WEXITSTATUS(status));
    }
  return 0;
}
