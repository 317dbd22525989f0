"""What a benchmark reports.

A benchmark is a module of this package with ``run() -> list[Figure]``, entered in
``benchmarks/__main__.py``. A figure compares a value with a reference measured in the same run on
the same machine wherever there is one, so that it means the same on another machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class On(StrEnum):
    """What a goal is about."""

    VALUE = "value"
    RATIO = "ratio"


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on the value or on the ratio; both ends are inclusive."""

    on: On
    at_least: float | None = None
    at_most: float | None = None

    def holds(self, measured: float) -> bool:
        """Whether ``measured`` is inside the bounds."""
        above = self.at_least is None or measured >= self.at_least
        return above and (self.at_most is None or measured <= self.at_most)

    def __str__(self) -> str:
        parts = []
        if self.at_least is not None:
            parts.append(f"≥ {self.at_least:,g}")
        if self.at_most is not None:
            parts.append(f"≤ {self.at_most:,g}")
        return f"{self.on.value} {' and '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table.

    ``name`` says what was measured, ``unit`` in what ("plays/s"); ``reference`` is a figure of the
    same unit and ``reference_name`` says what it is ("bare gRPC echo"). ``goal`` is absent for a
    figure that is only reported.
    """

    name: str
    value: float
    unit: str
    reference: float | None = None
    reference_name: str = ""
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        """``value / reference``; absent without a reference."""
        return self.value / self.reference if self.reference else None

    @property
    def holds(self) -> bool | None:
        """Whether the goal is met; absent without a goal. A goal on an absent ratio is not met."""
        if self.goal is None:
            return None
        measured = self.value if self.goal.on is On.VALUE else self.ratio
        return measured is not None and self.goal.holds(measured)


Benchmark = Callable[[], list[Figure]]
