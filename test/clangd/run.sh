#!/usr/bin/env bash
# Runs one file of LSP tests with the client that tools/install-deps.sh installs; ctest calls it with the environment that
# conftest.py asks for.
#
#   run.sh test_lsp.py [PYTEST-ARGUMENT...]
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

case "${1:-}" in
-h | --help) usage && exit 0 ;;
'') die "which file of tests? (see --help)" ;;
esac
python="$TORCH_TIDY_CACHE/lsp-client/bin/python"
if [ ! -x "$python" ]; then
  echo "skipped: there is no LSP client in $TORCH_TIDY_CACHE/lsp-client (tools/install-deps.sh makes it)"
  exit 77
fi
cd "$(dirname "${BASH_SOURCE[0]}")"
exec "$python" -B -m pytest -v -rs "$@"
