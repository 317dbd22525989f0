"""How a running task learns that its worker shuts down.

Celery's warm shutdown waits for running tasks, and tells only the parent that
it has begun. The parent holds the one writing end of a pipe; when it shuts
down, or dies, the pipe closes and every child sees that, in its event loop and
at once, also a child that has not begun to listen yet.
"""

import asyncio
import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class _Pipe:
    owner: int
    reader: int
    writer: int | None


_pipe: _Pipe | None = None


def prepare(**_: Any) -> None:
    """In the parent, before it forks."""
    global _pipe
    _pipe = _Pipe(os.getpid(), *os.pipe())


def forked(**_: Any) -> None:
    """In each child: let the parent be the only one that holds the pipe open."""
    if _pipe is not None and _pipe.owner != os.getpid():
        _let_go(_pipe)


def request(**_: Any) -> None:
    """In the parent: tell the running tasks. A repeat does nothing."""
    if _pipe is not None and _pipe.owner == os.getpid():
        _let_go(_pipe)


def requested() -> bool:
    """Whether this worker is shutting down."""
    if _pipe is None:
        return False
    poll = select.poll()
    poll.register(_pipe.reader, select.POLLIN)
    return bool(poll.poll(0))


@contextmanager
def calls(stop: Callable[[], object]) -> Iterator[None]:
    """Within: call ``stop`` once from the running loop when the worker shuts down."""
    if _pipe is None:  # not in a Celery worker: nobody will ask
        yield
        return
    loop = asyncio.get_running_loop()
    reader = _pipe.reader

    def closed() -> None:
        loop.remove_reader(reader)  # a closed pipe stays readable for ever
        stop()

    loop.add_reader(reader, closed)
    try:
        yield
    finally:
        loop.remove_reader(reader)


def _let_go(pipe: _Pipe) -> None:
    writer, pipe.writer = pipe.writer, None
    if writer is not None:
        os.close(writer)
