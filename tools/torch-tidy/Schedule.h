//===--- Schedule.h - analysing a project through Ninja ---------------------===//
#ifndef TORCH_TIDY_RUNNER_SCHEDULE_H
#define TORCH_TIDY_RUNNER_SCHEDULE_H

#include "Analyse.h"
#include "Project.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace torch_tidy::runner {

struct ScheduleOptions {
  /// Where results and precompiled headers are kept; empty: `.torch-tidy` in the build directory.
  std::string StateDir;
  unsigned Jobs = 0;
  unsigned Timeout = 300;
  bool Quiet = false;
  std::string Checks;
  std::map<std::string, std::string> CheckOptions;
};

/// The state of a project between runs. One process at a time may use it; others wait.
class State {
public:
  static llvm::Expected<State> open(const std::string &Dir);
  State(State &&) = default;
  ~State();

  const std::string &dir() const { return Dir; }

private:
  State(std::string Dir, int Lock) : Dir(std::move(Dir)), Lock(new int(Lock)) {}
  std::string Dir;
  std::unique_ptr<int> Lock;
};

/// What a run gave.
struct Results {
  std::vector<UnitResult> Units;
  /// Ctrl-C: the results are those of a part.
  bool Interrupted = false;
};

/// The spec of one unit.
AnalysisSpec specOf(const Project &P, const Unit &U, const ScheduleOptions &Options,
                    llvm::StringRef StateDir);

/// Writes the Ninja file and what it needs, lets Ninja bring every result up to date, and reads
/// them.
llvm::Expected<Results> analyseProject(const Project &P, const ScheduleOptions &Options,
                                       const State &Where, const char *Program);

} // namespace torch_tidy::runner

#endif // TORCH_TIDY_RUNNER_SCHEDULE_H
