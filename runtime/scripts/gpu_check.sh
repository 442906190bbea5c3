#!/usr/bin/env bash
# Builds and runs the runtime library's tests and benchmark on a machine with a GPU: PyTorch 2.x with
# CUDA, CUDA's headers, CMake and a C++ compiler are all it needs.
#
#   runtime/scripts/gpu_check.sh
#
# PYTHON             the Python whose PyTorch is used (default python3)
# BUILD_DIR          where to build (default build/gpu)
# GTEST_SOURCE       sources of GoogleTest, where no package of it is installed (Debian's googletest
#                    puts them into /usr/src/googletest)
# OUT                a folder for the logs, where one is wanted
# The benchmark is left out where Google Benchmark is not installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
build=${BUILD_DIR:-$root/build/gpu}
out=${OUT:-$build}
start=$SECONDS
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))')
"$python" -c 'import torch; print("PyTorch", torch.__version__, "CUDA", torch.version.cuda, "GPUs", torch.cuda.device_count())'
# A wheel finds CUDA's libraries in its neighbours' folders; so must a program that links it.
libraries=$(find "$(dirname "$torch")/nvidia" -type d -name lib 2>/dev/null | paste -sd: || true)
export LD_LIBRARY_PATH=$torch/lib${libraries:+:$libraries}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
generator=(); command -v ninja >/dev/null && generator=(-G Ninja)
options=(-DTORCH_TIDY_BUILD_CHECKS=OFF -DTORCH_TIDY_BUILD_RUNTIME=ON -DTORCH_TIDY_CUDA=ON
  -DTORCH_TIDY_LIBTORCH="$torch" -DCMAKE_BUILD_TYPE=Release -DTORCH_HOST_CXX_STANDARD=20)
[ -z "${GTEST_SOURCE:-}" ] || options+=(-DTORCH_TIDY_GTEST_SOURCE="$GTEST_SOURCE")
targets=(torch_host_tests)
if [ -e /usr/include/benchmark/benchmark.h ]; then
  options+=(-DTORCH_TIDY_BUILD_RUNTIME_BENCH=ON)
  targets+=(torch_host_bench)
else
  echo "no Google Benchmark: the benchmark is left out"
fi
mkdir -p "$build" "$out"
cmake -S "$root" -B "$build" "${generator[@]}" "${options[@]}" >"$out/build.log"
cmake --build "$build" --parallel "$(nproc)" --target "${targets[@]}" >>"$out/build.log" ||
  { tail -n 60 "$out/build.log"; exit 1; }
echo "built in $((SECONDS - start)) s"
# The guarded device would otherwise be the accelerator whose page-locked memory LibTorch asks for.
export GUARDED_NO_HOOKS=1
status=0
"$build/test/runtime/torch_host_tests" --gtest_brief=1 2>&1 | tee "$out/tests.log" || status=1
"$build/test/runtime/torch_host_tests" --gtest_filter='CudaTest.*' 2>&1 | tee "$out/cuda.log" || status=1
if [ "${#targets[@]}" -gt 1 ]; then
  "$build/bench/runtime/torch_host_bench" 2>&1 | tee "$out/bench.log" || status=1
fi
echo "gpu_check: $([ $status = 0 ] && echo passed || echo FAILED) in $((SECONDS - start)) s"
exit $status
