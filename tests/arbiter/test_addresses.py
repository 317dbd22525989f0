"""SS05: which addresses an endpoint may have. No network: the resolver is made up."""

from __future__ import annotations

import asyncio

import pytest

from arbiter.connections import addresses
from arbiter.connections.addresses import BadEndpoint, Endpoint, check, where

INSIDE = [
    "127.0.0.1",
    "127.8.9.10",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",  # cloud metadata
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",  # cloud metadata
    "fec0::1",
    "100.100.100.200",  # shared addresses; cloud metadata
    "198.18.0.1",
    "192.0.2.1",
    "2001:db8::1",
    "240.0.0.1",
]
NEVER = [
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "239.255.255.250",
    "255.255.255.255",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "168.63.129.16",  # Azure's platform server
    "no address",
    "",
]


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "93.184.215.14"])
def test_public_addresses_may_be_dialled(address: str) -> None:
    assert check(address, False) == address


@pytest.mark.parametrize("address", [*INSIDE, *NEVER])
def test_no_address_of_our_own_networks(address: str) -> None:
    with pytest.raises(BadEndpoint):
        check(address, False)


@pytest.mark.parametrize("address", [a for a in INSIDE if not a.startswith("240")])
def test_the_operators_word_lets_in_the_lan(address: str) -> None:
    assert check(address, True) == address


@pytest.mark.parametrize("address", [a for a in NEVER if a != "255.255.255.255"])
def test_some_are_no_host_whatever_the_operator_says(address: str) -> None:
    with pytest.raises(BadEndpoint):
        check(address, True)


@pytest.mark.parametrize(
    ("text", "host", "port", "tls"),
    [
        ("bot.example:7800", "bot.example", 7800, False),
        ("8.8.8.8:1", "8.8.8.8", 1, False),
        ("[2606:4700::1]:65535", "2606:4700::1", 65535, False),
        ("https://bot.example", "bot.example", 443, True),
        ("https://bot.example:8443/", "bot.example", 8443, True),
        ("https://[2606:4700::1]", "2606:4700::1", 443, True),
    ],
)
def test_endpoints_are_read(text: str, host: str, port: int, tls: bool) -> None:
    assert Endpoint.parse(text) == Endpoint(text, host, port, tls)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bot.example",
        ":7800",
        "bot.example:0",
        "bot.example:65536",
        "bot.example:٣٣",
        "unix:/run/redis.sock",
        "unix:///run/redis.sock:1",
        "http://bot.example:1",
        "dns:///bot.example:1",
        "https://user@bot.example:1",
        "https://bot.example/path",
        "bot.example:1,evil.example:2",
        "a b:1",
        "2606:4700::1:80",
        "[fe80::1%eth0]:1",
        "bot.example\n:1",
    ],
)
def test_anything_else_is_no_endpoint(text: str) -> None:
    with pytest.raises(BadEndpoint):
        Endpoint.parse(text)


ENDPOINT = Endpoint.parse("bot.example:7800")


async def test_every_record_of_the_answer_counts() -> None:
    async def two(host: str, port: int) -> list[str]:
        return ["8.8.8.8", "10.0.0.1"]

    with pytest.raises(BadEndpoint, match=r"10\.0\.0\.1"):
        await where(ENDPOINT, False, two)
    assert await where(ENDPOINT, True, two) == ["8.8.8.8", "10.0.0.1"]


async def test_it_fails_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "RESOLVE_SECONDS", 0.05)

    async def nothing(host: str, port: int) -> list[str]:
        return []

    async def unknown(host: str, port: int) -> list[str]:
        raise OSError("unknown host")

    async def silence(host: str, port: int) -> list[str]:
        await asyncio.sleep(10)
        return ["8.8.8.8"]

    for resolver in (nothing, unknown, silence):
        with pytest.raises(BadEndpoint, match=r"bot\.example has no address"):
            await where(ENDPOINT, True, resolver)


@pytest.mark.parametrize("spelling", ["127.1", "2130706433", "0x7f.0.0.1", "localhost"])
async def test_another_spelling_of_loopback_is_loopback(spelling: str) -> None:
    with pytest.raises(BadEndpoint):
        await where(Endpoint.parse(f"{spelling}:1"), False)
