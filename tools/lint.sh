#!/usr/bin/env bash
# lint.sh BIN: every check but the tests; goes on after a failure and names all that failed.
# HEARTS_REQUIRE_ALL=1: a check that cannot run here fails instead of being skipped.
set -uo pipefail
bin=$1
failed=()

check() {
  local name=$1
  shift
  printf '%-16s ' "$name"
  local output
  if output=$("$@" 2>&1); then
    echo ok
  else
    echo FAILED
    printf '%s\n' "$output"
    failed+=("$name")
  fi
}

skip() {
  if [ "${HEARTS_REQUIRE_ALL:-}" = 1 ]; then
    printf '%-16s FAILED: %s\n' "$1" "$2"
    failed+=("$1")
  else
    printf '%-16s skipped: %s\n' "$1" "$2"
  fi
}

# The committed code must be what `make proto` makes of the committed proto files.
generated() {
  local fresh
  fresh=$(mktemp -d)
  tools/proto.sh "$bin" "$fresh" && diff -r --exclude='__init__.py' --exclude=__pycache__ hearts/v1 "$fresh" ||
    { rm -rf "$fresh"; echo "run: make proto"; return 1; }
  rm -rf "$fresh"
}

buf() {
  if [ ! -x tools/node_modules/.bin/buf ] || [ tools/package-lock.json -nt tools/node_modules ]; then
    npm ci --prefix tools --silent --no-audit --no-fund && touch tools/node_modules || return 1
  fi
  (cd proto && ../tools/node_modules/.bin/buf lint)
}

check "ruff check" "$bin/ruff" check .
check "ruff format" "$bin/ruff" format --check .
check mypy "$bin/mypy"
check import-linter "$bin/lint-imports"
check "generated code" generated
if command -v npm >/dev/null; then
  check "buf lint" buf
else
  skip "buf lint" "npm is not installed"
fi

if [ ${#failed[@]} -gt 0 ]; then
  printf 'failed: %s\n' "${failed[*]}" >&2
  exit 1
fi
