"""Keeps what happens every second out of the logs."""

import logging

SWEEP = "workers.tasks.sweep"
LOGGERS = ("celery.worker.strategy", "celery.app.trace", "celery.beat")


def notable(record: logging.LogRecord) -> bool:
    """Whether a record says more than that a sweep came, went well, or was sent."""
    return record.levelno > logging.INFO or SWEEP not in record.getMessage()


def install() -> None:
    """Leave out what is not notable. May be repeated."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(notable)
