#pragma once

namespace torch_host {

/// Where in the caller's source a call of this library stands. Every public function takes one as a
/// defaulted last argument, so that errors and statistics name the line that asked for the
/// transfer.
struct CallSite {
  const char *file = "";
  int line = 0;

  /// The place of the call in whose default argument this stands. `file` is a string literal of the
  /// calling translation unit and lives as long as the program.
  static constexpr CallSite current(const char *file = __builtin_FILE(),
                                    int line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

} // namespace torch_host
