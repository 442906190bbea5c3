#!/usr/bin/env bash
# How the time of the checks grows with the size of the code, on generated programs of test/monsters.
#
#   run.sh [--llvm N] [--torch NAME] [--kinds LIST]
#
#   --llvm N       the tree build/llvm-N (default: 22); it must be built
#   --torch NAME   the LibTorch to read (default: torch1.13)
#   --kinds LIST   the kinds of programs, separated by commas (default: all)
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

llvm=22
torch=torch1.13
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvm="${2:?--llvm needs a version}" && shift 2 ;;
  --torch) torch="${2:?--torch needs a name}" && shift 2 ;;
  --kinds) arguments+=(--kinds "${2:?--kinds needs a list}") && shift 2 ;;
  -h | --help) usage && exit 0 ;;
  *) die "unknown argument '$1' (see --help)" ;;
  esac
done

load_tree "$ROOT/build/llvm-$llvm" "$torch"
python3 "$ROOT/bench/scaling/measure.py" --tidy "$TIDY" --plugin "$PLUGIN" "${arguments[@]}" -- "${TORCH_FLAGS[@]}" \
  -include-pch "$TORCH_PCH"
