"""`hearts owners`: who submits bots, and the tokens of people and workers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from client_sdk.cli import files, show, show_versions
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.text import bare, safe
from hearts.v1 import owners_pb2

app = typer.Typer(no_args_is_help=True, help="Owners of bots, and tokens.")

Save = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write the token to this new file (mode 0600), not to the screen."
    ),
]


class Role(StrEnum):
    """Roles a token can be made for."""

    OWNER = "owner"
    SPECTATOR = "spectator"
    WORKER = "worker"
    ADMIN = "admin"


_ROLES = {
    Role.OWNER: owners_pb2.ROLE_OWNER,
    Role.SPECTATOR: owners_pb2.ROLE_SPECTATOR,
    Role.WORKER: owners_pb2.ROLE_WORKER,
    Role.ADMIN: owners_pb2.ROLE_ADMIN,
}


@app.command(
    epilog="Example: hearts owners create kim --token-file data/admin.token --save kim.token"
)
@connected
async def create(
    client: Client,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="2 to 32 of a-z, 0-9 and -, starting with a letter."),
    ],
    label: Annotated[str, typer.Option(help="One line about the owner.")] = "",
    save: Save = None,
    json: Json = False,
) -> None:
    """Register an owner and get the token to submit bots with. Needs an admin's token.

    The token is shown once: the server keeps only its hash.
    """
    if save:
        files.check_new(save)
    reply = await client.create_owner(name, label)
    if save:
        files.write_secret(save, reply.token)
    if json:
        show.print_json(show.to_dict(reply.owner) | ({} if save else {"token": reply.token}))
    else:
        _print(f"registered {bare(reply.owner.name)}", reply.token, save)


@app.command("list", epilog="Example: hearts owners list --json")
@connected
async def list_(client: Client, json: Json = False) -> None:
    """List the owners in order of name. Needs an admin's token."""
    items = await client.list_owners()
    if json:
        show.as_json(items, "owners")
    else:
        show_versions.owners(items)


@app.command("show", epilog="Example: hearts owners show")
@connected
async def show_(
    client: Client,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An owner; you yourself when left out.")
    ] = "",
    json: Json = False,
) -> None:
    """Show one owner, and what it has used of its quota."""
    item = await client.get_owner(name)
    if json:
        show.as_json(item)
    else:
        show_versions.owners([item])


@app.command(epilog="Example: hearts owners whoami")
@connected
async def whoami(client: Client, json: Json = False) -> None:
    """Say who you are to the server."""
    reply = await client.get_caller()
    if json:
        show.as_json(reply)
        return
    role = show.enum_word(owners_pb2.Role, reply.role)
    show.console().print(safe(f"{role} {bare(reply.owner)}".strip()))


@app.command(epilog="Example: hearts owners tokens")
@connected
async def tokens(
    client: Client,
    owner: Annotated[str, typer.Argument(metavar="NAME", help="Only this owner's.")] = "",
    json: Json = False,
) -> None:
    """List tokens by how they begin: an owner its own, an admin all."""
    items = await client.list_tokens(owner)
    if json:
        show.as_json(items, "tokens")
    else:
        show_versions.tokens(items)


@app.command("add-token", epilog="Example: hearts owners add-token --label laptop --save new.token")
@connected
async def add_token(
    client: Client,
    owner: Annotated[
        str, typer.Argument(metavar="NAME", help="Whose; your own when left out.")
    ] = "",
    role: Annotated[Role, typer.Option(help="What its holder may do.")] = Role.OWNER,
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    save: Save = None,
    json: Json = False,
) -> None:
    """Make another token: an owner one of its own, an admin one of any role."""
    if save:
        files.check_new(save)
    reply = await client.create_token(_ROLES[role], owner, label)
    if save:
        files.write_secret(save, reply.secret)
    if json:
        show.print_json(show.to_dict(reply.token) | ({} if save else {"secret": reply.secret}))
    else:
        _print(f"made {reply.token.prefix}…", reply.secret, save)


@app.command(epilog="Example: hearts owners revoke hrt_Ab3dEf6h")
@connected
async def revoke(
    client: Client,
    prefix: Annotated[
        str, typer.Argument(metavar="PREFIX", help="How the token begins: hrt_ and 8 characters.")
    ],
    json: Json = False,
) -> None:
    """Make a token useless, at once."""
    token = await client.revoke_token(prefix)
    if json:
        show.as_json(token)
    else:
        show.console().print(safe(f"revoked {token.prefix}… {token.label}".strip()))


def _print(words: str, token: str, save: Path | None) -> None:
    out = show.console()
    out.print(safe(words))
    if save:
        out.print(safe(f"the token is in {save}"))
    else:
        out.print(f"the token, shown this once: {token}", soft_wrap=True)
