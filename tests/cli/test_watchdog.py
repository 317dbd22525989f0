"""RC03: a worker that lives and takes nothing is noticed."""

from __future__ import annotations

import pytest

from workers.cli.watchdog import Stall

# Each: (second, ready, running, done, expected to be a stall)
Look = tuple[float, int, int, int, bool]


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param(
            [(0, 5, 0, 0, False), (10, 5, 0, 0, False), (20, 5, 0, 0, True)], id="nothing moves"
        ),
        pytest.param([(0, 5, 1, 0, False), (60, 5, 1, 0, False)], id="a long match runs"),
        pytest.param(
            [(0, 5, 0, 0, False), (19, 4, 0, 1, False), (38, 4, 0, 1, False), (39, 4, 0, 1, True)],
            id="counts from the last move",
        ),
        pytest.param([(0, 0, 0, 9, False), (60, 0, 0, 9, False)], id="nothing waits"),
        pytest.param(
            [(0, 0, 0, 0, False), (60, 5, 0, 0, False), (79, 5, 0, 0, False)],
            id="counts from when something began to wait",
        ),
        pytest.param(
            [(0, 5, 0, 0, False), (20, 5, 0, 0, True), (22, 5, 0, 0, False), (40, 5, 0, 0, True)],
            id="a restart gets its time",
        ),
    ],
)
def test_a_stall_is_told_from_waiting(looks: list[Look]) -> None:
    stall = Stall(patience_s=20)
    for now, ready, running, done, expected in looks:
        assert stall.observe(ready, running, done, now) is expected, f"at {now} s"
