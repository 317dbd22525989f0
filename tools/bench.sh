#!/usr/bin/env bash
# bench.sh BIN [NAME ...]: measures. What there is to compare with (the extra [bench]) is installed first, if it
# can be had: a reference that is missing is left out of the table.
set -euo pipefail
bin=$1
shift

missing() {
  "$bin/python" - <<'PY'
import re, tomllib
from importlib.metadata import PackageNotFoundError, version

with open("pyproject.toml", "rb") as file:
    extra = tomllib.load(file)["project"]["optional-dependencies"]["bench"]
for requirement in extra:
    try:
        version(re.match(r"[\w.-]+", requirement)[0])
    except PackageNotFoundError:
        print(requirement)
PY
}

for requirement in $(missing); do
  echo "installing $requirement to compare with (once) ..." >&2
  if ! output=$("$bin/python" -m pip install --quiet --disable-pip-version-check "$requirement" 2>&1); then
    printf 'not compared with %s: it cannot be installed here:\n%s\n' "$requirement" "$(tail -n 2 <<<"$output")" >&2
  fi
done
exec "$bin/python" -m benchmarks "$@"
