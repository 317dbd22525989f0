"""Where an endpoint may be: what a bot's author writes must not lead us into our own network."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""All addresses of a host, as text. Raises OSError when there are none."""

RESOLVE_SECONDS = 3.0
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", re.IGNORECASE)

# Not private by their number, and still somebody's inside: Azure's platform server.
_ALSO_REFUSED = frozenset({ipaddress.ip_address("168.63.129.16")})
# Addresses that hold another one, which may be anything: NAT64, 6to4, Teredo.
_EMBEDDING = tuple(
    ipaddress.IPv6Network(net)
    for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
)


class BadEndpoint(Exception):
    """This endpoint is not to be called; the message says why."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a bot serves. `text` is as it was registered."""

    text: str
    host: str
    port: int
    tls: bool

    @classmethod
    def parse(cls, text: str) -> Endpoint:
        """Read "HOST:PORT", "[IPV6]:PORT" or "https://HOST[:PORT]". Raises BadEndpoint."""
        tls = text.startswith("https://")
        rest = text.removeprefix("https://").removesuffix("/") if tls else text
        if tls and ":" not in rest.rpartition("]")[2]:
            rest += ":443"
        host, _, port = rest.rpartition(":")
        bracketed = host.startswith("[") and host.endswith("]")
        number = int(port) if port.isascii() and port.isdigit() and len(port) <= 5 else 0
        name = host[1:-1] if bracketed else host
        good = is_literal(name) and "%" not in name if bracketed else _HOST.fullmatch(name)
        if not 1 <= number <= 65535 or not good:
            raise BadEndpoint("an endpoint is HOST:PORT, [IPV6]:PORT or https://HOST[:PORT]")
        return cls(text, name, number, tls)


def check(address: str, allow_private: bool) -> str:
    """The address in its one canonical form, if we may dial it. Raises BadEndpoint.

    `allow_private`: this machine and its networks are fine too.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        raise BadEndpoint(f"{address!r} is no IP address") from None
    if ip.is_multicast or ip.is_unspecified or ip in _ALSO_REFUSED:
        raise BadEndpoint(f"{ip} is not an address of one host on the internet")
    if isinstance(ip, ipaddress.IPv6Address) and (
        ip.ipv4_mapped is not None or any(ip in net for net in _EMBEDDING)
    ):
        raise BadEndpoint(f"{ip} holds another address")
    site_local = isinstance(ip, ipaddress.IPv6Address) and ip.is_site_local
    inside = not ip.is_global or ip.is_private or ip.is_loopback or ip.is_link_local
    if (inside or ip.is_reserved or site_local) and not allow_private:
        raise BadEndpoint(f"{ip} is not a public address")
    return str(ip)


def is_literal(host: str) -> bool:
    """Whether the host is an address, not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


async def where(
    endpoint: Endpoint, allow_private: bool, resolve: Resolver | None = None
) -> list[str]:
    """The addresses to dial, all of them checked, now: the answer may be another next time.

    One bad address in the answer spoils all. Raises BadEndpoint, also when there is no answer.
    """
    try:
        async with asyncio.timeout(RESOLVE_SECONDS):
            found = await (resolve or system_resolver)(endpoint.host, endpoint.port)
    except (OSError, UnicodeError, TimeoutError) as trouble:
        raise BadEndpoint(f"{endpoint.host} has no address: {trouble or 'no answer'}") from None
    if not found:
        raise BadEndpoint(f"{endpoint.host} has no address")
    return list(dict.fromkeys(check(address, allow_private) for address in found))


async def system_resolver(host: str, port: int) -> list[str]:
    """What this machine's own resolver says."""
    loop = asyncio.get_running_loop()
    return [
        str(found[4][0]) for found in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ]
