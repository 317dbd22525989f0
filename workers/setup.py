"""`python -m workers.setup`: the tokens of a platform in parts, made once, kept as files.

HEARTS_DATA_DIR gets admin.token and worker.token (mode 0600). A repeat changes nothing as long as
the store knows them.
"""

from __future__ import annotations

import asyncio
import sys

from arbiter.settings import Settings
from arbiter.store import Role, Store, StoreError
from workers.cli.folder import DataFolder


async def setup(settings: Settings) -> list[Role]:
    """Make what is missing; returns the roles of new tokens. Raises StoreError."""
    store = await Store.open(settings.redis_url, settings.namespace)
    made = []
    try:
        await store.check_server(settings.allow_insecure_redis)
        with DataFolder(settings.data_dir) as folder:
            for role in (Role.ADMIN, Role.WORKER):
                token = folder.read_token(role)
                if not (token and await store.tokens.lookup(token)):
                    folder.keep_token(role, await store.tokens.create(role))
                    made.append(role)
    finally:
        await store.close()
    return made


def main() -> int:
    """Returns the exit code: 4 when the store cannot be used."""
    settings = Settings()
    try:
        made = asyncio.run(setup(settings))
    except StoreError as error:
        print(f"the store cannot be used: {error}", file=sys.stderr)
        return 4
    for role in made:
        print(f"made {settings.data_dir}/{role}.token")
    return 0


if __name__ == "__main__":
    sys.exit(main())
