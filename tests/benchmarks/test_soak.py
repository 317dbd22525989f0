"""The soak: what it takes for flat, and a short run of the script itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import soak
from hearts.v1 import arbiter_pb2

ROOT = Path(__file__).parents[2]


def samples(mib_a_minute: float, seconds: int = 600) -> list[tuple[float, float]]:
    """A process that takes 50 MiB in its first minute and then grows evenly, with some noise."""
    return [
        (100.0 + at, 60 + min(at, 60) * 50 / 60 + mib_a_minute * at / 60 + at % 3)
        for at in range(seconds + 1)
    ]


@pytest.mark.parametrize(
    ("growth", "flat"), [(0.0, True), (-1.0, True), (1.2, True), (2.0, False), (20.0, False)]
)
def test_growth_after_the_warm_up_is_what_counts(growth: float, flat: bool) -> None:
    line = soak.fit(samples(growth))
    assert line.slope == pytest.approx(growth, abs=0.05)
    assert line.minutes == pytest.approx(8.5)
    assert line.flat() is flat


def test_a_short_run_is_judged_by_its_second_half() -> None:
    assert soak.fit(samples(0.0, 20)).minutes == pytest.approx(10 / 60)


@pytest.mark.parametrize(
    ("changes", "well"),
    [
        ({}, True),
        ({"matches": 0}, False),
        ({"fallbacks": 1}, False),
        ({"outcomes": {arbiter_pb2.ATTEMPT_OUTCOME_FAILED_INFRA: 1}}, False),
        ({"samples": {"arbiter": samples(5.0)}}, False),
    ],
)
def test_what_fails_a_run(
    changes: dict[str, object], well: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    run = soak.Soak(4, samples={"arbiter": samples(0.0)}, matches=9)
    run.outcomes = {arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED: 9}
    for name, value in changes.items():
        setattr(run, name, value)
    assert run.report(600.0) is well
    said = capsys.readouterr().out
    assert "MiB/min" in said
    assert ("GROWS" in said) == ("samples" in changes)


def test_a_process_that_ended_is_named() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as ended:
        ended.wait()
        with pytest.raises(FileNotFoundError):
            soak.resident_mib(ended.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_twenty_seconds_of_it() -> None:
    """The script itself, with a whole arbiter. So short a run is all warm-up: 200 MiB are free."""
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.soak"),
            *("--seconds", "20", "--tables", "8", "--noise", "200"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "8 tables" in ran.stdout
    assert ran.stdout.count(": flat") == 5
