#!/usr/bin/env bash
# Prints the lines of the runtime library that its tests reach, file by file, and fails below 95 %.
#
#   runtime/scripts/coverage.sh
#
# BUILD_DIR, TORCH113 and JOBS as in test.sh. Needs GCC and its gcov.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD_DIR:-$root/build/runtime}/coverage
jobs=${JOBS:-$(nproc)}
generator=(); command -v ninja >/dev/null && generator=(-G Ninja)
mkdir -p "$build"
cmake -S "$root" -B "$build" "${generator[@]}" -DTORCH_TIDY_BUILD_CHECKS=OFF \
  -DTORCH_TIDY_BUILD_RUNTIME=ON -DTORCH_TIDY_LIBTORCH="${TORCH113:-/usr}" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_COMPILER=g++ -DCMAKE_CXX_FLAGS="-g0 -O0 --coverage -fprofile-update=atomic" \
  >"$build/build.log"
cmake --build "$build" --parallel "$jobs" --target torch_host_tests torch_host_concurrency_tests torch_host_snippets \
  >>"$build/build.log" || { tail -n 50 "$build/build.log"; exit 1; }
find "$build" -name '*.gcda' -delete
(cd "$build" && ctest --output-on-failure -R '^runtime\.(tests|threads|snippets|stats_at_exit)$')
mkdir -p "$build/gcov"
(cd "$build/gcov" && rm -f ./*.gz &&
  find "$build/runtime" "$build/test/runtime" -name '*.gcda' ! -name 'cmake_pch*' -print0 |
  xargs -0 gcov --json-format --preserve-paths >/dev/null)
python3 - "$root/runtime/" "$build/gcov" <<'PYTHON'
import glob
import gzip
import json
import os
import sys

root, results = sys.argv[1:]
lines = {}  # file -> line -> how often it ran, over all translation units
for path in glob.glob(os.path.join(results, "*.gz")):
    with gzip.open(path, "rt") as data:
        unit = json.load(data)
    for entry in unit["files"]:
        name = os.path.normpath(os.path.join(unit["current_working_directory"], entry["file"]))
        if name.startswith(root):
            seen = lines.setdefault(name[len(root):], {})
            for line in entry["lines"]:
                number = line["line_number"]
                seen[number] = seen.get(number, 0) + line["count"]
total = reached = 0
for name, seen in sorted(lines.items()):
    if not seen:  # a header without code
        continue
    missed = [n for n in sorted(seen) if seen[n] == 0]
    total += len(seen)
    reached += len(seen) - len(missed)
    print(f"{100 * (1 - len(missed) / len(seen)):6.1f} %  {len(seen):4} lines  {name}"
          + (f"  not reached: {', '.join(map(str, missed))}" if missed else ""))
if total == 0:
    sys.exit("no coverage data")
print(f"{100 * reached / total:6.1f} %  {total:4} lines  in all")
sys.exit(reached < 0.95 * total)
PYTHON
