"""One heap for all clocks: nothing fires early, nothing is forgotten, our own delay is noticed."""

from __future__ import annotations

import gc
from math import inf
from weakref import ref

from hypothesis import given
from hypothesis import strategies as st

from arbiter.matches.timers import CONFIRM_SECONDS, HELD_UP_SECONDS, Timers


class Item:
    """A table stand-in: a deadline, and what it was told when."""

    def __init__(self, deadline: float = inf) -> None:
        self.deadline = deadline
        self.timer_at = inf
        self.fired: list[float] = []
        self.held_up: list[float] = []
        self.faults: list[Exception] = []

    def on_time(self, now: float) -> None:
        self.fired.append(now)
        self.deadline = inf

    def on_held_up(self, now: float) -> None:
        self.held_up.append(now)
        self.deadline = now + 1

    def on_fault(self, fault: Exception) -> None:
        self.faults.append(fault)


def test_a_deadline_fires_after_the_confirmation_and_once():
    timers, item = Timers(), Item(10.0)
    timers.watch(item)
    timers.run_due(10.0)
    assert not item.fired
    timers.run_due(10.0 + CONFIRM_SECONDS)
    timers.run_due(11.0)
    assert item.fired == [10.0 + CONFIRM_SECONDS]


def test_a_deadline_that_moves_later_fires_at_its_new_time_only():
    timers, item = Timers(), Item(10.0)
    timers.watch(item)
    item.deadline = 20.0
    timers.watch(item)
    assert timers.run_due(10.05) == 20.0
    assert not item.fired
    timers.run_due(20.05)
    assert len(item.fired) == 1


def test_a_deadline_that_moves_earlier_fires_then():
    timers, item = Timers(), Item(10.0)
    timers.watch(item)
    item.deadline = 5.0
    timers.watch(item)
    timers.run_due(5.05)
    timers.run_due(10.05)
    assert len(item.fired) == 1


def test_tc07_a_timer_that_fires_late_is_our_delay_and_not_a_time_out():
    timers, item = Timers(), Item(10.0)
    timers.watch(item)
    timers.run_due(10.0 + CONFIRM_SECONDS + HELD_UP_SECONDS + 0.01)
    assert item.held_up
    assert not item.fired
    timers.run_due(item.deadline + CONFIRM_SECONDS)
    assert len(item.fired) == 1


def test_a_fault_at_one_table_stops_no_other_clock():
    class Broken(Item):
        def on_time(self, now: float) -> None:
            super().on_time(now)
            raise ValueError("a bug")

    timers, bad, good = Timers(), Broken(1.0), Item(1.0)
    timers.watch(bad)
    timers.watch(good)
    timers.run_due(1.05)
    assert bad.faults
    assert good.fired


def test_a_deadline_that_does_not_move_is_a_fault_of_its_table_and_no_endless_loop():
    class Stuck(Item):
        def on_held_up(self, now: float) -> None:
            self.held_up.append(now)

        def on_fault(self, fault: Exception) -> None:
            super().on_fault(fault)
            self.deadline = inf

    timers, stuck, good = Timers(), Stuck(1.0), Item(1.0)
    timers.watch(stuck)
    timers.watch(good)
    timers.run_due(1.0 + CONFIRM_SECONDS + HELD_UP_SECONDS + 0.01)
    assert len(stuck.held_up) == 1
    assert "did not move" in str(stuck.faults[0])
    timers.run_due(good.deadline + CONFIRM_SECONDS)
    assert good.fired


def test_who_is_gone_is_not_kept_for_its_deadline():
    """A finished match with all its deals must not stay in memory until its limit would come."""
    timers, item, other = Timers(), Item(600.0), Item(601.0)
    gone = ref(item)
    timers.watch(item)
    timers.watch(other)
    del item
    gc.collect()
    assert gone() is None
    timers.run_due(601.0 + CONFIRM_SECONDS)
    assert other.fired


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 100)), max_size=60))
def test_nothing_fires_early_and_everything_fires(moves):
    timers, items = Timers(), [Item() for _ in range(5)]
    now = 0.0
    for index, later in moves:
        items[index].deadline = now + later / 10
        timers.watch(items[index])
        now += 0.05
        timers.run_due(now)
        assert all(item.deadline + CONFIRM_SECONDS > now for item in items)
    while (due := timers.run_due(now)) < inf:
        now = due + CONFIRM_SECONDS
    assert all(item.deadline == inf for item in items)
    assert not any(item.held_up for item in items)
