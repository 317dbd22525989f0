"""Connecting, failing, connecting again, and leaving."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
import pytest
from fake_arbiter import FakeArbiter, Link, Refused

import client_sdk
from client_sdk import Bot, backoff, connect, ending, errors, play_async
from client_sdk import channel as channels
from hearts.v1 import errors_pb2, play_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

dial = sys.modules["client_sdk.connect"]
TOKEN = "hrt_a-secret-that-no-log-may-show"
CODE = grpc.StatusCode


class Anna(Bot):
    """As the SDK made her."""

    name = "anna"


async def one_match(link: Link) -> None:
    """Greet the bot and play a match without cards."""
    await link.seat()
    await link.send(link.over())
    await link.recv()


def refuse(code: grpc.StatusCode, text: str = "no", **detail: Any) -> Any:
    """A script that ends the stream at once."""

    async def script(link: Link) -> None:
        raise Refused(code, text, **detail)

    return script


async def play(arbiter: FakeArbiter, **options: Any) -> None:
    async with asyncio.timeout(20):
        await play_async(Anna(), arbiter.address, TOKEN, **{"matches": 1, **options})


# ---- errors that are final, and those that are not -----------------------------------------


@pytest.mark.parametrize(
    ("code", "reason", "error"),
    [
        (CODE.UNAUTHENTICATED, "UNAUTHENTICATED", client_sdk.NotAuthenticated),
        (CODE.PERMISSION_DENIED, "PERMISSION_DENIED", client_sdk.PermissionDenied),
        (CODE.FAILED_PRECONDITION, "NO_COMMON_PROTOCOL", client_sdk.NoCommonProtocol),
        (CODE.INVALID_ARGUMENT, "BAD_HELLO", client_sdk.BadHello),
        (CODE.ABORTED, "REPLACED", client_sdk.Replaced),
        (CODE.UNIMPLEMENTED, "", client_sdk.NotAnArbiter),
    ],
)
async def test_final_errors_are_raised_with_their_reason(
    code: grpc.StatusCode, reason: str, error: type[client_sdk.ServerError]
) -> None:
    detail: dict[str, Any] = {}
    if reason:
        number = errors_pb2.ErrorReason.Value(f"ERROR_REASON_{reason}")
        detail = {"reason": number, "subject": "bots/anna", "hint": "Register the bot."}
    async with FakeArbiter(refuse(code, "this cannot be", **detail)) as arbiter:
        with pytest.raises(error) as caught:
            await play(arbiter)
    assert caught.value.reason == reason
    assert "this cannot be" in str(caught.value)
    assert ("Register the bot" in str(caught.value)) == bool(reason)
    assert len(arbiter.times) == 1


class Call:
    """As much of gRPC's call as tells its end. Its callbacks come each time a status is set."""

    def __init__(self) -> None:
        self.told: Any = None
        self.status = (CODE.OK, "", grpc.aio.Metadata())

    def add_done_callback(self, told: Any) -> None:
        self.told = told

    def end(self, code: grpc.StatusCode, text: str, *trailing: tuple[str, bytes]) -> None:
        self.status = (code, text, grpc.aio.Metadata(*trailing))
        self.told(self)

    async def code(self) -> grpc.StatusCode:
        return self.status[0]

    async def details(self) -> str:
        return self.status[1]

    async def initial_metadata(self) -> grpc.aio.Metadata:
        return grpc.aio.Metadata()

    async def trailing_metadata(self) -> grpc.aio.Metadata:
        return self.status[2]


FAILED = client_sdk.ServerError(CODE.INTERNAL, ending.WRITE_FAILED, None)


@pytest.mark.parametrize("first", ["the server's word", "gRPC's"])
async def test_a_write_to_a_stream_that_just_ended_does_not_hide_why(first: str) -> None:
    """Else an error that is final looks like one that passes, and a time to come back is lost."""
    for code, expected in (
        (CODE.UNAUTHENTICATED, client_sdk.NotAuthenticated),
        (CODE.RESOURCE_EXHAUSTED, client_sdk.ServerError),
        (CODE.OK, type(None)),
    ):
        call = Call()
        end = ending.Ending(call)  # type: ignore[arg-type]
        if first == "gRPC's":
            call.end(CODE.INTERNAL, ending.WRITE_FAILED)
            asking = asyncio.create_task(end.of(FAILED))
            await asyncio.sleep(0)
            call.end(code, "full")
        else:
            call.end(code, "full")
            call.end(CODE.INTERNAL, ending.WRITE_FAILED)
            asking = asyncio.create_task(end.of(FAILED))
        found = await asking
        assert type(found) is expected
        assert found is None or (found.code, str(found)) == (code, "full")
        other = client_sdk.ServerError(CODE.INTERNAL, "the server's own", None)
        assert await end.of(other) is other


async def test_grpcs_own_word_stands_where_the_server_says_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "PATIENCE_S", 0.01)
    assert await ending.Ending(Call()).of(FAILED) is FAILED  # type: ignore[arg-type]


async def test_without_a_common_protocol_the_sdk_itself_refuses() -> None:
    async def newer(link: Link) -> None:
        await link.greet(protocol_min=2, protocol_max=3)
        await link.recv()

    async with FakeArbiter(newer) as arbiter:
        with pytest.raises(client_sdk.NoCommonProtocol, match="2 to 3"):
            await play(arbiter)


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        (CODE.UNAVAILABLE, {}),
        (CODE.INTERNAL, {}),
        (CODE.UNKNOWN, {}),
        (CODE.RESOURCE_EXHAUSTED, {"retry_after_ms": 50}),
        (CODE.FAILED_PRECONDITION, {"retry_after_ms": 50}),
        (CODE.ABORTED, {"reason": errors_pb2.ERROR_REASON_SHUTTING_DOWN, "retry_after_ms": 50}),
    ],
)
async def test_other_errors_are_tried_again(code: grpc.StatusCode, detail: Any) -> None:
    async with FakeArbiter(refuse(code, **detail), one_match) as arbiter:
        await play(arbiter)
    assert len(arbiter.times) == 2


async def test_a_stream_that_ends_without_hello_is_tried_again() -> None:
    async def rude(link: Link) -> None:
        await link.recv()

    async with FakeArbiter(rude, one_match) as arbiter:
        await play(arbiter)
    assert len(arbiter.times) == 2


# ---- when --------------------------------------------------------------------------------


async def test_retry_after_is_honoured() -> None:
    """DR05: in an error and in a Goodbye, and not less than it says."""

    async def leaving(link: Link) -> None:
        await link.greet()
        goodbye = play_pb2.Goodbye(reason="restart", retry_after_ms=900)
        await link.write(play_pb2.ArbiterFrame(goodbye=goodbye))

    full = refuse(CODE.RESOURCE_EXHAUSTED, "full", retry_after_ms=700)
    async with FakeArbiter(full, leaving, one_match) as arbiter:
        await play(arbiter)
    first, second, third = arbiter.times
    assert 0.7 <= second - first < 2.5
    assert 0.9 <= third - second < 3.5


@pytest.mark.parametrize("luck", [min, max], ids=["shortest waits", "longest waits"])
def test_tries_in_the_first_minute(luck: Any) -> None:
    """DR05: 12 at most, however the dice fall. GR07: never more than 8 s apart."""
    waits = backoff.Backoff(uniform=lambda low, high: luck(low, high))
    now, tries = 0.0, 0
    while True:
        wait = waits.wait()
        assert wait <= 8.0
        now += wait
        if now >= 60:
            break
        tries += 1
    assert 7 <= tries <= 12


def test_waits_are_spread() -> None:
    firsts = {round(backoff.Backoff().wait(), 6) for _ in range(50)}
    assert len(firsts) > 40
    assert max(firsts) <= 0.5


def test_a_connection_that_held_starts_the_waits_anew() -> None:
    waits = backoff.Backoff(uniform=lambda low, high: high)
    grown = [waits.wait() for _ in range(3)]
    waits.lasted(1.0)
    assert waits.wait() > grown[-1]
    waits.lasted(60.0)
    assert waits.wait() == grown[0]


async def test_idle_bots_come_back_to_a_restarted_arbiter() -> None:
    """DR04."""
    here = asyncio.Event()

    async def stay(link: Link) -> None:
        await link.greet()
        here.set()
        await link.recv(within=60)

    async with FakeArbiter(stay) as arbiter:
        playing = asyncio.create_task(play(arbiter))
        async with asyncio.timeout(5):
            await here.wait()
        await arbiter.restart(one_match)
        await playing
    assert len(arbiter.times) == 2


# ---- no server ----------------------------------------------------------------------------


@pytest.fixture
def black_hole() -> Iterator[str]:
    """An address that accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


async def test_a_black_hole_is_given_up_in_bounded_time(
    black_hole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GR08."""
    monkeypatch.setattr(dial, "HELLO_S", 0.4)
    began = time.monotonic()
    with pytest.raises(client_sdk.ServerUnreachable, match=r"no arbiter at .* did not answer"):
        await play_async(Anna(), black_hole, TOKEN, first_connect_s=1.0)
    assert time.monotonic() - began < 4


async def test_the_hello_has_a_deadline_as_it_ships() -> None:
    """GR08: no setting makes a try wait for ever."""
    assert 0 < dial.HELLO_S <= 10


async def test_an_address_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(client_sdk.ServerUnreachable, match=address):
        await play_async(Anna(), address, TOKEN, first_connect_s=0.3)


async def test_a_server_once_reached_is_waited_for() -> None:
    """GR07: only the first connection may be given up."""

    async def gone(link: Link) -> None:
        await link.greet()

    down = refuse(CODE.UNAVAILABLE)
    async with FakeArbiter(gone, down, down, one_match) as arbiter:
        await play(arbiter, first_connect_s=0.1)
    assert len(arbiter.times) == 4


# ---- settings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "token", "options", "text"),
    [
        ("", TOKEN, {}, "is no bot name"),
        ("Anna", TOKEN, {}, "is no bot name"),
        ("bots/anna", TOKEN, {}, "is no bot name"),
        ("anna", "", {}, "HEARTS_TOKEN"),
        ("anna", "two words", {}, "no token has"),
        ("anna", TOKEN, {"max_tables": 0}, "max_tables"),
        ("anna", TOKEN, {"max_tables": 10_001}, "max_tables"),
        ("anna", TOKEN, {"matches": 0}, "matches"),
    ],
)
def test_wrong_settings_are_named_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, name: str, token: str, options: Any, text: str
) -> None:
    monkeypatch.delenv("HEARTS_TOKEN", raising=False)
    monkeypatch.delenv("HEARTS_TOKEN_FILE", raising=False)
    bot = Anna()
    bot.name = name
    with pytest.raises(client_sdk.ConfigError, match=text):
        connect(bot, "127.0.0.1:1", token, **options)


def test_where_the_token_comes_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("hrt_file\n")
    monkeypatch.setenv("HEARTS_TOKEN_FILE", str(file))
    monkeypatch.delenv("HEARTS_TOKEN", raising=False)
    assert channels.read_token() == "hrt_file"
    monkeypatch.setenv("HEARTS_TOKEN", "hrt_env")
    assert channels.read_token() == "hrt_env"
    assert channels.read_token("hrt_given") == "hrt_given"
    assert channels.read_token(file=str(file)) == "hrt_file"
    with pytest.raises(client_sdk.ConfigError, match="token file"):
        channels.read_token(file=str(tmp_path / "missing"))


def test_an_unreadable_error_detail_is_no_new_error() -> None:
    class Call:
        def code(self) -> grpc.StatusCode:
            return CODE.UNAVAILABLE

        def details(self) -> str:
            return "busy"

        def trailing_metadata(self) -> Any:
            return (("grpc-status-details-bin", b"\xff\xff\xff"),)

    error = errors.from_call(Call())  # type: ignore[arg-type]
    assert (error.reason, error.retry_after_ms, str(error)) == ("", 0, "busy")


async def test_the_token_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    refused = refuse(CODE.UNAUTHENTICATED, "unknown token")
    async with FakeArbiter(refuse(CODE.UNAVAILABLE), refused) as arbiter:
        with pytest.raises(client_sdk.NotAuthenticated) as caught:
            await play(arbiter)
    assert TOKEN not in caplog.text + str(caught.value) + repr(caught.value)


# ---- leaving ---------------------------------------------------------------------------------

PROGRAM = """
import asyncio, sys, time
from client_sdk import Bot, connect

class Thinker(Bot):
    name = "anna"
    def play(self, turn):
        print("thinking", flush=True)
        time.sleep(60)
    async def pass_cards(self, turn):
        print("thinking", flush=True)
        await asyncio.sleep(60)

print("up", flush=True)
connect(Thinker())
print("down", flush=True)
"""


def run_program(address: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "HEARTS_TOKEN": TOKEN, "HEARTS_SERVER": address},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stop(process: subprocess.Popen[str], number: int) -> float:
    """Send the signal; seconds until the process ended by itself, with exit code 0."""
    began = time.monotonic()
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0, err
    assert out.endswith("down\n")
    assert "Traceback" not in err
    return time.monotonic() - began


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("when", ["idle", "thinking", "awaiting"])
async def test_ctrl_c_returns_at_once(when: str, number: int) -> None:
    """UX06: also with a 60 s decision in hand. The arbiter is told."""
    here, gone = asyncio.Event(), asyncio.Event()

    async def script(link: Link) -> None:
        await link.greet()
        here.set()
        if when != "idle":
            phase = play_pb2.PHASE_PLAY if when == "thinking" else play_pb2.PHASE_PASS
            await link.send(link.start(), link.turn(phase=phase))
        try:
            while True:
                await link.recv(within=60)
        finally:
            gone.set()

    async with FakeArbiter(script) as arbiter:
        process = run_program(arbiter.address)
        assert process.stdout is not None
        await asyncio.to_thread(process.stdout.readline)
        if when == "idle":
            async with asyncio.timeout(10):
                await here.wait()
        else:
            assert await asyncio.to_thread(process.stdout.readline) == "thinking\n"
        assert await asyncio.to_thread(stop, process, number) < 3
        async with asyncio.timeout(2):
            await gone.wait()


def test_ctrl_c_while_the_server_is_silent(black_hole: str) -> None:
    process = run_program(black_hole)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.5)
    assert stop(process, signal.SIGINT) < 3
