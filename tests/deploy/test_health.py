"""The health checks: a worker that lives and takes nothing, a beat whose ticks do not arrive."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import redis

from arbiter.settings import Settings, broker_beside
from workers import health


@pytest.fixture
def settings(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("HEARTS_WORKER_STATE", str(tmp_path))
    return Settings(redis_url=redis_url)


def _idle_since(seconds: float, *, running: bool) -> None:
    state = {"running": running, "at": time.time() - seconds}
    health.state_file().write_text(json.dumps(state))


def test_a_worker_that_takes_nothing_while_messages_wait_is_sick(settings: Settings) -> None:
    """RC03: it is alive, connected, and consumes nothing."""
    _idle_since(100, running=False)
    health.worker(settings)  # nothing waits: idle is well
    with redis.Redis.from_url(broker_beside(settings.redis_url)) as broker:
        broker.rpush("hearts", "message")
    with pytest.raises(health.Sick, match="1 messages wait and nothing was taken for 100 s"):
        health.worker(settings)
    _idle_since(5000, running=True)
    health.worker(settings)  # a batch may take long
    health.note(running=False)
    health.worker(settings)


def test_a_beat_whose_ticks_do_not_arrive_is_sick(settings: Settings) -> None:
    with redis.Redis.from_url(settings.redis_url) as store:
        with pytest.raises(health.Sick, match="no tick has arrived"):
            health.beat(settings)
        store.set("hearts:counter:sweep_ms", int(time.time() * 1000))
        health.beat(settings)


def test_an_arbiter_that_is_not_there_is_sick(settings: Settings) -> None:
    gone = settings.model_copy(update={"listen": "127.0.0.1:1"})
    with pytest.raises(health.Sick, match="does not answer"):
        health.arbiter(gone)


def test_what_is_no_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert health.main(["redis"]) == 2
    assert "arbiter|worker|beat" in capsys.readouterr().err
