#!/usr/bin/env bash
# setup.sh PYTHON VENV: makes the virtual environment and installs the project with all its parts.
set -euo pipefail
python=$1
venv=$2

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 2
}

command -v "$python" >/dev/null ||
  fail "no $python found: install Python 3.11 or newer, or name one with: make PYTHON=/path/to/python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "$("$python" --version) is too old: hearts needs 3.11 or newer; name one with: make PYTHON=/path/to/python"

if [ ! -x "$venv/bin/python" ]; then
  printf 'setting up %s with %s (once) ...\n' "$venv" "$("$python" --version)" >&2
  if ! "$python" -m venv "$venv"; then
    rm -rf "$venv" # half of one would pass for a whole one the next time
    fail "$python cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv"
  fi
else
  printf 'pyproject.toml changed: updating %s ...\n' "$venv" >&2
fi
"$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --editable '.[server,dev]' ||
  fail "the packages could not be installed: see pip's message above"
