// Runs every program of one generated file over all its flags, on the CPU and on the guarded
// device, and prints what each line did:
//
//   P program          R device flags     a run begins        L line          the line was reached
//   C line             memory out of reach was touched        A line          AddressSanitizer
//   objected V line value       a number came out                      X line text     an exception
//   ended the run D program          the process died                       K               the CPU
//   stood in for an accelerator
//
// A line that touches what it must not is let in, after that is noted: so that one run judges every
// line.
#define ORACLE_RUN
#include "oracle.h"

#undef kCUDA
#undef is_available
#undef synchronize
#undef cuda
#undef is_cuda

#include "guarded_device.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct Program {
  const char *name;
  int flags;
  void (*run)(bool, bool, bool, torch::Tensor);
};
extern const Program programs[];
extern const int program_count;

namespace guarded {
bool on_device = false;
}
oracle::Line at_line;

namespace {

constexpr int kMostFaults = 400;
constexpr std::size_t kPage = 4096;

int line = 0;
bool judging = false;

struct Opened {
  char *page;
  bool foreign;
};
Opened opened[kMostFaults];
int opened_count = 0;
int faults = 0;

// The pages that a fault opened are out of reach again.
void close_pages() {
  for (int i = 0; i < opened_count; ++i) {
    if (opened[i].foreign)
      ::munmap(opened[i].page, kPage);
    else if (guarded::owner(opened[i].page) >= 0)
      ::mprotect(opened[i].page, kPage, PROT_NONE);
  }
  opened_count = 0;
}

void on_fault(int, siginfo_t *info, void *) {
  std::printf("C %d\n", line);
  if (++faults >= kMostFaults || opened_count >= kMostFaults) {
    std::fflush(stdout);
    ::_exit(3);
  }
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  char *page = reinterpret_cast<char *>(address / kPage * kPage);
  const bool foreign = guarded::owner(page) < 0;
  bool open = false;
  if (!foreign) {
    open = ::mprotect(page, kPage, PROT_READ | PROT_WRITE) == 0;
  } else if (address > 0x10000) {
    // Memory of the device that was given back.
    open = ::mmap(page, kPage, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == page;
  }
  if (!open) {
    std::fflush(stdout);
    ::_exit(4);
  }
  opened[opened_count++] = {page, foreign};
}

void run(const Program &program, bool device, int flags) {
  guarded::on_device = device;
  std::printf("R %d %d\n", device, flags);
  torch::Tensor input = torch::arange(6, torch::kFloat).view({2, 3}) + 1;
  if (flags & 8)
    input = input.to(torch::guarded_accelerator());
  line = 0;
  faults = 0;
  judging = true;
  try {
    program.run(flags & 1, flags & 2, flags & 4, input);
  } catch (const std::exception &error) {
    std::string text = error.what();
    std::printf("X %d %s\n", line, text.substr(0, text.find('\n')).c_str());
  }
  judging = false;
  close_pages();
  // Copies to memory that the program gave back may be among them.
  guarded::synchronize();
}

void run_all(const Program &program) {
  std::printf("P %s\n", program.name);
  for (int flags = 0; flags < 8; ++flags)
    if ((flags & ~program.flags) == 0)
      run(program, false, flags);
  for (int flags = 0; flags < 16; ++flags)
    if ((flags & ~program.flags) == 0)
      run(program, true, flags);
}

} // namespace

oracle::Line &oracle::Line::operator=(int at) {
  close_pages();
  line = at;
  std::printf("L %d\n", at);
  return *this;
}

void out(double value) { std::printf("V %d %.9g\n", line, value); }

// In the runs on the CPU the program goes on with host tensors, so as to say which numbers are
// right.
at::DeviceType torch::guarded_accelerator() {
  if (guarded::on_device)
    return at::kPrivateUse1;
  if (judging)
    std::printf("K\n");
  return at::kCPU;
}

void torch::cuda::guarded_synchronize() {
  if (guarded::on_device)
    guarded::synchronize();
}

// AddressSanitizer calls it for every error.
extern "C" void __asan_on_error() {
  if (judging)
    std::printf("A %d\n", line);
}

extern "C" const char *__asan_default_options() {
  return "halt_on_error=0:detect_leaks=0:suppress_equal_pcs=0:symbolize=0:max_free_fill_size=65536:"
         "free_fill_byte=255:max_malloc_fill_size=65536:malloc_fill_byte=190";
}

int main() {
  torch::set_num_threads(1);
  torch::NoGradGuard no_grad;
  (void)torch::ones({4}).sum(); // what LibTorch sets up once
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (int i = 0; i < program_count; ++i) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
      ::sigaction(SIGSEGV, &action, nullptr);
      if (std::freopen("/dev/null", "w", stderr) == nullptr)
        return 2;
      run_all(programs[i]);
      std::fflush(stdout);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
      std::printf("D %s\n", programs[i].name);
  }
  return 0;
}
