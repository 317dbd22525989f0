"""Where a command finds its server and its token: option, environment, configuration file."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client_sdk.channel import tls_target
from client_sdk.cli import tomlfile
from client_sdk.cli.errors import CliError

DEFAULT_SERVER = "127.0.0.1:7700"
DEFAULT_TIMEOUT_S = 10.0
# Key of the file → type of its value.
KEYS: dict[str, type] = {
    "server": str,
    "token": str,
    "token_file": str,
    "ca_file": str,
    "timeout": float,
}


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line said; None where it said nothing."""

    server: str | None = None
    token: str | None = None
    token_file: Path | None = None
    timeout_s: float | None = None
    ca_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """Where to call, as whom, and how long to wait (seconds) for an answer. `ca_file`: whom TLS
    trusts, if not what environment and system say."""

    server: str
    token: str
    timeout_s: float
    ca_file: Path | None = None


def config_path() -> Path:
    """~/.config/hearts/config.toml, or under XDG_CONFIG_HOME."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "hearts" / "config.toml"


def resolve(options: Options) -> Connection:
    """Puts together option, environment and file, in this order of precedence.

    Raises:
        CliError: the file has an unknown key or a wrong value, the address is none, or the token
            file cannot be read.
    """
    saved = read_config(config_path())
    server = options.server or os.environ.get("HEARTS_SERVER") or saved.get("server")
    timeout = options.timeout_s or saved.get("timeout") or DEFAULT_TIMEOUT_S
    return Connection(
        server=check_address(server or DEFAULT_SERVER),
        token=_token(options, saved),
        timeout_s=float(timeout),
        ca_file=_ca_file(options, saved),
    )


def _ca_file(options: Options, saved: dict[str, Any]) -> Path | None:
    if options.ca_file or os.environ.get("HEARTS_CA_FILE"):
        return options.ca_file
    return Path(saved["ca_file"]).expanduser() if "ca_file" in saved else None


def _token(options: Options, saved: dict[str, Any]) -> str:
    if options.token_file:
        return read_token(options.token_file)
    if options.token:
        return options.token
    if token := os.environ.get("HEARTS_TOKEN"):
        return token
    if path := os.environ.get("HEARTS_TOKEN_FILE"):
        return read_token(Path(path))
    if "token_file" in saved:
        return read_token(Path(saved["token_file"]).expanduser())
    return str(saved.get("token", ""))


def read_config(path: Path) -> dict[str, Any]:
    """The keys of the file; none when there is no file.

    Raises:
        CliError: an unknown key, a wrong type, or a token that others on the machine can read.
    """
    if not path.exists():
        return {}
    file = tomlfile.read(path)
    tomlfile.check_keys(file, (), file.data, list(KEYS))
    for key, value in file.data.items():
        wanted = (int, float) if KEYS[key] is float else (KEYS[key],)
        if type(value) not in wanted:
            kind = "a number of seconds" if KEYS[key] is float else "text"
            raise file.error((key,), f"must be {kind}, not {value!r}")
    if file.data.get("timeout", 1) <= 0:
        raise file.error(("timeout",), "must be more than 0 seconds")
    if "token" in file.data and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        raise CliError(f"{path} holds a token and others can read it", then=f"chmod 600 {path}")
    return dict(file.data)


def read_token(path: Path) -> str:
    """The token in a file of one line. Raises CliError when there is none."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise CliError(f"cannot read the token file {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CliError(f"the token file {path} is not text") from None
    if not token or len(token.split()) != 1:
        raise CliError(f"the token file {path} does not hold one token on one line")
    return token


def check_address(address: str) -> str:
    """HOST:PORT, [IPV6]:PORT, unix:PATH or https://HOST[:PORT]; raises CliError for anything
    else."""
    if address.startswith("unix:"):
        return address
    tls = address.startswith("https://")
    host, _, port = (tls_target(address) if tls else address).rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 1 <= int(port) <= 65535:
        raise CliError(
            f"{address!r} is no server address",
            allowed=["HOST:PORT", "[IPV6]:PORT", "unix:PATH", "https://HOST[:PORT]"],
            then=f"for example --server {DEFAULT_SERVER}",
        )
    return address
