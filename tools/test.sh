#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests; stops at the first configuration that fails.
#
#   test.sh [--llvm "22 19 14"] [--no-install] [--no-asan] [--no-runtime]
#
#   --llvm LIST    LLVM major versions to build the module for (default: 22 19 14)
#   --no-install   do not run install-deps.sh
#   --no-asan      leave out the ASan and UBSan build of the module (LLVM 22)
#   --no-runtime   leave out the runtime library
#
# One tree for each configuration: build/llvm-22, ..., build/asan, build/runtime/torch113 and so on. JOBS
# (default: the number of cores) compilers and tests run at once. The last lines are ctest's summary.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

llvms="22 19 14"
install=yes
asan=yes
runtime=yes
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvms="${2:?--llvm needs a list of versions}" && shift 2 ;;
  --no-install) install=no && shift ;;
  --no-asan) asan=no && shift ;;
  --no-runtime) runtime=no && shift ;;
  -h | --help) usage && exit 0 ;;
  *) die "unknown argument '$1' (see --help)" ;;
  esac
done

# test_tree NAME [CMAKE-ARGUMENT...]: builds build/NAME and runs its tests.
test_tree() {
  local name="$1" dir="$ROOT/build/$1"
  shift
  say "$name: build"
  configure_tree "$dir" "$@"
  cmake --build "$dir" -j "$JOBS"
  say "$name: tests"
  ctest --test-dir "$dir" --output-on-failure || failed "$name"
}

failed() {
  printf '\n%s failed. To run it again: ctest --test-dir build/%s --output-on-failure\n' "$1" "$1" >&2
  exit 1
}

if [ "$install" = yes ]; then
  "$ROOT/tools/install-deps.sh" --llvm "$llvms"
fi
# The operator table is compared with LibTorch once: it does not depend on LLVM. What takes minutes and hardly depends on
# it (edits in rounds, programs of extreme size, broken programs) runs once too.
once=ON
inputs=200
for llvm in $llvms; do
  test_tree "llvm-$llvm" -DTORCH_TIDY_LLVM="$llvm" -DTORCH_TIDY_LIT_JOBS="$JOBS" -DTORCH_TIDY_TEST_OPMODEL=$once \
    -DTORCH_TIDY_TEST_ROUNDS=$once -DTORCH_TIDY_TEST_MONSTERS=$once -DTORCH_TIDY_FUZZ_INPUTS=$inputs
  once=OFF
  inputs=0
done
if [ "$asan" = yes ] && [[ " $llvms " == *" 22 "* ]]; then
  test_tree asan -DTORCH_TIDY_LLVM=22 -DTORCH_TIDY_SANITIZE=address,undefined -DTORCH_TIDY_TEST_TORCH=/usr \
    -DTORCH_TIDY_TEST_OPMODEL=OFF -DTORCH_TIDY_TEST_ROUNDS=OFF -DTORCH_TIDY_TEST_MONSTERS=OFF -DTORCH_TIDY_LIT_JOBS="$JOBS"
fi
# Debian's LibTorch and PyPI's as C++20 and C++17, the sanitizers, and the share of lines that the tests run.
if [ "$runtime" = yes ]; then
  say "runtime library"
  JOBS="$JOBS" "$ROOT/runtime/scripts/test.sh" torch113 torch211 torch211-cxx17 asan tsan coverage
fi
