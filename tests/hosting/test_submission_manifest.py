"""UX01: what is wrong in a bot.toml is named with its key and line, and what would be right."""

from __future__ import annotations

import pytest

from arbiter.submissions.manifest import Manifest, ManifestError, parse

GOOD = 'name = "anna"\ncommand = "./anna --fast"\n'

WRONG = {
    "unknown key": (
        'name = "anna"\n\n# how to start\ncomand = "./anna"\n',
        "bot.toml, line 4: comand: unknown key",
        "Did you mean command?",
    ),
    "unknown key after a list of lines": (
        'command = [\n  "a",\n  "b",\n]\nnam = "anna"\n',
        "bot.toml, line 5: nam: unknown key",
        "Did you mean name?",
    ),
    "a table": (GOOD + "[limits]\nmemory = 1\n", "line 3: limits: unknown key", "allowed: name,"),
    "missing": ('command = "./a"\n', "bot.toml: name: this key is missing", "Add name"),
    "wrong type": (GOOD + 'tables = "4"\n', "line 3: tables: must be a whole number", ""),
    "no number": (GOOD + "tables = true\n", "line 3: tables: must be a whole number", ""),
    "range": (GOOD + "tables = 0\n", "line 3: tables: 0 is out of range", "1 to 256"),
    "name": ('name = "Anna!"\ncommand = "a"\n', "line 1: name: 'Anna!' is no name", "2 to 32"),
    "hostile name": ('name = "a\\u001b[31m"\ncommand = "a"\n', r"'a\x1b[31m' is no name", ""),
    "no command": ('name = "anna"\ncommand = ""\n', "line 2: command: is empty", "./bot"),
    "quote": ('name = "anna"\ncommand = "\'a"\n', "line 2: command: cannot be taken", ""),
    "mixed list": ('name = "anna"\ncommand = ["a", 1]\n', "line 2: command: must be a list", ""),
    "rules": (GOOD + 'rules = ["standrad"]\n', "line 3: rules: 'standrad' is no", "standard?"),
    "no TOML": ("name = \n", "bot.toml: is not valid TOML", "line 1"),
    "too long": ("#" * 20_000, "bot.toml: is longer than 16 KiB", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_named_with_its_line(name: str) -> None:
    text, told, also = WRONG[name]
    with pytest.raises(ManifestError) as caught:
        parse(text)
    assert told in str(caught.value)
    assert also in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_manifest_survives_the_store() -> None:
    text = GOOD + 'build = ["make", "all"]\nlanguage = "C"\nrules = ["standard"]\ntables = 4\n'
    manifest = parse(text)
    assert manifest == Manifest(
        "anna", ("./anna", "--fast"), ("make", "all"), "C", ("standard",), 4
    )
    assert Manifest.from_json(manifest.to_json()) == manifest
    assert manifest.plays("standard")
    assert not manifest.plays("omnibus")
    assert parse(GOOD).plays("omnibus")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ManifestError, match="not UTF-8"):
        parse(b"name = '\xff'")
    with pytest.raises(ValueError, match="no stored manifest"):
        Manifest.from_json("{}")
