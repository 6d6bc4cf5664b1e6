"""The service as one process."""

from __future__ import annotations

import contextlib
import sys
import threading

import uvicorn

from app.main import create_app
from app.runtime.logs import configure
from app.settings import Settings

# While two searches in Python hold the interpreter in turns, the event loop should not wait the
# default five milliseconds for its own turn: a deadline of 50 ms would feel it.
SWITCH_SECONDS = 0.001
# Searches end within their budgets, ten seconds at most; what is not answered by then will not be.
SHUTDOWN_SECONDS = 12
# The exit code where the port could not be had; uvicorn has said why.
NOT_STARTED = 3


def run(settings: Settings) -> str | None:
    """Serve until told to stop. The port opens at once; kernels load in the background.

    What is wrong with the settings, if that is why it stopped: some can only be held against the games once
    these are loaded.
    """
    configure(settings)
    sys.setswitchinterval(SWITCH_SECONDS)
    app = create_app(settings)
    engines = app.state.context.engines
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_level=settings.log_level,
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        backlog=1024,
    )
    server = uvicorn.Server(config)

    def watch() -> None:
        engines.wait()
        if engines.refused:
            server.should_exit = True

    threading.Thread(target=watch, name="watch-engines", daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    if not server.started and not engines.refused:
        sys.exit(NOT_STARTED)
    return engines.failure if engines.refused else None
