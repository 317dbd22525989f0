"""`hearts doctor` tells what this machine can do as a host, and why not where it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hosting_kit import able_host, settings

from arbiter.settings import Settings
from client_sdk.cli.app import run
from workers.hosting import cgroups, host, seccomp


def _doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, str]]]:
    capsys.readouterr()
    code = run(["doctor", "--host", "--json"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    return code, {check["check"]: check for check in checks}


def test_doctor_says_that_this_machine_can_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    able_host(settings("redis://127.0.0.1:1", tmp_path))
    code, checks = _doctor(capsys)
    assert code == 0
    assert {"redis", "sandbox: bubblewrap", "cores and memory", "hosting"} <= checks.keys()
    assert checks["hosting"]["ok"]


def test_doctor_says_what_is_missing_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(host, "_bubblewrap", lambda: None)
    code, checks = _doctor(capsys)
    assert code == 2
    assert not checks["hosting"]["ok"]
    assert "bubblewrap: not found" in checks["hosting"]["found"]
    assert "apt-get install bubblewrap" in checks["sandbox: bubblewrap"]["then"]


def test_doctor_says_when_bots_run_without_a_sandbox(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(host, "_bubblewrap", lambda: None)
    monkeypatch.setenv("HEARTS_UNSANDBOXED", "true")
    code, checks = _doctor(capsys)
    assert (code, checks["hosting"]["ok"]) == (2, False)
    assert "WITHOUT a sandbox" in checks["hosting"]["found"]


def test_doctor_names_a_setting_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEARTS_HOSTED_MEMORY_MIB", "lots")
    code, checks = _doctor(capsys)
    assert code == 2
    assert "HEARTS_HOSTED_MEMORY_MIB" in checks["hosting"]["found"]


def test_the_layers_that_can_be_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_groups(_wanted: str) -> cgroups.Tree:
        raise cgroups.NoCgroups("no cgroup file system is mounted")

    def no_filter() -> bytes:
        raise seccomp.NoSeccomp("no libseccomp")

    monkeypatch.setattr(host, "find_cgroups", no_groups)
    monkeypatch.setattr(seccomp, "filter_", no_filter)
    found = host.look(Settings())
    missing = {one.part: one.found for one in found.findings if not one.ok}
    assert (
        missing.items()
        >= {
            "cgroups": "no cgroup file system is mounted",
            "seccomp": "no libseccomp",
        }.items()
    )
