"""Every Redis key of the store, for Python and for Lua, from one table.

Layout (all under the namespace):

    token:HASH          hash    role, subject            HASH = SHA-256 of the token
    tokens:ROLE:SUBJECT set     hashes of its tokens
    prefix:PREFIX       string  hash of the token that begins like this
    bot:NAME            hash    house, description, request, create_ms, sdk, owner, active, versions
    bots                zset    names, in order of name
    skeleton:SKELETON   string  name of the bot that looks like this
    owner:NAME          hash    label, create_ms
    owners              zset    names, in order of name
    owned:OWNER         set     names of the owner's bots
    submitted:OWNER     zset    "VERSION SIZE" of the last day; score: when (ms)
    version:NAME        hash    bot, number, kind, state, sha256, ...   NAME = BOT@NUMBER
    versions:BOT        zset    names of the bot's versions; score: number
    qualifying          zset    versions to be qualified; score: not before (ms)
    vlogs:VERSION       zset    matches with a log, oldest first; score: sequence
    vlog:VERSION        hash    match -> log
    online:NAME         string  id of the arbiter it is connected to; expires
    tournament:ID       hash    spec, secret, rated, state, reason, times, deals_done, stale
    tournaments         zset    ids by sequence of creation
    running             zset    ids of running tournaments, by when last served
    request:ID          string  id of the tournament made by this request
    plans:T             hash    match id -> plan, as text
    matches:T           zset    ids of all planned matches, in canonical order
    ready:T             zset    ids that may be claimed; score: not before (ms)
    playing:T           zset    ids under a lease
    done:T              zset    ids with a result
    failed:T            zset    ids given up
    results:T           hash    match id -> result
    waves:T             hash    complete wave -> digest of its plan
    notes:T             hash    complete wave -> what it says about itself
    entries:T           hash    bot -> when it entered and withdrew
    due                 zset    ids of tournaments that wait for a time; score: due (ms)
    writing:T           hash    wave being written -> digest of its plan
    staged:T:WAVE       zset    ids written so far of an incomplete wave
    match:ID            hash    t (tournament), state, lease, attempts, ...
    record:ID           string  the record of a finished match
    late:T              hash    time-outs and decisions of the last wave by worker and arbiter
    held:T              hash    match whose result is held -> why
    original:ID         hash    the result that was held, and its record
    corrections:T       list    what was done to results, by whom, why
    leases              zset    ids under a lease; score: end of the lease (ms)
    arbiter:ID          string  announcement; expires
    arbiters            set     ids of arbiters that announced themselves
    pools               set     rating pools with results
    log:POOL            list    "T ID WORKER ARBITER" of each rated match, in order of commit;
                                see holds.py for corrections
    fit:POOL            hash    the last fit and how much of the log it covers
    counter:NAME        string  numbers that only grow
    told:T:WHAT         string  somebody has looked or alerted lately; expires
    store               hash    version of the layout, id of the store

Only ``online``, ``arbiter``, ``told`` and the tokens of hosted processes expire: results and
records stay (RC09). A zset whose scores are equal is kept in byte order, and match
ids are made so that byte order is canonical order.
"""

import re
from dataclasses import dataclass

_PATTERNS = {
    "token": "token:{}",
    "tokens": "tokens:{}:{}",
    "prefix": "prefix:{}",
    "bot": "bot:{}",
    "bots": "bots",
    "skeleton": "skeleton:{}",
    "owner": "owner:{}",
    "owners": "owners",
    "owned": "owned:{}",
    "submitted": "submitted:{}",
    "version": "version:{}",
    "versions": "versions:{}",
    "qualifying": "qualifying",
    "vlogs": "vlogs:{}",
    "vlog": "vlog:{}",
    "online": "online:{}",
    "tournament": "tournament:{}",
    "tournaments": "tournaments",
    "running": "running",
    "request": "request:{}",
    "plans": "plans:{}",
    "matches": "matches:{}",
    "ready": "ready:{}",
    "playing": "playing:{}",
    "done": "done:{}",
    "failed": "failed:{}",
    "results": "results:{}",
    "waves": "waves:{}",
    "notes": "notes:{}",
    "entries": "entries:{}",
    "due": "due",
    "writing": "writing:{}",
    "staged": "staged:{}:{}",
    "match": "match:{}",
    "record": "record:{}",
    "late": "late:{}",
    "held": "held:{}",
    "original": "original:{}",
    "corrections": "corrections:{}",
    "leases": "leases",
    "arbiter": "arbiter:{}",
    "arbiters": "arbiters",
    "pools": "pools",
    "log": "log:{}",
    "fit": "fit:{}",
    "counter": "counter:{}",
    "store": "store",
    "told": "told:{}:{}",
}

NOUNS = tuple(_PATTERNS)

_NAMESPACE = re.compile(r"[A-Za-z0-9._:-]{0,64}")


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one namespace: ``keys("match", id)``."""

    namespace: str = "hearts:"

    def __post_init__(self) -> None:
        if not _NAMESPACE.fullmatch(self.namespace):
            raise ValueError(
                f"namespace {self.namespace!r}: at most 64 letters, digits and any of . _ : - "
            )

    def __call__(self, noun: str, *parts: str) -> str:
        """One key. Raises KeyError for an unknown noun, IndexError for a missing part."""
        return self.namespace + _PATTERNS[noun].format(*parts)

    def lua(self) -> str:
        """Lua functions ``key.match(id)`` and so on that make the same keys."""
        lines = ["local key = {}"]
        for noun, pattern in _PATTERNS.items():
            pieces = pattern.split("{}")
            names = ["a", "b"][: len(pieces) - 1]
            body = f"'{self.namespace}{pieces[0]}'"
            for name, piece in zip(names, pieces[1:], strict=True):
                body += f" .. {name}" + (f" .. '{piece}'" if piece else "")
            lines.append(f"key.{noun} = function({', '.join(names)}) return {body} end")
        return "\n".join(lines) + "\n"
