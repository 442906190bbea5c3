#include "file.h"

#include "refuse.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace torch_host::detail {

namespace {

// The system takes at most about 2 GiB in one call.
constexpr std::size_t kChunk = std::size_t{1} << 30;

std::string reason() { return std::strerror(errno); }

// A link is written through, not replaced.
std::string through_links(const std::string &path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : path;
}

} // namespace

NewFile::NewFile(const std::string &path, const char *call, CallSite site)
    : path_(through_links(path)), call_(call), site_(site) {
  struct stat status{};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    refuse(call_, path_ + " is no regular file", site_);
  static std::atomic<unsigned> number{0};
  do {
    temporary_ = path_ + "." + std::to_string(::getpid()) + "." + std::to_string(number++) + ".tmp";
    descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0)
    fail("create");
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
  }
}

void NewFile::fail(const char *what) const {
  refuse(call_, std::string("cannot ") + what + " " + path_ + ": " + reason(), site_);
}

void NewFile::write(const void *data, std::size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, bytes, std::min(size, kChunk));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      fail("write");
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void NewFile::publish() {
  // Some file systems report a full disk only here.
  if (::fsync(descriptor_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail("write");
  ::close(descriptor_);
  descriptor_ = -1;
}

OldFile::OldFile(std::string path, const char *call, CallSite site)
    : path_(std::move(path)), call_(call), site_(site) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0)
    refuse(call_, "cannot open " + path_ + ": " + reason(), site_);
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    refuse(call_, path_ + " is no regular file", site_);
  }
  left_ = static_cast<uint64_t>(status.st_size);
}

OldFile::~OldFile() { ::close(descriptor_); }

void OldFile::read(void *data, std::size_t size) {
  char *bytes = static_cast<char *>(data);
  while (size > 0) {
    const ssize_t got = ::read(descriptor_, bytes, std::min(size, kChunk));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      refuse(call_, "cannot read " + path_ + ": " + (got == 0 ? "the file ends early" : reason()),
             site_);
    bytes += got;
    size -= static_cast<std::size_t>(got);
    left_ -= std::min(left_, static_cast<uint64_t>(got));
  }
}

} // namespace torch_host::detail
