"""``python -m benchmarks [NAME ...]``: runs the benchmarks and writes results/latest.json.

Exit codes: 0 measured (a goal that is missed is shown, not an error; ``--strict`` makes it 1),
2 unknown name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks import runner


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the command line and runs; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {runner.known()}")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a goal is missed")
    options = parser.parse_args(arguments)
    try:
        rows = runner.run(options.names)
    except runner.UnknownBenchmark as unknown:
        print(unknown, file=sys.stderr)
        return 2
    missed = any(row["holds"] is False for row in rows)
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
