"""The figures of `/metrics`, in a registry of each application's own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

# Bucket bounds: Battlesnake's timeouts and the board games' budgets.
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """One instance for each application; labels are our own names only, never a client's strings."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "quadriga_http_requests",
            "Answers by route and status.",
            ["route", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "quadriga_http_request_seconds",
            "Time from the request's arrival to its answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.decisions = Counter(
            "quadriga_decisions", "Moves answered.", ["game", "agent"], registry=self.registry
        )
        self.search_seconds = Histogram(
            "quadriga_search_seconds",
            "Time in the search.",
            ["game"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.fallbacks = Counter(
            "quadriga_fallback_moves",
            "Fallback moves sent because no search answered in time.",
            ["game", "reason"],
            registry=self.registry,
        )
        self.shortened = Counter(
            "quadriga_shortened_searches",
            "Searches cut below their requested budget.",
            ["game"],
            registry=self.registry,
        )
        self.warnings = Counter(
            "quadriga_battlesnake_warnings",
            "Battlesnake requests with warnings (inconsistent input, still answered).",
            registry=self.registry,
        )
        self.overrides = Counter(
            "quadriga_overrides",
            "Moves in which one search overrode another.",
            ["game"],
            registry=self.registry,
        )
        self.in_hand = Gauge(
            "quadriga_searches_in_hand", "Searches queued or running.", registry=self.registry
        )
        self.ready = Gauge("quadriga_ready", "1 when every kernel is loaded.", registry=self.registry)

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)
