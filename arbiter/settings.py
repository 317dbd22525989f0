"""Settings of the server side: arbiter, workers, store.

Each comes from the environment as ``HEARTS_<NAME>``; nothing is read from
files. Values with passwords or tokens are kept out of ``repr``.
"""

import os
import socket
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit, urlunsplit

from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def _default_arbiter_id() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


def _default_data_dir() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "hearts"


class Settings(BaseSettings):
    """What an operator may set. Unknown names are ignored, as the environment is shared."""

    model_config = SettingsConfigDict(
        env_prefix="HEARTS_", env_ignore_empty=True, populate_by_name=True, frozen=True
    )

    redis_url: Annotated[
        str,
        Field(
            repr=False,
            # REDIS_URL is what hosting platforms set.
            validation_alias=AliasChoices("HEARTS_REDIS_URL", "REDIS_URL"),
        ),
    ] = "redis://127.0.0.1:6379/0"
    """The store. Database 0 unless the URL names another."""

    broker_url: str = Field(
        repr=False, default_factory=lambda known: broker_beside(known["redis_url"])
    )
    """Celery's broker; by default database 1 of the store's server."""

    namespace: Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{0,64}$")] = "hearts:"
    """Prefix of every key, so that several platforms can share a server."""

    allow_insecure_redis: bool = False
    """Accept a server without a password or without an append-only file."""

    listen: str = "127.0.0.1:7700"
    """Where the arbiter serves gRPC."""

    data_dir: Path = Field(default_factory=_default_data_dir)
    """For what must survive a restart outside Redis."""

    blobs: str = ""
    """Where submitted files are kept: a folder, or a URL that fsspec knows ("s3://bucket/x");
    by default the folder ``blobs`` in ``data_dir``."""

    max_submission_mb: Annotated[int, Field(ge=1, le=4096)] = 64
    """Largest archive that may be submitted, in MiB."""

    quota_bots: Annotated[int, Field(ge=0)] = 20
    """Bots that one owner may have; 0: no limit."""

    quota_versions: Annotated[int, Field(ge=0)] = 50
    """Versions that one owner may submit within 24 hours; 0: no limit."""

    quota_mb: Annotated[int, Field(ge=0)] = 1024
    """MiB that one owner may submit within 24 hours; 0: no limit."""

    calls_per_second: Annotated[float, Field(ge=0)] = 20.0
    """Calls of one owner, spectator or bot to one arbiter, on average; five seconds' worth may come
    at once. 0: no limit. Admins and workers have none."""

    bench_after: Annotated[int, Field(ge=0)] = 5
    """Failed matches in a row after which a version of a bot is benched; 0: never."""

    arbiter_id: str = Field(default_factory=_default_arbiter_id, min_length=1)
    """Unique among the arbiters that run now."""

    lease_seconds: Annotated[float, Field(gt=0, le=3600)] = 30.0
    """How long a match may go without a heartbeat before another worker may play it."""

    batch_matches: Annotated[int, Field(ge=1, le=4096)] = 32
    """The usual number of matches in a batch: the first has a quarter of it, none more than
    four times as many."""

    allow_private_endpoints: bool = False
    """Dial bots in this machine's own networks too (events on a LAN)."""

    unsandboxed: bool = False
    """For workers: start submitted programs even where no sandbox works. For a private machine
    whose bots are all your own, and nothing else."""

    hosted_matches: Annotated[int, Field(ge=0, le=1024)] = 0
    """Matches with hosted bots that a worker process plays at once; 0: one for each core. All
    worker processes of a machine together should have no more than its cores."""

    hosted_bots: Annotated[int, Field(ge=1, le=1024)] = 16
    """Bots that a worker process hosts at once."""

    hosted_memory_mib: Annotated[int, Field(ge=16)] = 512
    """Memory of one hosted bot, all its processes and its /tmp together."""

    hosted_processes: Annotated[int, Field(ge=4, le=4096)] = 64
    """Processes and threads of one hosted bot."""

    hosted_disk_mib: Annotated[int, Field(ge=1)] = 64
    """What one hosted bot may write to its /tmp, which is empty at first and gone afterwards."""

    hosted_start_seconds: Annotated[float, Field(gt=0, le=600)] = 20.0
    """From the start of a hosted bot to its Hello."""

    hosted_build_seconds: Annotated[float, Field(gt=0, le=3600)] = 120.0
    """For the build command of a submitted bot."""

    hosted_first_uid: Annotated[int, Field(ge=1, le=2**31)] = 50_000
    """Where workers are root each hosted bot has a user id of its own, of the 1000 from here on.
    Nobody else on the machine should have one of them."""

    hosted_cgroup: str = ""
    """With version 2 of cgroups: a folder below /sys/fs/cgroup that the workers may write to."""

    tls_cert: Path | None = None
    """PEM file with the arbiter's certificate chain. With ``tls_key``: serve TLS only."""

    tls_key: Path | None = None
    """PEM file with the certificate's private key."""

    tls_client_ca: Path | None = None
    """PEM file with the authorities whose clients may connect: mutual TLS."""

    tls_ca: Path | None = None
    """For workers, and for endpoints of bots that the arbiter dials: PEM file with the authorities
    that are trusted; by default the system's."""

    tls_client_cert: Path | None = None
    """For workers, where the arbiter wants mutual TLS: PEM file with their certificate."""

    tls_client_key: Path | None = None
    """For workers: PEM file with its private key."""

    metrics_listen: str = ""
    """Where the arbiter serves its metrics for Prometheus over HTTP; empty: nowhere."""

    worker_token: Annotated[str, Field(repr=False)] = ""
    """Bearer token of role worker, with which workers call the arbiter."""

    @property
    def blobs_url(self) -> str:
        """``blobs``, or its default."""
        return self.blobs or str(self.data_dir / "blobs")

    @property
    def lease_ms(self) -> int:
        """``lease_seconds`` in milliseconds, the store's unit."""
        return round(self.lease_seconds * 1000)


def broker_beside(redis_url: str) -> str:
    """Database 1 of the same server (or, when the store has 1, database 0), as
    Celery writes it: a Unix socket names its database in ``virtual_host``."""
    parts = urlsplit(redis_url)
    if parts.scheme == "unix":
        return f"redis+socket://{parts.netloc}{parts.path}?virtual_host=1"
    database = "0" if parts.path.strip("/") == "1" else "1"
    return urlunsplit(parts._replace(path=f"/{database}"))
