#!/usr/bin/env bash
# What the checks cost: clang-tidy with one cheap check of its own, against the same with the torch-* checks as well.
#
#   run.sh [--llvm "22 19"] [--torch NAME] [--runs N] [--checks LIST] [--pch yes|no|both] [FILE ... [-- FLAG ...]]
#
#   --llvm LIST    the trees build/llvm-N to measure (default: 22 19); they must be built
#   --torch NAME   the LibTorch to read (default: torch1.13)
#   --runs N       pairs of runs for each file (default: 5)
#   --checks LIST  the checks to add (default: torch-*)
#   --pch          with the precompiled header of LibTorch, without, or both (default: both)
#
# The files are those of examples/ that include LibTorch unless others are given; flags after -- are added for the
# compiler. Each pair runs one way and then the other, in alternating order, and its ratio is of CPU time (user and
# system), which other work on the machine disturbs less than elapsed time.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

llvms="22 19"
torch=torch1.13
runs=5
checks='torch-*'
pch=both
files=()
flags=()
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvms="${2:?--llvm needs a list of versions}" && shift 2 ;;
  --torch) torch="${2:?--torch needs a name}" && shift 2 ;;
  --runs) runs="${2:?--runs needs a number}" && shift 2 ;;
  --checks) checks="${2:?--checks needs a list}" && shift 2 ;;
  --pch) pch="${2:?--pch needs yes, no or both}" && shift 2 ;;
  -h | --help) usage && exit 0 ;;
  --) shift && flags=("$@") && break ;;
  -*) die "unknown argument '$1' (see --help)" ;;
  *) files+=("$1") && shift ;;
  esac
done
if [ ${#files[@]} -eq 0 ]; then
  mapfile -t files < <(grep -lE '#include "(model|export).h"|#include <torch/' "$ROOT"/examples/*.cpp)
fi

for llvm in $llvms; do
  load_tree "$ROOT/build/llvm-$llvm" "$torch"
  for with_pch in no yes; do
    if [ "$pch" != both ] && [ "$pch" != "$with_pch" ]; then
      continue
    fi
    say "LLVM $llvm, $torch, precompiled header: $with_pch"
    all_flags=("${TORCH_FLAGS[@]}" "${flags[@]}")
    if [ "$with_pch" = yes ]; then
      all_flags+=(-include-pch "$TORCH_PCH")
    fi
    python3 "$ROOT/bench/overhead/measure.py" --tidy "$TIDY" --plugin "$PLUGIN" --checks "$checks" --runs "$runs" \
      "${files[@]}" -- "${all_flags[@]}"
  done
done
