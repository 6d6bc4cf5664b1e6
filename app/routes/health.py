"""Is it alive, is it ready, how is it doing."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.games.bodies import Health
from app.http import json_response
from app.runtime.context import context_of

TAGS: list[Any] = ["operations"]
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def add(app: FastAPI) -> None:
    """Add `/health/…` and `/metrics`."""

    @app.get(
        "/health/live", tags=TAGS, operation_id="live", response_model=Health, summary="Is the process alive?"
    )
    async def live() -> Response:
        return json_response({"status": "ok"})

    @app.get(
        "/health/ready",
        tags=TAGS,
        operation_id="ready",
        response_model=Health,
        responses={503: {"model": Health, "description": "Kernels are being loaded, or could not be."}},
        summary="Are all kernels loaded?",
    )
    async def ready(request: Request) -> Response:
        engines = context_of(request).engines
        if engines.ready:
            return json_response({"status": "ok"})
        return json_response(
            {"status": "failed" if engines.failure else "loading"}, {"Retry-After": "1"}, 503
        )

    @app.get(
        "/metrics",
        tags=TAGS,
        operation_id="metrics",
        responses={200: {"content": {"text/plain": {}}}},
        summary="Figures for Prometheus",
    )
    async def metrics(request: Request) -> Response:
        context = context_of(request)
        context.metrics.ready.set(context.engines.ready)
        context.metrics.in_hand.set(context.pool.in_hand)
        return Response(context.metrics.text(), media_type=METRICS_TYPE)
