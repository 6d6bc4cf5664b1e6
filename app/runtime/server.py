"""The service as one process."""

from __future__ import annotations

import contextlib
import sys
import threading

import uvicorn

from app.main import create_app
from app.runtime.logs import configure
from app.settings import Settings

# The longest that a thread in Python keeps the GIL while another waits. At the default of 5 ms the event loop
# would often be late for a deadline of 50 ms.
SWITCH_SECONDS = 0.001
# Searches end within their budgets, ten seconds at most.
SHUTDOWN_SECONDS = 12
# The exit code if the port cannot be opened; uvicorn has printed why.
NOT_STARTED = 3


def run(settings: Settings) -> str | None:
    """Serve until told to stop. The port opens at once; kernels load in the background.

    Returns what is wrong with the settings, if that ended it: agents' names can only be checked once the
    games are loaded.
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
