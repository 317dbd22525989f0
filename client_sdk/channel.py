"""How to reach a server: address, channel options, token."""

from __future__ import annotations

import os
from pathlib import Path

import grpc
import grpc.aio

from client_sdk.errors import ConfigError

DEFAULT_SERVER = "127.0.0.1:7700"
UNARY_DEADLINE_S = 10.0
"""Deadline of every unary call of a client that has no better one of its own."""

OPTIONS: tuple[tuple[str, int], ...] = (
    # Half-open links (a router that forgot us, a pulled cable) are noticed in 40 s.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # Frames are split at 64 KiB; nothing on this stream is near 1 MiB.
    ("grpc.max_receive_message_length", 1 << 20),
    ("grpc.max_send_message_length", 1 << 20),
    # Each try is a fresh connection of its own: the SDK decides when, not gRPC's own
    # backoff, which may be minutes away after an outage.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 1_000),
    ("grpc.enable_retries", 0),
)


def server_address(server: str | None = None) -> str:
    """The address to use: the argument, else HEARTS_SERVER, else the local default."""
    return server or os.environ.get("HEARTS_SERVER") or DEFAULT_SERVER


def read_token(token: str | None = None, file: str | None = None) -> str:
    """The token: `token`, else from `file`, else HEARTS_TOKEN, else from HEARTS_TOKEN_FILE.

    There is no command-line form: every user of the machine can read those.

    Raises ConfigError when there is none, or one with characters no token has.
    """
    path = file
    if not token and not path:
        token = os.environ.get("HEARTS_TOKEN")
        path = os.environ.get("HEARTS_TOKEN_FILE")
    if not token and path:
        try:
            token = Path(path).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"cannot read the token file: {error}") from error
    token = (token or "").strip()
    if not token:
        raise ConfigError(
            "no token: set HEARTS_TOKEN, or HEARTS_TOKEN_FILE to a file that holds it "
            "(the server prints it once, when the bot is registered)"
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError("the token holds characters that no token has")
    return token


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Call metadata that carries the token."""
    return (("authorization", f"Bearer {token}"),)


def credentials(ca_file: str | Path | None = None) -> grpc.ChannelCredentials:
    """What TLS trusts and shows, from PEM files.

    Trusted are the authorities in `ca_file`, else HEARTS_CA_FILE, else the system's. Where the
    server wants to know its clients by certificate (mutual TLS), HEARTS_CLIENT_CERT and
    HEARTS_CLIENT_KEY name ours. Raises ConfigError for a file that cannot be read.
    """
    ca = ca_file or os.environ.get("HEARTS_CA_FILE")
    cert = os.environ.get("HEARTS_CLIENT_CERT")
    key = os.environ.get("HEARTS_CLIENT_KEY")
    if bool(cert) != bool(key):
        raise ConfigError("HEARTS_CLIENT_CERT and HEARTS_CLIENT_KEY go together")
    try:
        parts = [Path(path).read_bytes() if path else None for path in (ca, key, cert)]
    except OSError as error:
        raise ConfigError(f"cannot read {error.filename}: {error.strerror}") from None
    return grpc.ssl_channel_credentials(*parts)


def open_channel(server: str) -> grpc.aio.Channel:
    """A channel to "HOST:PORT" or "unix:PATH" (plain), or "https://HOST[:PORT]" (TLS, with
    `credentials`). Nothing is sent before the first call. Raises ConfigError."""
    if server.startswith("https://"):
        return grpc.aio.secure_channel(tls_target(server), credentials(), options=OPTIONS)
    return grpc.aio.insecure_channel(server.removeprefix("http://"), options=OPTIONS)


def tls_target(server: str) -> str:
    """The host and port of "https://HOST[:PORT]"; the port is 443 unless it is named."""
    host = server.removeprefix("https://").rstrip("/")
    return host if ":" in host.rpartition("]")[2] else host + ":443"
