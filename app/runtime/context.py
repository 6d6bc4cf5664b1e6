"""What the routes share: one instance for each application, reached through `app.state`."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from app.runtime.loader import Engines
from app.runtime.metrics import Metrics
from app.runtime.pool import SearchPool
from app.runtime.sessions import Sessions
from app.settings import Settings
from engines.core.budget import Clock


@dataclass(frozen=True, slots=True)
class Context:
    """The wiring of one application."""

    settings: Settings
    clock: Clock
    engines: Engines
    pool: SearchPool
    sessions: Sessions
    metrics: Metrics


def context_of(request: Request) -> Context:
    """The context of the application that serves this request."""
    context = request.app.state.context
    assert isinstance(context, Context)
    return context


def arrival(request: Request) -> float:
    """The clock time at which the request arrived (`Observe`)."""
    arrived: float = request.scope["quadriga.arrived"]
    return arrived
