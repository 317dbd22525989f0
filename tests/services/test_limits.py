"""Messages have a size and calls a deadline, whoever makes them."""

from __future__ import annotations

import ast
from pathlib import Path

import grpc
import grpc.aio
import pytest
from services_kit import Api

from arbiter.server import Arbiter
from arbiter.store import Role, Store
from hearts.v1 import (
    arbiter_pb2,
    bots_pb2,
    matches_pb2,
    owners_pb2,
    play_pb2,
    play_pb2_grpc,
    ratings_pb2,
    tournaments_pb2,
)

ROOT = Path(__file__).parents[2]
CONTRACT = (arbiter_pb2, bots_pb2, matches_pb2, owners_pb2, ratings_pb2, tournaments_pb2)
UNARY = {
    method.name
    for file in CONTRACT
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if not method.server_streaming
}
UNLIMITED = [("grpc.max_send_message_length", -1)]


async def test_a_request_of_more_than_a_mebibyte_is_refused_and_the_rest_is_served(
    arbiter: Arbiter, store: Store
) -> None:
    token = await store.tokens.create(Role.ADMIN)
    async with grpc.aio.insecure_channel(arbiter.address, options=UNLIMITED) as channel:
        admin = Api(channel, token)
        for size, code in (
            ((1 << 20) + 100, grpc.StatusCode.RESOURCE_EXHAUSTED),
            (100 << 20, grpc.StatusCode.RESOURCE_EXHAUSTED),
        ):
            request = bots_pb2.ListBotsRequest(page_token="x" * size)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await admin(admin.bots.ListBots, request)
            assert refused.value.code() is code
        within = bots_pb2.ListBotsRequest(page_token="x" * ((1 << 20) - 100))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await admin(admin.bots.ListBots, within)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT, "it is read"
        await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())


async def test_a_frame_of_more_than_a_mebibyte_ends_its_own_stream(
    arbiter: Arbiter, store: Store
) -> None:
    async with grpc.aio.insecure_channel(arbiter.address, options=UNLIMITED) as channel:
        stub = play_pb2_grpc.PlayServiceStub(channel)
        calls = []
        for name in ("anna", "bert"):
            token = await store.tokens.create(Role.BOT, name)
            call = stub.Play(metadata=(("authorization", f"Bearer {token}"),))
            hello = play_pb2.Hello(protocol_min=1, protocol_max=1, bot=f"bots/{name}", max_tables=1)
            await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
            assert (await call.read()).frame.HasField("hello")
            calls.append(call)
        giant = play_pb2.BotFrame(hello=play_pb2.Hello(sdk_name="x" * (1 << 20)))
        await calls[0].write(play_pb2.PlayRequest(frame=giant))
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await calls[0].read()
        assert ended.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert set(arbiter.hub.online()) == {"bert"}
        arbiter.hub.sessions["bert"].close("still heard")
        assert (await calls[1].read()).frame.goodbye.reason == "still heard"


def loose(path: Path) -> list[str]:
    """Calls of unary methods in a file that name no deadline."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    made = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and _name(node.value) == "unary_unary"
    }
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and node.args  # a stream's call has no request
        and _name(node) in UNARY | made | {"method"}
        and "timeout" not in {keyword.arg for keyword in node.keywords}
    ]


def _name(call: ast.Call) -> str:
    function = call.func
    return getattr(function, "attr", "") or getattr(function, "id", "")


def test_gr08_no_unary_call_is_made_without_a_deadline() -> None:
    """There is no default deadline: a call without one may wait for ever."""
    files = [
        f for part in ("client_sdk", "workers", "arbiter") for f in ROOT.glob(f"{part}/**/*.py")
    ]
    assert len(files) > 100
    assert [call for path in files for call in loose(path)] == []


def test_gr08_the_search_finds_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "bad.py").write_text(
        "async def f(stub, channel):\n"
        "    await stub.ListBots(1, metadata=())\n"
        "    check = channel.unary_unary('/x')\n"
        "    await check(b'')\n"
        "    await stub.ListBots(1, timeout=3)\n"
    )
    assert loose(tmp_path / "bad.py") == ["bad.py:2", "bad.py:4"]
