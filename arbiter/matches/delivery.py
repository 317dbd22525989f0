"""Brings finished matches to the store: at once, or by way of the disk when it is in trouble."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from arbiter.matches.spool import Finished, Spool
from arbiter.matches.trouble import Trouble
from arbiter.store import Commit, ConflictingResult, StoreError, StoreRefused, StoreUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    from arbiter.store import Store

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0
"""A store that has not answered for so long is in trouble, and the result goes to the disk."""
RETRY_SECONDS = 0.2
RETRY_CAP_SECONDS = 3.0
TOGETHER = 64
"""Results that are delivered at once."""

STORE_TROUBLES = (StoreUnavailable, StoreRefused, TimeoutError)


class Delivery:
    """Each result goes to the store once, in the order of the ends of the matches.

    While the store is in trouble results are kept on disk, survive this process, and are delivered
    when it is well again, or by the next arbiter on this machine.
    """

    def __init__(self, store: Store, root: Path) -> None:
        self.trouble = Trouble()
        self._store = store
        self._spool = Spool(root)
        self._left: dict[str, tuple[str, str]] = {}
        self._answers: dict[str, asyncio.Future[Commit]] = {}
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """Results that wait on disk."""
        return self._spool.waiting

    def leases(self) -> list[tuple[str, str]]:
        """(match, lease) of results that a dead arbiter has left: they are kept alive too."""
        return list(self._left.values())

    def start(self) -> None:
        """Begin, with what dead arbiters have left."""
        try:
            self._spool.open()
            for name in self._spool.oldest(self._spool.waiting):
                if finished := self._read(name):
                    self._left[name] = (finished.match, finished.lease)
        except OSError as trouble:
            log.error("the spool cannot be read: %s", trouble)
        if self.waiting:
            log.warning("%d results on disk, left by an arbiter that died", self.waiting)
            self._wanted.set()
        self._task = asyncio.get_running_loop().create_task(self._run(), name="delivery")

    async def stop(self) -> None:
        """End the task. What is on disk stays there."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._spool.close()

    def met(self, error: StoreError | TimeoutError) -> None:
        """Somebody has met a trouble of the store: see when it is over."""
        self.trouble.met(error, self.waiting)
        self._wanted.set()

    async def commit(self, finished: Finished) -> Commit:
        """Returns when the store has answered, however long that takes. When this is cancelled
        the result is on disk. Raises ConflictingResult."""
        if not self.waiting and not self.trouble.words:
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    return await self._send(finished)
            except STORE_TROUBLES as error:
                self.met(error)
        name = self._spool.name()
        try:
            await asyncio.to_thread(self._spool.put, name, finished)
        except OSError as trouble:
            log.error("match %s waits in memory only: %s", finished.match, trouble)
            return await self._insist(finished)
        answer: asyncio.Future[Commit] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        self._spool.added(name)
        self._wanted.set()
        return await answer

    async def _send(self, finished: Finished) -> Commit:
        answer: Commit = await self._store.matches.commit(
            finished.match,
            finished.lease,
            finished.result,
            finished.record,
            finished.deals,
            finished.pool,
        )
        return answer

    async def _insist(self, finished: Finished) -> Commit:
        """Without a disk."""
        pause = RETRY_SECONDS
        while True:
            try:
                return await self._send(finished)
            except STORE_TROUBLES as error:
                self.met(error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, RETRY_CAP_SECONDS)

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            pause = RETRY_SECONDS
            while self.waiting or self.trouble.words:
                try:
                    await self._deliver()
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        await self._store.check_writable()
                    self.trouble.over()
                except STORE_TROUBLES as error:
                    self.met(error)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, RETRY_CAP_SECONDS)
            self._wanted.clear()

    async def _deliver(self) -> None:
        """Bring all that waits, some together. Raises one of STORE_TROUBLES."""
        delivered = 0
        while names := self._spool.oldest(TOGETHER):
            read = [(name, self._read(name)) for name in names]
            found = [(name, finished) for name, finished in read if finished]
            async with asyncio.timeout(TOGETHER * PATIENCE_SECONDS):
                answers = await asyncio.gather(
                    *(self._send(finished) for _, finished in found), return_exceptions=True
                )
            trouble: BaseException | None = None
            for (name, finished), answer in zip(found, answers, strict=True):
                if isinstance(answer, BaseException) and not isinstance(answer, ConflictingResult):
                    trouble = trouble or answer
                else:
                    delivered += 1
                    self._answered(name, finished, answer)
            if trouble:
                raise trouble
        if delivered:
            log.warning("%d results that waited on disk are delivered", delivered)

    def _read(self, name: str) -> Finished | None:
        """What waits under this name; None when the disk has lost it: its match is played again."""
        try:
            finished = self._spool.read(name)
        except OSError as trouble:
            log.error("a result that waited cannot be read: %s", trouble)
            finished = None
        if finished is None:
            self._spool.forget(name)
            self._left.pop(name, None)
            if future := self._answers.pop(name, None):
                future.set_result(Commit.STALE)
        return finished

    def _answered(self, name: str, finished: Finished, answer: Commit | ConflictingResult) -> None:
        """The store has taken it, has it, or has another: nothing more is to be done for it."""
        self._spool.remove(name)
        self._left.pop(name, None)
        if answer is Commit.STALE:
            log.warning("match %s: its lease was lost while its result waited", finished.match)
        future = self._answers.pop(name, None)
        if future is None or future.done():
            if isinstance(answer, ConflictingResult):
                log.error("match %s: %s", finished.match, answer)
        elif isinstance(answer, ConflictingResult):
            future.set_exception(answer)
        else:
            future.set_result(answer)
