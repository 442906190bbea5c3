#!/usr/bin/env bash
# Builds and tests the runtime library: every configuration, or the ones named.
#
#   runtime/scripts/test.sh [torch113] [torch211] [torch211-cxx17] [asan] [tsan] [coverage]
#
# BUILD_DIR     where to build (default build/runtime)
# TORCH113      prefix of LibTorch 1.13 (default /usr, Debian's libtorch-dev)
# TORCH211      prefix of LibTorch 2.x (default: the cache that tools/install-deps.sh fills);
#               its configurations are left out, with a message, where it is not there
# JOBS          parallel compilations (default: all cores)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD_DIR:-$root/build/runtime}
jobs=${JOBS:-$(nproc)}
torch113=${TORCH113:-/usr}
cache=${TORCH_TIDY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/torch-tidy}
torch211=${TORCH211:-$cache/torch-2.11.0/torch}
generator=(); command -v ninja >/dev/null && generator=(-G Ninja)

# configure_and_test NAME TESTS TARGETS CMAKE-ARGUMENTS...; TESTS is a regular expression of test names.
configure_and_test() {
  local name=$1 tests=$2 targets=$3; shift 3
  local start=$SECONDS
  cmake -S "$root" -B "$build/$name" "${generator[@]}" -DTORCH_TIDY_BUILD_CHECKS=OFF \
    -DTORCH_TIDY_BUILD_RUNTIME=ON -DCMAKE_BUILD_TYPE=Debug "$@" >"$build/$name.log"
  cmake --build "$build/$name" --parallel "$jobs" --target $targets >>"$build/$name.log" ||
    { tail -n 50 "$build/$name.log"; exit 1; }
  local built=$((SECONDS - start))
  (cd "$build/$name" && ctest --output-on-failure --no-tests=error -R "$tests")
  echo "$name: built in $built s, tested in $((SECONDS - start - built)) s"
}

run() {
  case $1 in
  torch113)
    configure_and_test torch113 '^runtime\.' all -DTORCH_TIDY_LIBTORCH="$torch113" -DCMAKE_CXX_FLAGS=-g0 ;;
  torch211 | torch211-cxx17)
    if [ ! -d "$torch211/include" ]; then
      echo "$1: left out, there is no LibTorch in $torch211"
      return
    fi
    configure_and_test "$1" '^runtime\.' all -DTORCH_TIDY_LIBTORCH="$torch211" -DCMAKE_CXX_FLAGS=-g0 \
      -DTORCH_HOST_CXX_STANDARD="$([ "$1" = torch211 ] && echo 20 || echo 17)" ;;
  asan)
    configure_and_test asan '^runtime\.(tests|threads|snippets)$' \
      "torch_host_tests torch_host_concurrency_tests torch_host_snippets" \
      -DTORCH_TIDY_LIBTORCH="$torch113" -DTORCH_TIDY_SANITIZE=address,undefined -DCMAKE_CXX_FLAGS="-O0 -g1" ;;
  tsan) # the tests with threads
    configure_and_test tsan '^runtime\.threads$' torch_host_concurrency_tests \
      -DTORCH_TIDY_LIBTORCH="$torch113" -DTORCH_TIDY_SANITIZE=thread -DCMAKE_CXX_FLAGS="-O1 -g1" ;;
  coverage) "$root/runtime/scripts/coverage.sh" ;;
  *) echo "unknown configuration: $1" >&2; exit 2 ;;
  esac
}

mkdir -p "$build"
[ $# -gt 0 ] || set -- torch113 torch211 asan tsan
for name in "$@"; do run "$name"; done
