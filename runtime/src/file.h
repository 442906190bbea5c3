#pragma once

#include <torch_host/call_site.h>

#include <cstdint>
#include <string>

namespace torch_host::detail {

/// A file that appears under its name only when it is complete. Errors are thrown as Error with the
/// system's reason; the destructor removes what was not published.
class NewFile {
public:
  NewFile(const std::string &path, const char *call, CallSite site);
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;
  ~NewFile();

  void write(const void *data, std::size_t size);
  /// Flushes to the disk and renames.
  void publish();

private:
  [[noreturn]] void fail(const char *what) const;

  std::string path_;
  std::string temporary_;
  const char *call_;
  CallSite site_;
  int descriptor_ = -1;
};

/// A regular file read from the start to the end.
class OldFile {
public:
  OldFile(std::string path, const char *call, CallSite site);
  OldFile(const OldFile &) = delete;
  OldFile &operator=(const OldFile &) = delete;
  ~OldFile();

  const std::string &path() const noexcept { return path_; }
  /// Bytes that were not read yet.
  uint64_t left() const noexcept { return left_; }
  /// Reads exactly that many; throws Error where the file is shorter.
  void read(void *data, std::size_t size);

private:
  std::string path_;
  const char *call_;
  CallSite site_;
  int descriptor_ = -1;
  uint64_t left_ = 0;
};

} // namespace torch_host::detail
