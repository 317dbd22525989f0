"""Every table's deadline in one heap: no task and no timer handle for a decision."""

from __future__ import annotations

import asyncio
import logging
from heapq import heappop, heappush
from itertools import count
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Protocol
from weakref import ref

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

CONFIRM_SECONDS = 0.02
"""A time-out is declared only this long after its deadline, so that an answer that arrived in
time but is still in the stream's buffer is read first."""


HELD_UP_SECONDS = 0.1
"""A timer that fires this much too late shows that the event loop was held up."""


class Timed(Protocol):
    """Something with a deadline that moves."""

    timer_at: float

    @property
    def deadline(self) -> float: ...
    def on_time(self, now: float) -> None: ...
    def on_held_up(self, now: float) -> None: ...
    def on_fault(self, fault: Exception) -> None: ...


class Timers:
    """Calls `on_time` of whatever is due.

    A deadline that moves later costs nothing: the entry in the heap fires at its old time, sees
    that nothing is due, and is put back at the new one. So a table has one entry, however many
    decisions it asks. The heap keeps nobody alive: a match that is over, whose limit would come in
    ten minutes, is gone at once.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._heap: list[tuple[float, int, ref[Timed]]] = []
        self._order = count()
        self._task: asyncio.Task[None] | None = None
        self._earlier = asyncio.Event()

    def start(self) -> None:
        """Begin to run on the current event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="timers")

    async def stop(self) -> None:
        """End the task."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def watch(self, item: Timed) -> None:
        """Make sure that the item is called at its deadline, which may have moved."""
        due = item.deadline
        if due < item.timer_at:
            item.timer_at = due
            order = next(self._order)
            heappush(self._heap, (due, order, ref(item)))
            if self._heap[0][1] == order:
                self._earlier.set()

    def run_due(self, now: float) -> float:
        """Call all that is due; returns when the next one is (inf: none)."""
        heap = self._heap
        while heap and heap[0][0] + CONFIRM_SECONDS <= now:
            at, _, of = heappop(heap)
            item = of()
            if item is None or at != item.timer_at:
                continue  # it is gone, or a later or an earlier entry stands for it
            item.timer_at = inf
            late = now - (item.deadline + CONFIRM_SECONDS)
            if late >= 0:
                try:
                    if late > HELD_UP_SECONDS:
                        log.warning("the event loop was held up for %.0f ms", late * 1000)
                        item.on_held_up(now)
                        if item.deadline + CONFIRM_SECONDS <= now:
                            # Put back like this it would come round for ever.
                            raise RuntimeError("a deadline that was to be extended did not move")
                    else:
                        item.on_time(now)
                except Exception as fault:  # a fault at one table must not stop the clocks of all
                    item.on_fault(fault)
            self.watch(item)
        return heap[0][0] if heap else inf

    async def _run(self) -> None:
        while True:
            due = self.run_due(self._clock())
            self._earlier.clear()
            wait = due + CONFIRM_SECONDS - self._clock()
            try:
                async with asyncio.timeout(max(wait, 0.001) if due < inf else None):
                    await self._earlier.wait()
            except TimeoutError:
                pass
