"""Telling workers that there is work, without ever piling up messages."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

from workers.app import QUEUE, app

log = logging.getLogger(__name__)


def waiting(connection: Any) -> int:
    """How many messages no worker has taken yet, over this kombu connection."""
    return int(connection.default_channel.client.llen(QUEUE))


def offer() -> bool:
    """Send one hint to play a batch, unless a message waits already.

    A waiting message means that every worker is busy, or that none is there;
    another one would not help either way. Without a broker nothing is sent:
    the sweep will notice.
    """
    try:
        with app.pool.acquire(block=True, timeout=5) as connection:
            if waiting(connection):
                return False
            app.send_task("workers.tasks.play_batch", connection=connection)
            return True
    except (OperationalError, OSError) as trouble:
        log.warning("no hint sent: %s", trouble)
        return False
