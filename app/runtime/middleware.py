"""Notes when a request arrives and how it was answered. Pure ASGI: no task of its own on the hot path."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.runtime.metrics import Metrics
from engines.core.budget import Clock


class Observe:
    """Outermost of our middleware: deadlines count from here."""

    def __init__(self, app: ASGIApp, metrics: Metrics, clock: Clock) -> None:
        self.app = app
        self.metrics = metrics
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        arrived = self.clock()
        scope["quadriga.arrived"] = arrived
        status = 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            # The template of the route, never the path that a client made up.
            route = getattr(scope.get("route"), "path", "(none)")
            self.metrics.requests.labels(route, str(status)).inc()
            self.metrics.request_seconds.labels(route).observe(self.clock() - arrived)
