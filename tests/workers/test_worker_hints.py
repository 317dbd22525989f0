"""Hints: one is enough, and a broker that is away costs nothing but time."""

import time

import pytest
from celery import Celery
from worker_kit import client

from workers import hints
from workers.app import app


def _use(monkeypatch: pytest.MonkeyPatch, url: str) -> Celery:
    """Send to the broker beside this store, as the real application is configured."""
    sender = client(url)
    sender.conf.task_publish_retry_policy = app.conf.task_publish_retry_policy
    monkeypatch.setattr(hints, "app", sender)
    return sender


def test_hints_never_pile_up(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sender = _use(monkeypatch, redis_url)
    with sender.connection() as connection:
        for _ in range(5):
            hints.offer()
        assert hints.waiting(connection) == 1
        hints.refit("standard-4")
        assert hints.waiting(connection) == 2
    sender.close()


def test_a_sweep_that_waits_hides_no_work(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sweeps take longer than beat's second one always waits, and a free worker would never
    hear that there are matches to play."""
    sender = _use(monkeypatch, redis_url)
    with sender.connection() as connection:
        sender.send_task("workers.tasks.sweep", connection=connection)
        for _ in range(3):
            hints.offer()
            hints.qualify()
        assert hints.waiting(connection) == 3
    sender.close()


def test_without_a_broker_a_hint_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """SS08: which does not tell the password."""
    sender = _use(monkeypatch, "redis://:hush@127.0.0.1:1/0")
    start = time.monotonic()
    hints.offer()
    assert time.monotonic() - start < 10
    assert caplog.text.count("no hint sent") == 1
    assert "hush" not in caplog.text
    sender.close()
