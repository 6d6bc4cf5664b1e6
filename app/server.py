"""The service as one process."""

from __future__ import annotations

import sys

import uvicorn

from app.logs import configure
from app.main import create_app
from app.settings import Settings

# While two searches in Python hold the interpreter in turns, the event loop should not wait the
# default five milliseconds for its own turn: a deadline of 50 ms would feel it.
SWITCH_SECONDS = 0.001
# Searches end within their budgets, ten seconds at most; what is not answered by then will not be.
SHUTDOWN_SECONDS = 12


def run(settings: Settings) -> None:
    """Serve until told to stop. The port opens at once; kernels load in the background."""
    configure(settings)
    sys.setswitchinterval(SWITCH_SECONDS)
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_level=settings.log_level,
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        backlog=1024,
    )
