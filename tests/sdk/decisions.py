"""How many decisions a second one bot process answers, measured against a scripted arbiter.

    python tests/sdk/decisions.py [random|duck|first] [TURNS_IN_A_FRAME]

The arbiter runs in a process of its own and sends ready-made frames as soon as the answers
to the one before are in; so the figure is the bot's, plus one round trip for each frame.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from random import Random
from typing import Any

from client_sdk import Bot, play_async  # isort: skip - it quiets grpc before it is loaded

import grpc.aio

from client_sdk.bots import HOUSE
from hearts.rules import preset
from hearts.v1 import play_pb2
from hearts.wire import rules_to_wire

SECONDS = 3.0
RULES = rules_to_wire(preset("standard"))


def frames(tables: int) -> list[bytes]:
    """Thirteen frames with one turn for each table: the plays of one deal."""
    chance = Random(1)
    made = []
    for trick in range(1, 14):
        response = play_pb2.PlayResponse()
        for table in range(1, tables + 1):
            event = response.frame.events.add(table=table, sequence=13)
            turn = event.turn
            turn.decision = 300 + trick
            turn.phase = play_pb2.PHASE_PLAY
            turn.time_left_ms = 1000
            hand = sorted(chance.sample(range(2, 54), 14 - trick))
            turn.hand.extend(hand)
            turn.legal.extend(hand[: 1 + len(hand) // 3])
            turn.trick.extend(chance.sample(range(2, 54), chance.randrange(4)))
            turn.trick_number = trick
            if trick > 1:
                turn.last_leader = 1
                turn.last_trick.extend(chance.sample(range(2, 54), 4))
            turn.totals.extend([12, 30, 5, 41])
            turn.seed = chance.getrandbits(64)
        made.append(response.SerializeToString())
    return made


async def serve(tables: int) -> None:
    """The scripted arbiter; prints its port, then the figure."""

    async def play(_: Any, context: Any) -> None:
        await context.read()
        first = play_pb2.PlayResponse()
        first.frame.hello.protocol_min = first.frame.hello.protocol_max = 1
        for table in range(1, tables + 1):
            event = first.frame.events.add(table=table, sequence=1)
            event.match_start.rules.CopyFrom(RULES)
        await context.write(first.SerializeToString())
        await context.read()
        sequence, done, began = 1, 0, time.perf_counter()
        deal = [play_pb2.PlayResponse.FromString(frame) for frame in frames(tables)]
        while time.perf_counter() - began < SECONDS:
            for response in deal:
                sequence += 1
                for event in response.frame.events:
                    event.sequence = sequence
                await context.write(response.SerializeToString())
                answered = 0
                while answered < tables:
                    request = play_pb2.PlayRequest.FromString(await context.read())
                    answered += len(request.frame.replies)
                done += answered
        print(f"{done / (time.perf_counter() - began):.0f}", flush=True)
        await context.read()

    handler = grpc.stream_stream_rpc_method_handler(play)
    generic = grpc.method_handlers_generic_handler("hearts.v1.PlayService", {"Play": handler})
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((generic,))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination(SECONDS + 3)


async def measure(kind: str, tables: int) -> None:
    """Run the bot in this process and print what it did."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "serve", str(tables), stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    port = int(await child.stdout.readline())
    bot = Bot() if kind == "first" else HOUSE[kind].make()
    bot.name = kind
    playing = asyncio.create_task(play_async(bot, f"127.0.0.1:{port}", "hrt_x"))
    before = time.process_time()
    rate = float(await child.stdout.readline())
    spent = time.process_time() - before
    playing.cancel()
    await asyncio.gather(playing, child.wait(), return_exceptions=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{kind}, frames of {tables}: {rate:,.0f} decisions/s with one core for the bot; "
        f"{spent / SECONDS / rate * 1e6:.1f} us of its CPU each; {memory:.0f} MB"
    )


if __name__ == "__main__":
    kind = sys.argv[1] if len(sys.argv) > 1 else "first"
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    asyncio.run(serve(tables) if kind == "serve" else measure(kind, tables))
