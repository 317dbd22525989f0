"""Endpoints as people give them."""

from __future__ import annotations

from arbiter.connections import addresses
from arbiter.services.refusals import bad_value


def endpoint(field: str, text: str, allow_private: bool) -> str:
    """An endpoint that can be one, or "". What its name stands for is looked at when it is dialled;
    an address that will never be dialled is refused now, while somebody is there to read why."""
    if not text:
        return ""
    try:
        host = addresses.Endpoint.parse(text).host
        if addresses.is_literal(host):
            addresses.check(host, allow_private)
    except addresses.BadEndpoint as bad:
        raise bad_value(field, text, str(bad), ["HOST:PORT", "https://HOST"]) from None
    return text
