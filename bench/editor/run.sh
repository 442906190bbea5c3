#!/usr/bin/env bash
# What the checks cost in the editor: the time from an edit to the diagnostics, with the torch-* checks and without.
#
#   run.sh [--llvm "22 19"] [--torch NAME] [--edits N] [FILE ... [-- FLAG ...]]
#
#   --llvm LIST    the trees build/llvm-N to measure (default: 22 19); they must be built
#   --torch NAME   the LibTorch to read (default: torch1.13)
#   --edits N      pairs of edits for each file (default: 15)
#
# The files are those of examples/ that include LibTorch unless others are given; flags after -- are added for the
# compiler. One torch-clangd has each file open twice: where a .clang-tidy turns the torch-* checks off, and where nothing
# does. The two are edited in turn, in alternating order, so that other work on the machine disturbs both alike.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

llvms="22 19"
torch=torch1.13
edits=15
files=()
flags=()
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvms="${2:?--llvm needs a list of versions}" && shift 2 ;;
  --torch) torch="${2:?--torch needs a name}" && shift 2 ;;
  --edits) edits="${2:?--edits needs a number}" && shift 2 ;;
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
  tree="$ROOT/build/llvm-$llvm"
  [ -x "$tree/bin/torch-clangd" ] || die "$tree/bin/torch-clangd is not built (cmake --build $tree)"
  [ -f "$tree/pch/$torch.sh" ] || die "no $tree/pch/$torch.sh: configure the tree with tests (cmake --preset llvm-$llvm)"
  . "$tree/pch/$torch.sh"
  say "LLVM $llvm, $torch"
  python3 "$(dirname "${BASH_SOURCE[0]}")/measure.py" --clangd "$tree/bin/torch-clangd" --compiler "$CLANGXX" \
    --edits "$edits" "${files[@]}" -- "${TORCH_FLAGS[@]}" "${flags[@]}"
done
