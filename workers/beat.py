"""Celery beat's clock, without the two habits that hurt here."""

from typing import Any

from celery.beat import Scheduler
from kombu.exceptions import OperationalError

from workers import hints, quiet

quiet.install()

MOST_WAITING = 2
"""With so many messages in the queue another tick would only pile up."""


class Ticker(Scheduler):  # type: ignore[misc]
    """Keeps nothing on disk (the only entry is due each second), and sends
    nothing while the workers are away or behind."""

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send one entry's message if it is wanted."""
        try:
            behind = hints.waiting(self.connection) >= MOST_WAITING
        except (OperationalError, *self.connection.connection_errors):
            behind = False  # sending it will say what is wrong
        if not behind:
            super().apply_entry(entry, producer)
