"""What is wrong with the store, said once and not at each try."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from arbiter.store import StoreError, StoreRefused

log = logging.getLogger(__name__)

AGAIN_SECONDS = 60.0
"""How often a trouble that lasts is said again."""

_KNOWN = {
    "OOM": "its memory is full",
    "used memory": "its memory is full",
    "MISCONF": "it cannot write its file",
    "READONLY": "it is a replica, or read-only",
    "NOREPLICAS": "too few of its replicas are there",
}


class Trouble:
    """Whether the store takes writes now; `words` says why not, and is "" when all is well.

    `on_change` is called with True when a trouble begins and with False when it is over.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.words = ""
        self.on_change: Callable[[bool], None] = lambda _began: None
        self._clock = clock
        self._began = 0.0
        self._said = 0.0

    def met(self, error: StoreError | TimeoutError, waiting: int = 0) -> None:
        """A write has failed; so many results wait."""
        now = self._clock()
        new = not self.words
        self.words = _words(error)
        if new:
            self._began = now
        if new or now - self._said >= AGAIN_SECONDS:
            self._said = now
            log.warning(
                "%s, for %.0f s (%s); results that wait on disk: %d; new matches wait",
                self.words, now - self._began, error or "no answer", waiting,
            )  # fmt: skip
        if new:
            self.on_change(True)

    def over(self) -> None:
        """Writes are taken."""
        if self.words:
            log.warning("the store takes writes again, after %.0f s", self._clock() - self._began)
            self.words = ""
            self.on_change(False)


def _words(error: StoreError | TimeoutError) -> str:
    """For people who may not see addresses."""
    if not isinstance(error, StoreRefused):
        return "the store cannot be reached"
    text = str(error)
    why = next((words for mark, words in _KNOWN.items() if mark in text), "")
    return f"the store refuses writes: {why}" if why else "the store refuses writes"
