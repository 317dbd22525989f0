"""Counts and times of calls, for Prometheus. Off unless a setting says where to serve them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

import grpc
import grpc.aio
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from arbiter.services.auth import OPEN, ROLES

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Meter(grpc.aio.ServerInterceptor):
    """Stands before all others: what they refuse is counted too.

    `bots` and `tables` are asked when somebody reads. A stream counts when it ends; how long
    streams last says nothing, so only calls with one answer are timed.
    """

    def __init__(self, bots: Callable[[], int], tables: Callable[[], int]) -> None:
        self._registry = registry = CollectorRegistry()
        self._calls = Counter(
            "hearts_calls", "Calls that ended", ["method", "code"], registry=registry
        )
        self._running = Gauge(
            "hearts_calls_running", "Calls being served", ["method"], registry=registry
        )
        self._seconds = Histogram(
            "hearts_call_seconds",
            "How long calls with one answer took",
            ["method"],
            buckets=SECONDS,
            registry=registry,
        )
        Gauge("hearts_bots", "Bots connected", registry=registry).set_function(bots)
        Gauge("hearts_tables", "Matches in this arbiter's hands", registry=registry).set_function(
            tables
        )
        self._close: Callable[[], None] = lambda: None
        self.address = ""

    def serve(self, listen: str) -> None:
        """Serve on "host:port" in a thread of its own. Raises OSError and ValueError."""
        host, _, port = listen.rpartition(":")
        server, thread = start_http_server(
            int(port), addr=host.strip("[]"), registry=self._registry
        )
        self.address = f"{host}:{server.server_port}"

        def close() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        self._close = close

    def close(self) -> None:
        """End the serving."""
        self._close()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        method: str = handler_call_details.method
        if handler is None:
            return None
        # Made-up names must not become a series each.
        known = method in ROLES or method.startswith(OPEN)
        return self._measured(handler, method.lstrip("/") if known else "unknown")

    def _measured(self, handler: Any, method: str) -> Any:
        behaviour = (
            handler.unary_unary
            or handler.unary_stream
            or handler.stream_unary
            or handler.stream_stream
        )
        timed = handler.unary_unary is not None

        async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
            began = perf_counter()
            code = "CANCELLED"
            with self._running.labels(method).track_inprogress():
                try:
                    result = await behaviour(request, context)
                    code = _name(context.code())
                    return result
                except Exception:
                    code = _name(context.code() or grpc.StatusCode.UNKNOWN)
                    raise
                finally:
                    self._calls.labels(method, code).inc()
                    if timed:
                        self._seconds.labels(method).observe(perf_counter() - began)

        made = {
            (False, False): grpc.unary_unary_rpc_method_handler,
            (False, True): grpc.unary_stream_rpc_method_handler,
            (True, False): grpc.stream_unary_rpc_method_handler,
            (True, True): grpc.stream_stream_rpc_method_handler,
        }[handler.request_streaming, handler.response_streaming]
        return made(
            call,
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )


def _name(code: Any) -> str:
    """The name of a status, which a context has as a code or as its number; none is OK."""
    if isinstance(code, grpc.StatusCode):
        return code.name
    names = {status.value[0]: status.name for status in grpc.StatusCode}
    return names.get(code or 0, str(code))
