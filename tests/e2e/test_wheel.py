"""DX01: the built wheel, in an environment that has nothing else, plays a tournament."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.e2e import kit

pytestmark = pytest.mark.timeout(400)

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with the wheel and no extras."""
    folder = tmp_path_factory.mktemp("wheel")
    # From a copy: a build writes into its source.
    source = folder / "source"
    packages = ("hearts", "client_sdk", "arbiter", "workers")
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in packages:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*build, "--wheel-dir", folder, source], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    install = [programs / "python", "-m", "pip", "install", "--quiet", wheel]
    installed = subprocess.run(install, capture_output=True, text=True, timeout=300)
    if installed.returncode != 0:
        if os.environ.get("HEARTS_REQUIRE_ALL") == "1":
            pytest.fail(installed.stderr)
        pytest.skip(f"the wheel's dependencies cannot be installed here: {installed.stderr[-300:]}")
    return programs


def run(
    program: Path, *arguments: str | Path, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *map(str, arguments)],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_bot_authors_get_no_redis_and_no_celery(base: Path, tmp_path: Path) -> None:
    code = "import client_sdk, hearts.wire, importlib.util as u; print(u.find_spec('celery'))"
    ran = run(base / "python", "-c", code, folder=tmp_path)
    assert (ran.stdout, ran.stderr) == ("None\n", "")
    for command in ("up", "demo"):
        refused = run(base / "hearts", command, folder=tmp_path)
        assert refused.returncode == 2
        assert "pip install 'hearts-arena[server]'" in refused.stderr
    assert run(base / "hearts", "version", folder=tmp_path).returncode == 0
    doctor = run(base / "hearts", "doctor", "--timeout", "1", folder=tmp_path)
    assert "`hearts up` needs it: pip install" in doctor.stdout


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_bots_of_the_wheel_play_a_tournament(base: Path, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        'title = "Cup"\ndeals = 1\nboards = 2\nduplicate = true\nentries = ["a1", "a2", "a3", "a4"]'
    )
    with kit.running("up", "--data", tmp_path / "data", "--port", "0") as up:
        address = up.until(r"serving on (\S+);")
        up.until("try: hearts doctor")
        admin = ("--server", address, "--token-file", tmp_path / "data" / "admin.token")
        bots = []
        try:
            for name in ("a1", "a2", "a3", "a4"):
                token = tmp_path / name
                register = ("bots", "register", name, "--house", "--save", token)
                made = run(base / "hearts", *register, *admin, folder=tmp_path)
                assert made.returncode == 0, made.stderr
                command = [base / "python", "-m", "client_sdk.bots", "duck", "--name", name]
                options = ["--server", address, "--token-file", token, "--quiet"]
                bots.append(subprocess.Popen([*command, *options], cwd=tmp_path))
            create = ("tournaments", "create", "cup.toml", "--watch", "--strict")
            played = run(base / "hearts", *create, *admin, folder=tmp_path)
            assert played.returncode == 0, played.stderr
            assert "8 of 8 matches done" in played.stdout
            match = f"{re.findall(r'(cup-[0-9a-f]+)', played.stdout)[0]}"
            listed = run(base / "hearts", "matches", "list", match, *admin, folder=tmp_path)
            first = listed.stdout.splitlines()[1].split()[0]
            record = run(base / "hearts", "matches", "record", first, *admin, folder=tmp_path)
            assert record.returncode == 0, record.stderr
            assert "trick 13" in record.stdout
        finally:
            for bot in bots:
                bot.terminate()
            codes = [bot.wait(10) for bot in bots]
        assert codes == [0, 0, 0, 0]
        up.signal(signal.SIGINT)
        assert up.end(20) == 0
