"""`make chaos`: the long form. Every format, more than 1,000 matches, 64 blows, against runs in
peace with 1, 2 and 4 workers. A quarter of an hour on two cores. HEARTS_CHAOS_SEED: other blows."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

from chaos_blows import plan
from chaos_cups import LONG, SHORT
from chaos_run import Outcome, differences, run, told


async def main(blows: int, *, short: bool) -> int:
    """Returns the exit code: 1 when a byte differs or somebody was blamed."""
    size = SHORT if short else LONG
    seed = int(os.environ.get("HEARTS_CHAOS_SEED", "1"))
    runs: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory(prefix="hearts-chaos-") as folder:
        name = f"struck {blows} times, 2 workers"
        print(f"seed {seed}; {name} ...", flush=True)
        runs[name] = await run(Path(folder) / "struck", size, 2, plan(seed, blows))
        print(told(runs), flush=True)
        for workers in (1, 2, 4):
            name = f"in peace, workers: {workers}"
            print(f"{name} ...", flush=True)
            runs[name] = await run(Path(folder) / f"calm-{workers}", size, workers)
    print("\n" + told(runs))
    first, *others = runs.values()
    bad = [name for name, one in list(runs.items())[1:] if one.same != first.same]
    for name in bad:
        words = "; ".join(differences(first, runs[name]))
        print(f"NOT THE SAME as the run that was struck: {name}: {words}")
    if len(first.blows) < blows:
        print(f"only {len(first.blows)} of {blows} blows fell before the end")
    blamed = [name for name, one in runs.items() if one.faults]
    if blamed:
        print(f"bots were blamed: {', '.join(blamed)}")
    if bad or blamed or len(first.blows) < blows:
        return 1
    print(f"standings, moves and ratings are the same bytes in all {1 + len(others)} runs")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--blows", type=int, default=64)
    parser.add_argument("--short", action="store_true", help="few matches, to try it out")
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.blows, short=options.short)))
