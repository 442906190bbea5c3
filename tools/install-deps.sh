#!/usr/bin/env bash
# Installs what torch-tidy is built and tested with, on Debian 12; run it again at any time.
#
#   install-deps.sh [--llvm "22 19 14"] [--no-torch2] [--print]
#
#   --llvm LIST   LLVM major versions to install (default: 22 19 14)
#   --no-torch2   leave out PyPI's LibTorch 2.x headers (about 1 GB unpacked)
#   --print       only say which packages are missing
#
# Debian packages need root; without it the command to run is printed and the exit status is 1.
# PyPI's wheel of torch is unpacked into $TORCH_TIDY_CACHE (default: ~/.cache/torch-tidy) and is not installed into Python;
# the LSP client for the tests of torch-clangd is in a virtual environment there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

llvms="22 19 14"
torch2=yes
print_only=no
while [ $# -gt 0 ]; do
  case "$1" in
  --llvm) llvms="${2:?--llvm needs a list of versions}" && shift 2 ;;
  --no-torch2) torch2=no && shift ;;
  --print) print_only=yes && shift ;;
  -h | --help) usage && exit 0 ;;
  *) die "unknown argument '$1' (see --help)" ;;
  esac
done

# builds_clangd: whether one of the LLVM is new enough for torch-clangd.
builds_clangd() {
  local llvm
  for llvm in $llvms; do
    if [ "$llvm" -ge 19 ]; then
      return 0
    fi
  done
  return 1
}

packages() {
  echo build-essential g++ cmake ninja-build python3 libtorch-dev libgtest-dev libbenchmark-dev clang-format-22
  echo libeigen3-dev libopencv-core-dev python3-numpy googletest # for the tests of the runtime library's adapters
  if builds_clangd; then
    echo libgrpc++-dev libprotobuf-dev python3-venv neovim # for torch-clangd and its tests
  fi
  for llvm in $llvms; do
    echo "clang-$llvm" "clang-tidy-$llvm" "libclang-$llvm-dev" "llvm-$llvm-dev" "llvm-$llvm-tools"
    case "$llvm" in
    22) echo libclang-rt-22-dev ;;
    esac
  done
  if [ "$torch2" = yes ] && ! wheel_is_complete && ! python3 -m pip --version >/dev/null 2>&1; then
    echo python3-pip
  fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

has_candidate() { [[ "$(LC_ALL=C apt-cache policy "$1" 2>/dev/null)" =~ "Candidate: "[^\(] ]]; }

install_packages() {
  local missing=() package
  for package in $(packages); do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "Debian packages: all are installed"
    return
  fi
  say "Debian packages to install: ${missing[*]}"
  if [ "$print_only" = yes ]; then
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "They need root. Run:"
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  local updated=no
  for package in "${missing[@]}"; do
    if ! has_candidate "$package"; then
      apt-get update -q
      updated=yes
      break
    fi
  done
  for package in "${missing[@]}"; do
    has_candidate "$package" ||
      die "no package source offers $package (Debian 12 has it in bookworm or bookworm-security)"
  done
  local install=(apt-get install -y -q --no-install-recommends "${missing[@]}")
  if ! "${install[@]}"; then
    [ "$updated" = no ] || die "apt-get could not install the packages"
    say "trying again with fresh package lists"
    apt-get update -q
    "${install[@]}"
  fi
}

# The stamp is written when every file of the wheel's own RECORD is there with the size it states.
wheel_is_complete() { [ -f "$TORCH2_DIR/.complete" ]; }

verify_wheel() {
  python3 - "$TORCH2_DIR" "$TORCH2_VERSION" <<'PYTHON'
import csv, os, sys
root, version = sys.argv[1:]
record = os.path.join(root, f'torch-{version}.dist-info', 'RECORD')
if not os.path.exists(record):
    sys.exit(1)
with open(record, newline='') as rows:
    for name, _, size in csv.reader(rows):
        path = os.path.join(root, name)
        if not os.path.exists(path) or (size and os.path.getsize(path) != int(size)):
            sys.exit(f'{path} is missing or incomplete')
PYTHON
}

install_wheel() {
  if wheel_is_complete; then
    say "LibTorch $TORCH2_VERSION: is in $TORCH2_DIR"
    return
  fi
  if [ "$print_only" = yes ]; then
    say "LibTorch $TORCH2_VERSION: would be downloaded to $TORCH2_DIR"
    return
  fi
  if [ -d "$TORCH2_DIR" ] && verify_wheel; then
    touch "$TORCH2_DIR/.complete"
    say "LibTorch $TORCH2_VERSION: is in $TORCH2_DIR (checked against the wheel's RECORD)"
    return
  fi
  say "LibTorch $TORCH2_VERSION: downloading PyPI's wheel to $TORCH2_DIR"
  local download="$TORCH_TIDY_CACHE/download"
  rm -rf "$download" "$TORCH2_DIR"
  mkdir -p "$download" "$TORCH2_DIR"
  # Only headers and C++ libraries are used: any wheel does, so the one for Python 3.11 is taken whatever python3 is here.
  python3 -m pip download --quiet --no-deps --only-binary=:all: --implementation cp --python-version 3.11 --abi cp311 \
    --platform "manylinux_2_28_$(uname -m)" --dest "$download" "torch==$TORCH2_VERSION"
  python3 -m zipfile -e "$download"/torch-*.whl "$TORCH2_DIR"
  rm -rf "$download"
  verify_wheel || die "the unpacked wheel is not complete; run this script again"
  touch "$TORCH2_DIR/.complete"
}

# The client of the LSP tests, with pytest; made again when its versions change.
install_lsp_client() {
  local dir="$TORCH_TIDY_CACHE/lsp-client" wanted="$ROOT/test/clangd/requirements.txt"
  if cmp -s "$wanted" "$dir/.complete" && "$dir/bin/python" -c 'import pytest_lsp' 2>/dev/null; then
    say "LSP client: is in $dir"
    return
  fi
  if [ "$print_only" = yes ]; then
    say "LSP client: would be installed to $dir"
    return
  fi
  say "LSP client: installing $(grep -v '^#' "$wanted" | tr '\n' ' ')to $dir"
  rm -rf "$dir"
  python3 -m venv "$dir"
  "$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$dir/.complete"
}

install_packages
if builds_clangd; then
  install_lsp_client
fi
if [ "$torch2" = yes ]; then
  install_wheel
fi
