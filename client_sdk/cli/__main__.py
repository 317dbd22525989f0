"""``python -m client_sdk.cli`` is `hearts`."""

from client_sdk.cli import main

main()
