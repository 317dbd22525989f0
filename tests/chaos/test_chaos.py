"""Nothing is lost and nothing is counted twice, whatever dies or stalls: the short form."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from chaos_blows import KINDS, plan
from chaos_cups import SHORT
from chaos_run import run, told

SEED = int(os.environ.get("HEARTS_CHAOS_SEED", "272"))
"""Its first six blows hit everything but the beat, and stop an arbiter for longer than a lease."""


def test_a_plan_is_the_same_each_time_and_leaves_out_nobody() -> None:
    blows = plan(3, 25)
    assert blows == plan(3, 25)
    assert blows != plan(4, 25)
    assert {(blow.how, blow.whom) for blow in blows[: len(KINDS)]} == set(KINDS)


@pytest.mark.timeout(300)
async def test_a_few_blows_change_no_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SP01, SP02, SP09, SP11, RC02 to RC06, RC11: standings, moves and ratings are those of a run
    in peace with another number of workers. `make chaos` is the long form."""
    struck = await run(tmp_path / "struck", SHORT, 2, plan(SEED, 6))
    calm = await run(tmp_path / "calm", SHORT, 1)
    with capsys.disabled():
        print("\n" + told({"struck": struck, "calm": calm}))
    assert struck.same == calm.same
    assert not struck.faults
    assert struck.blows
