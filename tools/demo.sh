#!/usr/bin/env bash
# Shows torch-tidy at work on examples/: installs what is missing, builds the plugin for LLVM 22, prints the reports,
# the edits that mend them, and that the program before and after compiles, runs and gives the same output.
#
#   demo.sh [--no-install]
#
# Everything is written to build/llvm-22 (the plugin) and build/demo (the program); examples/ itself is not changed.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install=yes
case "${1:-}" in
'') ;;
--no-install) install=no ;;
-h | --help) usage && exit 0 ;;
*) die "unknown argument '$1' (see --help)" ;;
esac

CHECKS='-*,torch-*'
PLUGIN="$ROOT/build/llvm-22/TorchTidyPlugin.so"
DEMO="$ROOT/build/demo"

# tidy FOLDER [OPTION...]: clang-tidy with the plugin on every source of a copy of examples/.
tidy() {
  local folder="$1"
  shift
  (cd "$folder" && clang-tidy-22 --load="$PLUGIN" --checks="$CHECKS" --quiet -p build "$@" ./*.cpp 2>&1 |
    sed -e "s#$folder/##g" -e '/^\[[0-9]*\/[0-9]*\] Processing file/d')
}

# build_and_run FOLDER: compiles the program and leaves what it prints in FOLDER/output.txt.
build_and_run() {
  cmake --build "$1/build" -j "$JOBS" >"$1/build.log" 2>&1 || {
    cat "$1/build.log"
    die "the program in $1 does not compile"
  }
  (cd "$1" && build/painter) >"$1/output.txt" || die "the program in $1 fails"
}

if [ "$install" = yes ]; then
  "$ROOT/tools/install-deps.sh" --llvm 22 --no-torch2
fi
say "Building the plugin for LLVM 22"
configure_tree "$ROOT/build/llvm-22" -DTORCH_TIDY_LLVM=22
cmake --build "$ROOT/build/llvm-22" -j "$JOBS" --target TorchTidyPlugin

rm -rf "$DEMO"
mkdir -p "$DEMO"
for version in original fixed; do
  mkdir "$DEMO/$version"
  cp -r "$ROOT/examples/." "$DEMO/$version"
  cmake -S "$DEMO/$version" -B "$DEMO/$version/build" -G Ninja >"$DEMO/$version.log" 2>&1 || {
    cat "$DEMO/$version.log"
    die "the program cannot be configured"
  }
done

say "Reports: clang-tidy --load=TorchTidyPlugin.so --checks=$CHECKS"
tidy "$DEMO/original" | tee "$DEMO/reports.txt"
count="$(grep -c ' warning: .*\[torch-' "$DEMO/reports.txt")" || die "no report on examples/"

say "Edits: the same with --fix, on a copy"
tidy "$DEMO/fixed" --fix >"$DEMO/fixes.txt"
(cd "$DEMO" && diff -u --exclude=build original fixed) && die "the reports brought no edit"

say "Reports left in the edited copy"
tidy "$DEMO/fixed" | tee "$DEMO/left.txt"
left="$(grep -c ' warning: .*\[torch-' "$DEMO/left.txt")" || left=0
echo "$left of $count"

say "Output of the program before and after"
build_and_run "$DEMO/original"
build_and_run "$DEMO/fixed"
for version in original fixed; do
  printf -- '--- %s\n' "$version"
  cat "$DEMO/$version/output.txt"
done
for file in output.txt painting.ppm painting.raw; do
  cmp "$DEMO/original/$file" "$DEMO/fixed/$file"
done
echo "Both compile and run, and give the same output and the same files."
