"""Versions of bots, owners and tokens, for people."""

from __future__ import annotations

from collections.abc import Sequence

from client_sdk.cli.show import console, enum_word, facts, legend, table, when
from client_sdk.cli.text import bare, safe
from hearts.v1 import bots_pb2, owners_pb2


def state(version: bots_pb2.Version) -> str:
    """In a word: "rejected"."""
    return enum_word(bots_pb2.VersionState, version.state)


def size(count: int) -> str:
    """1536 → "1.5 KiB"."""
    amount = float(count)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"


def versions(items: Sequence[bots_pb2.Version]) -> None:
    """A table of versions."""
    rows = [
        (
            bare(v.name),
            state(v),
            enum_word(bots_pb2.VersionKind, v.kind),
            when(v.create_time),
            size(v.size) if v.size else "–",
            str(v.failures) if v.failures else "–",
            v.reason,
        )
        for v in items
    ]
    out = console()
    headings = ("version", "state", "kind", "submitted", "size", "failed in a row", "why")
    out.print(table(headings, rows, right="size|failed in a row"))
    out.print(legend("replaced, retired, benched: `hearts bots activate` brings one back"))


def version(item: bots_pb2.Version) -> None:
    """All that is known of one version."""
    rows = [
        ("version", bare(item.name)),
        ("owner", bare(item.owner) or "the platform"),
        ("kind", enum_word(bots_pb2.VersionKind, item.kind)),
        ("state", f"{state(item)} since {when(item.state_time)}"),
        ("why", item.reason or "–"),
        ("submitted", when(item.create_time)),
        ("failed in a row", str(item.failures)),
    ]
    if item.sha256:
        rows += [
            ("file", f"{size(item.size)}, sha256 {item.sha256}"),
            ("language", item.language or "–"),
            ("rules", ", ".join(item.rules)),
            ("tables", str(item.max_tables)),
        ]
    private = (("command", " ".join(item.command)), ("build", " ".join(item.build)))
    rows += [pair for pair in (*private, ("endpoint", item.endpoint)) if pair[1]]
    console().print(facts(rows))


def bot(item: bots_pb2.Bot, items: Sequence[bots_pb2.Version]) -> None:
    """One bot and its versions."""
    rows = [
        ("bot", bare(item.name)),
        ("owner", bare(item.owner) or "the platform"),
        ("plays as", bare(item.active_version) or ("nobody" if items else bare(item.name))),
        ("online", "yes" if item.online else "no"),
        ("sdk", item.sdk or "–"),
        ("registered", when(item.create_time)),
        ("description", item.description or "–"),
    ]
    if item.endpoint:
        rows.append(("endpoint", item.endpoint))
    console().print(facts(rows))
    if items:
        console().print()
        versions(items)


def logs(reply: bots_pb2.GetVersionLogResponse) -> None:
    """What a version wrote, the oldest first, so that the newest stands at the prompt."""
    out = console()
    for entry in reversed(reply.logs):
        out.print(f"── {safe(bare(entry.match))} ──", style="bold")
        # Line by line: only what is between them may not steer the terminal.
        for line in entry.text.splitlines():
            out.print(safe(line), soft_wrap=True)
    if not reply.logs:
        out.print(legend(f"{safe(bare(reply.version.name))} has written nothing yet"))


def owners(items: Sequence[owners_pb2.Owner]) -> None:
    """A table of owners."""

    def of(used: str, limit: int, shown: str) -> str:
        return f"{used} of {shown}" if limit else used

    rows = [
        (
            bare(o.name),
            of(str(o.bots), o.quota.max_bots, str(o.quota.max_bots)),
            of(str(o.quota.used_versions), o.quota.max_versions, str(o.quota.max_versions)),
            of(size(o.quota.used_bytes), o.quota.max_bytes, size(o.quota.max_bytes)),
            when(o.create_time),
            o.label,
        )
        for o in items
    ]
    out = console()
    out.print(table(("owner", "bots", "versions", "uploaded", "registered", "label"), rows))
    out.print(legend("versions, uploaded: within the last 24 hours"))


def tokens(items: Sequence[owners_pb2.Token]) -> None:
    """A table of tokens."""
    rows = [
        (
            t.prefix + "…" if t.prefix else "–",
            enum_word(owners_pb2.Role, t.role),
            bare(t.owner) or "–",
            when(t.create_time),
            t.label,
        )
        for t in items
    ]
    out = console()
    out.print(table(("begins with", "role", "owner", "created", "label"), rows))
    out.print(legend("the token itself was shown when it was made, and is stored nowhere"))
