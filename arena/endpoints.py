"""Contestants over HTTP: the official Battlesnake API, and our own move route for the other games.

Replies are not trusted: they are bounded in size and time, and whatever is not a usable answer is
counted as a fault of the contestant.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import time
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from arena.contestants import DEFAULT_MS, Remote
from arena.players import Answer, counters, elapsed
from engines.core.game import Game

MAX_REPLY = 1_000_000
"""Bytes of a reply that are read; our own explained answers are far below."""

PATIENCE_MS = 10_000.0
"""How long an endpoint with a budget of iterations alone may take."""

SNAKE_MS = 500.0
"""Battlesnake's usual timeout."""

KEEP_ALIVE_SECONDS = 3.0
"""Shorter than what servers usually keep an idle connection (5 s): else it may be gone as we use it."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class UnusableReplyError(Exception):
    """A reply that says nothing: the reason in words."""


@cache
def client(host: str) -> httpx.Client:
    """One client for each host and process: connections are kept, a proxy is not asked about ourselves."""
    made = httpx.Client(
        trust_env=host not in LOOPBACK,
        headers={"accept": "application/json", "user-agent": "quadriga-arena"},
        limits=httpx.Limits(
            max_connections=64, max_keepalive_connections=16, keepalive_expiry=KEEP_ALIVE_SECONDS
        ),
    )
    atexit.register(made.close)
    return made


def exchange(
    url: str,
    body: Mapping[str, Any] | None,
    limit_ms: float,
    query: Mapping[str, str | int] | None = None,
) -> Any:
    """The JSON object that the endpoint answers within the time; GET without a body.

    Raises `httpx.TimeoutException` when it is late, `httpx.HTTPError` or `UnusableReplyError` when
    it fails otherwise.
    """
    deadline = time.perf_counter() + limit_ms / 1000
    content = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"content-type": "application/json"}
    try:
        with client(urlsplit(url).hostname or "").stream(
            "GET" if body is None else "POST",
            url,
            content=content,
            headers=headers,
            params=query,
            timeout=limit_ms / 1000,
        ) as reply:
            raw = bytearray()
            for chunk in reply.iter_bytes():
                raw += chunk
                if len(raw) > MAX_REPLY:
                    raise UnusableReplyError(f"a reply of more than {MAX_REPLY} bytes")
                if time.perf_counter() > deadline:
                    raise httpx.ReadTimeout("still answering")
    except (httpx.InvalidURL, UnicodeError) as error:
        raise UnusableReplyError(f"{type(error).__name__}: {error}") from None
    if time.perf_counter() > deadline:
        raise httpx.ReadTimeout("too late")
    if reply.status_code != httpx.codes.OK:
        raise UnusableReplyError(f"status {reply.status_code}: {_excerpt(raw)}")
    try:
        answer = json.loads(raw)
    except (ValueError, RecursionError):
        raise UnusableReplyError(f"not JSON: {_excerpt(raw)}") from None
    if not isinstance(answer, dict):
        raise UnusableReplyError(f"not a JSON object: {_excerpt(raw)}")
    return answer


def _excerpt(raw: bytes | bytearray) -> str:
    return repr(bytes(raw[:80]).decode("utf-8", "replace"))[1:-1] or "nothing"


def ask(
    url: str, body: Mapping[str, Any], limit_ms: float, query: Mapping[str, str | int] | None = None
) -> tuple[Answer, Any]:
    """The endpoint's answer as a contestant's, and the whole reply (None where there is none)."""
    began = time.perf_counter()
    try:
        reply = exchange(url, body, limit_ms, query)
    except httpx.TimeoutException:
        return Answer(None, elapsed(began), "late", f"no answer within {limit_ms:g} ms"), None
    except (httpx.HTTPError, UnusableReplyError) as error:
        return Answer(None, elapsed(began), "failed", f"{type(error).__name__}: {error}"[:200]), None
    if "move" not in reply:
        return Answer(None, elapsed(began), "failed", "the reply has no `move`"), reply
    numbers, flags = counters(reply.get("stats"))
    return Answer(reply["move"], elapsed(began), None, "", numbers, flags), reply


class RoutePlayer:
    """An endpoint that speaks our own `POST /{game}/move`."""

    def __init__(
        self, source: Remote, game: Game[Any], side: str | None, match: str, tolerance_ms: float
    ) -> None:
        self._game = game
        self._url = f"{source.url}/{game.name}/move"
        ms = DEFAULT_MS if source.ms is None and source.iterations is None else source.ms
        self._limit_ms = (PATIENCE_MS if ms is None else ms) + tolerance_ms
        fixed = {
            "side": side,
            "agent": source.agent,
            "budgetMs": ms,
            "budgetIterations": source.iterations,
            "match": match,
        }
        self._fixed = {name: value for name, value in fixed.items() if value is not None}

    def begin(self, view: Any) -> None:
        """The route knows no games."""

    def decide(self, view: Any, seed: int) -> Answer:
        body = {"state": self._game.dump(view), **self._fixed, "seed": seed}
        return ask(self._url, body, self._limit_ms)[0]

    def end(self, view: Any) -> None:
        """The route knows no games."""


class SnakePlayer:
    """Anything that speaks the official Battlesnake API.

    The official timeout has no tolerance: what is not back in time is late. The board's snakes carry
    everybody's latency, name and shout, as the official referee writes them: `table` is shared by
    the snakes of one game.
    """

    def __init__(
        self, source: Remote, game: Game[Any], identity: str, table: dict[str, dict[str, str]]
    ) -> None:
        self._game = game
        self._source = source
        self._me = identity
        self._table = table
        self._timeout = SNAKE_MS if source.ms is None else source.ms
        # With iterations the time is not the limit, but a snake that never comes back must end.
        self._limit_ms = PATIENCE_MS if source.ms is None and source.iterations is not None else self._timeout

    def begin(self, view: Any) -> None:
        self._tell("start", view)

    def decide(self, view: Any, seed: int) -> Answer:
        query = {}
        if self._source.iterations is not None:
            query = {"budgetIterations": self._source.iterations, "seed": seed}
        answer, reply = ask(f"{self._source.url}/move", self._request(view), self._limit_ms, query)
        took = round(answer.microseconds / 1000)
        shout = reply.get("shout") if isinstance(reply, dict) else ""
        self._table.setdefault(self._me, {}).update(
            latency=str(max(1, took)), shout=shout[:256] if isinstance(shout, str) else ""
        )
        return answer

    def end(self, view: Any) -> None:
        self._tell("end", view)

    def _tell(self, what: str, view: Any) -> None:
        """`/start` and `/end`: the answer is ignored, and so is its absence."""
        with contextlib.suppress(httpx.HTTPError, UnusableReplyError):
            exchange(f"{self._source.url}/{what}", self._request(view), self._limit_ms)

    def _request(self, view: Any) -> dict[str, Any]:
        body = self._game.dump(view)
        body.pop("solo", None)
        body["game"]["timeout"] = round(self._timeout)
        for snake in (*body["board"]["snakes"], body["you"]):
            snake.update(self._table.get(snake["id"], {}))
        return body
