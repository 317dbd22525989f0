"""A server of the public API that answers from scripts, for tests of the command line alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, status_pb2
from grpc_status import rpc_status

from hearts.v1 import (
    bots_pb2_grpc,
    errors_pb2,
    matches_pb2_grpc,
    owners_pb2_grpc,
    ratings_pb2_grpc,
    tournaments_pb2_grpc,
)

Answer = Callable[[Any], Any]


@dataclass
class Refusal(Exception):
    """What a handler raises to refuse a call as the real server does."""

    code: int
    message: str
    detail: errors_pb2.ErrorDetail = field(default_factory=errors_pb2.ErrorDetail)


@dataclass
class Fake:
    """Answers by method name; keeps what was asked and with which token."""

    address: str = ""
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, Any]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def on(self, method: str, answer: Any) -> None:
        """``answer``: the reply, a list of replies of a stream, or a function of the request."""
        self.answers[method] = answer if callable(answer) else lambda _: answer

    def handle(self, method: str, request: Any, context: grpc.ServicerContext) -> Any:
        metadata = dict(context.invocation_metadata())
        self.tokens.append(metadata.get("authorization", ""))
        self.asked.append((method, request))
        if method not in self.answers:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"the fake has no {method}")
        try:
            reply = self.answers[method](request)
            return iter(reply) if isinstance(reply, list) else reply
        except Refusal as refusal:
            packed = any_pb2.Any()
            packed.Pack(refusal.detail)
            status = status_pb2.Status(code=refusal.code, message=refusal.message, details=[packed])
            context.abort_with_status(rpc_status.to_status(status))


def refuse(code: str, message: str, **detail: Any) -> Answer:
    """An answer that is a refusal: refuse("NOT_FOUND", "no such bot", hint="...")."""

    def answer(_: Any) -> Any:
        raise Refusal(code_pb2.Code.Value(code), message, errors_pb2.ErrorDetail(**detail))

    return answer


def _servicer(base: type, fake: Fake) -> Any:
    def method(name: str) -> Callable[..., Any]:
        return lambda _, request, context: fake.handle(name, request, context)

    names = [name for name in vars(base) if not name.startswith("_")]
    return type(f"Fake{base.__name__}", (base,), {name: method(name) for name in names})()


@contextmanager
def serving() -> Iterator[Fake]:
    """A fake on a free port."""
    fake = Fake()
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    for module, noun in (
        (bots_pb2_grpc, "Bots"),
        (matches_pb2_grpc, "Matches"),
        (owners_pb2_grpc, "Owners"),
        (ratings_pb2_grpc, "Ratings"),
        (tournaments_pb2_grpc, "Tournaments"),
    ):
        servicer = _servicer(getattr(module, f"{noun}ServiceServicer"), fake)
        getattr(module, f"add_{noun}ServiceServicer_to_server")(servicer, server)
    fake.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield fake
    finally:
        server.stop(0).wait()
