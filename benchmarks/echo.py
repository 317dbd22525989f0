"""The reference: a bare gRPC echo with messages of a play's size, nothing refereed.

``measure(streams, batch)`` starts an echo server in a process of its own and a client in another;
each stream sends a frame of `batch` turns' size and waits for the answer of `batch` replies' size.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from time import perf_counter

import grpc.aio

from hearts.v1 import cards_pb2, play_pb2

METHOD = "/echo/Echo"
SECONDS = 3.0
CARDS = [cards_pb2.Card.Name(number) for number in range(2, 9)]


def _turns(count: int) -> play_pb2.PlayResponse:
    response = play_pb2.PlayResponse()
    for number in range(count):
        event = response.frame.events.add(table=number + 1, sequence=9)
        event.turn.CopyFrom(
            play_pb2.Turn(
                decision=30,
                phase=play_pb2.PHASE_PLAY,
                time_left_ms=1000,
                hand=CARDS[:7],
                legal=CARDS[:3],
                trick=CARDS[:2],
                last_trick=CARDS[:4],
                totals=[1, 2, 3, 4],
                seed=1 << 62,
            )
        )
    return response


def _replies(count: int) -> play_pb2.PlayRequest:
    request = play_pb2.PlayRequest()
    for number in range(count):
        request.frame.replies.add(
            table=number + 1, decision=30, card=cards_pb2.CARD_TWO_OF_CLUBS, think_us=5
        )
    return request


Context = grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]


async def serve(batch: int) -> None:
    """The echo server; prints its port."""
    answer = _turns(batch)

    async def handler(requests: AsyncIterator[play_pb2.PlayRequest], context: Context) -> None:
        async for _ in requests:
            await context.write(answer)

    server = grpc.aio.server()
    method = grpc.stream_stream_rpc_method_handler(
        handler,
        request_deserializer=play_pb2.PlayRequest.FromString,
        response_serializer=play_pb2.PlayResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("echo", {"Echo": method}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()


async def _client(port: int, streams: int, batch: int, seconds: float) -> tuple[float, list[float]]:
    """Round trips a second times the batch, and each round trip's seconds."""
    times: list[float] = []
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.stream_stream(
            METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )
        frame = _replies(batch)
        end = perf_counter() + seconds

        async def one() -> int:
            stream = call()
            done = 0
            while (now := perf_counter()) < end:
                await stream.write(frame)
                await stream.read()
                times.append(perf_counter() - now)
                done += batch
            await stream.done_writing()
            return done

        begun = perf_counter()
        done = sum(await asyncio.gather(*(one() for _ in range(streams))))
        return done / (perf_counter() - begun), times


def measure(streams: int, batch: int, seconds: float = SECONDS) -> tuple[float, float]:
    """Decisions a second through the echo, and the median round trip in seconds."""
    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.echo", str(batch)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        rate, times = asyncio.run(_client(port, streams, batch, seconds))
        return rate, sorted(times)[len(times) // 2]
    finally:
        server.kill()
        server.wait()
        if server.stdout:
            server.stdout.close()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
