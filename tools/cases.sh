#!/usr/bin/env bash
# Runs the case collection beside the checkout (../shared/cases) on a plugin that is already built, and prints its table.
#
#   cases.sh [--llvm N | --build DIR] [--torch NAME] [CASES-RUN-ARGUMENT ...]
#
#   --llvm N       use build/llvm-N (default: 22)
#   --build DIR    use another build tree
#   --torch NAME   the LibTorch to read, by its name in the build tree (default: torch1.13)
#
# Every other argument goes to the runner, such as -v or files; --fix is always given. Exit status: the runner's.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

dir=""
llvm=22
torch=torch1.13
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvm="${2:?--llvm needs a version}" && shift 2 ;;
  --build) dir="${2:?--build needs a folder}" && shift 2 ;;
  --torch) torch="${2:?--torch needs a name}" && shift 2 ;;
  -h | --help) usage && exit 0 ;;
  *) arguments+=("$1") && shift ;;
  esac
done
dir="${dir:-$ROOT/build/llvm-$llvm}"
runner="$ROOT/../shared/cases/run"
[ -x "$runner" ] || die "no case collection at $runner"
load_tree "$dir" "$torch"
exec "$runner" --fix --tidy "$TIDY" --load "$PLUGIN" \
  --flags "${TORCH_FLAGS[*]@Q} -include-pch ${TORCH_PCH@Q}" -j "$JOBS" "${arguments[@]}"
