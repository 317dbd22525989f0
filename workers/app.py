"""The Celery application: ``celery -A workers.app worker`` and ``... beat``.

Messages are hints that there is work, nothing more: all truth is in the store,
so that a message may be lost, doubled or late without harm.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, cast

from celery import Celery, signals

from arbiter.settings import Settings
from workers import health, stopping

QUEUE = "hearts"

SWEEP_S = 1.0
"""How often the sweep looks for work that nobody does."""

P = ParamSpec("P")


class Task(Protocol[P]):
    """What we use of a Celery task; Celery itself has no types."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Do it here and now."""

    def delay(self, *args: P.args, **kwargs: P.kwargs) -> object:
        """Send a message so that a worker does it."""


def task(work: Callable[P, None]) -> Task[P]:
    """Make a function a task."""
    return cast("Task[P]", app.task(work))


def _make() -> Any:
    made = Celery("hearts", broker=Settings().broker_url, include=["workers.tasks"])
    made.conf.update(
        # A message is data from the network: JSON can at worst be wrong, a
        # pickle can be a program (SS06).
        accept_content=["json"],
        task_serializer="json",
        result_accept_content=["json"],
        # Results of tasks are nobody's business; those of matches are in the store.
        task_ignore_result=True,
        task_default_queue=QUEUE,
        # A killed worker's message is delivered again; tasks may be repeated.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        # Without remote control a worker can hang for ever after Redis restarts.
        worker_enable_remote_control=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            # A task may take longer than this: its hint is then delivered
            # again, which finds other matches to play or none.
            "visibility_timeout": 60,
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
        },
        task_publish_retry_policy={
            "max_retries": 2,
            "interval_start": 0,
            "interval_step": 0.2,
            "interval_max": 0.2,
        },
        beat_scheduler="workers.beat:Ticker",
        beat_schedule={"sweep": {"task": "workers.tasks.sweep", "schedule": SWEEP_S}},
        timezone="UTC",
    )
    return made


app = _make()

signals.worker_init.connect(stopping.prepare)
signals.worker_process_init.connect(stopping.forked)
signals.worker_shutting_down.connect(stopping.request)
# Strong references: Celery keeps weak ones, and these have no other.
signals.task_prerun.connect(lambda **_: health.note(running=True), weak=False)
signals.task_postrun.connect(lambda **_: health.note(running=False), weak=False)
