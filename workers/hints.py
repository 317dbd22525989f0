"""Telling workers that there is work, without ever piling up messages.

Without a broker nothing is sent and nothing fails: the sweep will notice what
is left to do.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kombu.exceptions import OperationalError

from workers.app import QUEUE, app

log = logging.getLogger(__name__)

TIMEOUT_S = 5.0
"""For a free connection to the broker."""


def waiting(connection: Any) -> int:
    """How many messages no worker has taken yet, over this kombu connection."""
    return int(connection.default_channel.client.llen(QUEUE))


def offer() -> None:
    """Send one hint to play a batch, unless one waits already."""
    _once("workers.tasks.play_batch")


def qualify() -> None:
    """Send one hint to qualify a version, unless one waits already."""
    _once("workers.tasks.qualify")


def refit(pool: str) -> None:
    """Ask for new ratings of a pool."""
    with _broker() as connection:
        app.send_task("workers.tasks.refit", [pool], connection=connection)


def _once(task: str) -> None:
    """A message of this task that waits means that every worker is busy, or that none is there;
    another one would not help either way. One of another task means nothing: where a sweep takes
    longer than beat's second, there is always a sweep that waits."""
    name = f'"{task}"'.encode()
    with _broker() as connection:
        messages = connection.default_channel.client.lrange(QUEUE, 0, -1)
        if not any(name in message for message in messages):
            app.send_task(task, connection=connection)


@contextmanager
def _broker() -> Iterator[Any]:
    try:
        with app.pool.acquire(block=True, timeout=TIMEOUT_S) as connection:
            yield connection
    except (OperationalError, OSError, *app.connection().connection_errors) as trouble:
        log.warning("no hint sent: %s", trouble)
