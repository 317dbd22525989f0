"""Scripts that are asked for at the same time, sent to Redis together."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import redis.asyncio
from redis import exceptions

Argument = str | bytes | int | float

MOST = 128
"""Scripts sent in one round trip."""


@dataclass(frozen=True, slots=True)
class _Asked:
    sha: str
    arguments: Sequence[Argument]
    answer: asyncio.Future[Any]


class Batch:
    """One round trip is under way at a time; what is asked for meanwhile makes
    the next one. Nothing waits for company: alone, a script goes at once."""

    def __init__(self, client: redis.asyncio.Redis) -> None:
        self._client = client
        self._asked: deque[_Asked] = deque()
        self._sender: asyncio.Task[None] | None = None

    async def run(self, sha: str, arguments: Sequence[Argument]) -> Any:
        """The answer of one script. Raises redis's exceptions."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked.append(_Asked(sha, arguments, answer))
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send(), name="store batch")
        return await answer

    async def close(self) -> None:
        """Give up what is under way."""
        if self._sender is not None and not self._sender.done():
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)

    async def _send(self) -> None:
        sent: list[_Asked] = []
        try:
            while self._asked:
                sent = [self._asked.popleft() for _ in range(min(MOST, len(self._asked)))]
                await self._round_trip(sent)
        except asyncio.CancelledError:
            for one in (*sent, *self._asked):
                _fail(one, exceptions.ConnectionError("the store was closed"))
            self._asked.clear()
            raise

    async def _round_trip(self, sent: Sequence[_Asked]) -> None:
        try:
            async with self._client.pipeline(transaction=False) as pipe:
                for one in sent:
                    pipe.execute_command("EVALSHA", one.sha, 0, *one.arguments)
                replies = await pipe.execute(raise_on_error=False)
        except Exception as error:
            # Whatever it is belongs to those who asked; the next round goes on.
            for one in sent:
                _fail(one, error)
            return
        for one, reply in zip(sent, replies, strict=True):
            if isinstance(reply, Exception):
                _fail(one, reply)
            elif not one.answer.done():
                one.answer.set_result(reply)


def _fail(one: _Asked, error: Exception) -> None:
    if not one.answer.done():  # its asker may have been cancelled
        one.answer.set_exception(error)
