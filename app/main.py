"""Makes the application: wiring only."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from app import errors
from app.openapi import Route, install_openapi
from app.routes import battlesnake, board_games, health, isolation, rules
from app.runtime.context import Context
from app.runtime.loader import Engines
from app.runtime.metrics import Metrics
from app.runtime.middleware import Observe
from app.runtime.pool import SearchPool
from app.runtime.sessions import Sessions
from app.settings import Settings, load_settings
from app.version import VERSION
from engines.core.budget import Clock

DESCRIPTION = """What should I play, and why? Four games, one move service.

Every move route takes `Accept: text/plain` for a board and a table made for a terminal.
"""


def create_app(
    settings: Settings | None = None, *, clock: Clock = time.perf_counter, engines: Engines | None = None
) -> FastAPI:
    """A new application; two of them share nothing but the kernels.

    `engines`: loaded ones, for tests. By default they are loaded in the background after the start.
    """
    settings = settings or load_settings()
    metrics = Metrics()
    context = Context(
        settings=settings,
        clock=clock,
        engines=engines or Engines(),
        pool=SearchPool(settings.pool_size(), settings.max_waiting, clock, settings.helpers),
        sessions=Sessions(settings.max_games),
        metrics=metrics,
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        if not context.engines.ready:
            context.engines.start(settings)
        yield
        context.pool.close()

    app = FastAPI(
        title="Quadriga",
        version=VERSION,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url="/docs" if settings.docs else None,
        redoc_url=None,
        openapi_url="/openapi.json" if settings.docs else None,
    )
    app.router.route_class = Route
    app.state.context = context
    errors.install(app)
    # The last one added is the outermost.
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["X-Decision-Id"],
            max_age=600,
        )
    app.add_middleware(Observe, metrics=metrics, clock=clock)
    # Routes are tried in this order: the most frequent first.
    for group in (battlesnake, board_games, isolation, rules, health):
        group.add(app)
    install_openapi(app)
    return app
