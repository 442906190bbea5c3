# shellcheck shell=bash
# Shell functions that the scripts of tools/ share. Source it; it changes nothing but sets -euo pipefail.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
TORCH2_VERSION=2.11.0
TORCH_TIDY_CACHE="${TORCH_TIDY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/torch-tidy}"
export TORCH_TIDY_CACHE
# The unpacked wheel of PyPI's LibTorch: headers in $TORCH2_DIR/torch/include.
TORCH2_DIR="$TORCH_TIDY_CACHE/torch-$TORCH2_VERSION"
JOBS="${JOBS:-$(nproc)}"

say() { printf '\n== %s\n' "$*"; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# usage: prints the comment at the head of the running script, which is its help text.
usage() { sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$0"; }

# configure_tree DIR [CMAKE-ARGUMENT...]: configures one build tree of the project.
configure_tree() {
  local dir="$1" launcher=()
  shift
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake -S "$ROOT" -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1" "${launcher[@]}" "$@"
}

# load_tree DIR [TORCH]: what a build tree was made for: TIDY (its clang-tidy), CLANGXX, PLUGIN, TORCH_FLAGS (compiler
# flags for one LibTorch) and TORCH_PCH (the precompiled header of it).
load_tree() {
  local settings="$1/pch/${2:-torch1.13}.sh"
  [ -f "$settings" ] || die "no $settings: build the tree first, with cmake --preset llvm-22 && cmake --build $1"
  . "$settings"
  [ -f "$PLUGIN" ] || die "$PLUGIN is not built (cmake --build $1)"
  "$CLANGXX" "${TORCH_FLAGS[@]}" -include-pch "$TORCH_PCH" -fsyntax-only -x c++ /dev/null ||
    die "$TORCH_PCH is not usable any more (cmake --build $1)"
}
