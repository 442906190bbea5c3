#!/usr/bin/env bash
# What torch-tidy takes for a project, against run-clang-tidy with the same checks, LLVM and jobs.
#
#   run.sh [--llvm "22 19"] [--files N] [--jobs N]
#
#   --llvm LIST   the trees build/llvm-N to measure (default: 22 19); they must be built
#   --files N     files of the generated project, each includes <torch/torch.h> (default: 40)
#   --jobs N      files at once (default: the number of cores)
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

llvms="22 19"
files=40
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvms="${2:?--llvm needs a list of versions}" && shift 2 ;;
  --files) files="${2:?--files needs a number}" && shift 2 ;;
  --jobs) JOBS="${2:?--jobs needs a number}" && shift 2 ;;
  -h | --help) usage && exit 0 ;;
  *) die "unknown argument '$1' (see --help)" ;;
  esac
done

for llvm in $llvms; do
  tree="$ROOT/build/llvm-$llvm"
  load_tree "$tree"
  [ -x "$tree/bin/torch-tidy" ] || die "$tree/bin/torch-tidy is not built (cmake --build $tree)"
  say "LLVM $llvm, $files files, $JOBS at once"
  python3 "$ROOT/bench/project/measure.py" --torch-tidy "$tree/bin/torch-tidy" --run-clang-tidy "run-clang-tidy-$llvm" \
    --clang-tidy "$TIDY" --plugin "$PLUGIN" --files "$files" --jobs "$JOBS" -- "${TORCH_FLAGS[@]}"
done
