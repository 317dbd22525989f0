"""Runs an async command so that Ctrl-C, SIGTERM and a closed terminal end it in order."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(body: Coroutine[Any, Any, int], interrupted: int) -> int:
    """Runs ``body`` to its exit code; when a signal cancels it, the code is ``interrupted``.

    A second signal while the first is being obeyed changes nothing: stopping is bounded in time.
    """

    async def main() -> int:
        task = asyncio.ensure_future(body)
        loop = asyncio.get_running_loop()
        told = False

        def end() -> None:
            nonlocal told
            if not told:
                told = True
                task.cancel()

        for number in ENDING:
            loop.add_signal_handler(number, end)
        try:
            return await task
        except asyncio.CancelledError:
            return interrupted

    return asyncio.run(main())
