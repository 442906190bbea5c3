#!/usr/bin/env bash
# Checks that the C++ sources are formatted as .clang-format says; fails with clang-format's list of differences.
#
#   check-format.sh [CLANG-FORMAT]    (default: clang-format-22)
#
# Generated tables (*.inc) are left out, and so is test/checks/, whose texts the tests state.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in -h | --help) usage && exit 0 ;; esac
cd "$ROOT"
folders=()
for folder in checks runtime tools test bench cmake examples; do
  if [ -d "$folder" ]; then
    folders+=("$folder")
  fi
done
find "${folders[@]}" -path test/checks -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 "${1:-clang-format-22}" --dry-run -Werror
