"""docs/add-a-variant.md: its changes, made to a copy of the package, make the variant playable."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "add-a-variant.md").read_text(encoding="utf-8")
CHANGES = re.findall(r"```diff (\S+)\n(.*?)```", TEXT, re.DOTALL)

PLAY = """
from hearts.deal import Deal
from hearts.cards import cards
from hearts.describe import describe
from hearts.plan import plan_for
from hearts.rules import RuleSet
from hearts.wire import rules_from_wire, rules_to_wire

rules = RuleSet.from_options(
    {"players": 3, "break_on": "queen", "first_trick_penalty": "free", "pass_cycle": [0]}
)
hands = [sorted(cards(h)) for h in (HEART, QUEEN, OTHER)]
deal = Deal(plan_for(rules), number=0, dealer=0, pass_offset=0, deck=(hands, []), totals=[0] * 3)
assert deal.turn == 2, deal.turn
broken = []
for card in cards("2C 2H QS"):
    deal.play(deal.turn, card)
    broken.append(deal.hearts_broken)
print(broken, rules_from_wire(rules_to_wire(rules)) == rules)
print(describe(rules))
"""


def spell(suits: str, ranks: str = "23456789TJQKA") -> list[str]:
    return [rank + suit for suit in suits for rank in ranks]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package with the changes of the page, and its wire types made anew."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "hearts", tmp_path / "hearts", ignore=ignore)
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    for name, change in CHANGES:
        lines = change.splitlines()
        before = "\n".join(line[1:] for line in lines if line[0] != "+")
        after = "\n".join(line[1:] for line in lines if line[0] != "-")
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{name} no longer has these lines once:\n{before}"
        (tmp_path / name).write_text(text.replace(before, after), encoding="utf-8")
    protos = [str(path) for path in (tmp_path / "proto" / "hearts" / "v1").glob("*.proto")]
    made = [sys.executable, "-m", "grpc_tools.protoc", f"-I{tmp_path / 'proto'}"]
    subprocess.run([*made, f"--python_out={tmp_path}", *protos], check=True, timeout=60)
    return tmp_path


def test_the_changes_of_the_page_make_the_variant(copy: Path) -> None:
    rest = [c for c in spell("DS") + spell("C") + spell("H") if c not in ("2D", "2C", "2H", "QS")]
    heart = ["2H", *[c for c in rest if c[1] == "H"], *[c for c in rest if c[1] == "D"][:4]]
    queen = ["QS", *[c for c in rest if c[1] == "S"], *[c for c in rest if c[1] == "D"][4:8]]
    other = ["2C", *[c for c in rest if c[1] == "C"], *[c for c in rest if c[1] == "D"][8:]]
    script = PLAY
    for name, hand in (("HEART", heart), ("QUEEN", queen), ("OTHER", other)):
        script = script.replace(name, repr(" ".join(hand)), 1)
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=copy,
        env=environment,
        timeout=60,
    )
    assert not done.stderr
    assert done.stdout.startswith("[False, False, True] True\n")
    assert "broken, by the queen of spades, and by nothing else." in done.stdout


def test_the_page_names_files_that_exist() -> None:
    named = set(re.findall(r"`((?:hearts|tests|docs)/[\w/]+\.\w+)`", TEXT))
    assert len(named) > 8
    assert all((ROOT / name).is_file() for name in named)
    for word in ("_READERS", "_CHECKS"):
        assert f"\n{word}:" in (ROOT / "hearts" / "rulecheck.py").read_text(encoding="utf-8")
    assert "\n_ENUMS:" in (ROOT / "hearts" / "wire.py").read_text(encoding="utf-8")
