#!/usr/bin/env bash
# Builds the benchmarks of the runtime library and runs them; fails where a goal is missed.
#
#   bench/runtime/run.sh [ARGUMENTS-OF-GOOGLE-BENCHMARK...]
#
# BUILD_DIR     where to build (default build/runtime)
# LIBTORCH      prefix of LibTorch (default /usr, Debian's libtorch-dev)
# JOBS          parallel compilations (default: all cores)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD_DIR:-$root/build/runtime}/bench
generator=(); command -v ninja >/dev/null && generator=(-G Ninja)
mkdir -p "$build"
cmake -S "$root" -B "$build" "${generator[@]}" -DTORCH_TIDY_BUILD_CHECKS=OFF -DTORCH_TIDY_BUILD_RUNTIME=ON \
  -DTORCH_TIDY_BUILD_TESTS=OFF -DTORCH_TIDY_BUILD_RUNTIME_BENCH=ON -DCMAKE_BUILD_TYPE=Release \
  -DTORCH_TIDY_LIBTORCH="${LIBTORCH:-/usr}" >"$build/build.log"
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target torch_host_bench >>"$build/build.log" ||
  { tail -n 50 "$build/build.log"; exit 1; }
exec "$build/bench/runtime/torch_host_bench" "$@"
