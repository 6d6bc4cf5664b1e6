"""Does a contestant keep to its protocol? Looked at before a match, on positions of random play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.contestants import Contestant, Local, Remote, resolve
from arena.play import Match
from arena.players import Answer
from arena.setup import OPENING, Setup
from engines.core.rng import derive

SAMPLES = 12
"""Positions that are asked about."""

APART = 3
"""Plies between two of them."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    passed: bool
    detail: str = ""


def check(game: str, contestant: Contestant, seed: int, options: dict[str, Any]) -> Iterator[Check]:
    """Every check that applies to the contestant, as it is made."""
    setup = Setup(
        game=game,
        format="compliance",
        contestants=(contestant, contestant),
        groups=((0, 1),),
        openings=1,
        seed=seed,
        options=options,
    )
    match = Match(setup)
    source = match.sources[0]
    if isinstance(source, Remote) and game == "battlesnake":
        yield from _snake_routes(source)
    yield from _answers(match, source)


def reachable(contestant: Contestant, game: str) -> str | None:
    """Why an endpoint cannot be reached at all; None where something answers."""
    import httpx

    from arena.endpoints import PATIENCE_MS, UnusableReplyError, exchange
    from arena.games import load_game

    source = resolve(contestant, load_game(game))
    if isinstance(source, Local):
        return None
    try:
        exchange(source.url, None, PATIENCE_MS)
    except UnusableReplyError:
        return None  # it answers; what it is worth is for the match to say
    except httpx.HTTPError as error:
        return f"{source.url} cannot be reached: {type(error).__name__}: {error}"
    return None


def _snake_routes(source: Remote) -> Iterator[Check]:
    import httpx

    from arena.endpoints import PATIENCE_MS, UnusableReplyError, exchange

    try:
        info = exchange(source.url or "", None, PATIENCE_MS)
    except (httpx.HTTPError, UnusableReplyError) as error:
        yield Check("GET / answers a JSON object", False, str(error)[:200])
        return
    yield Check("GET / answers a JSON object", True)
    yield Check('`apiversion` is "1"', info.get("apiversion") == "1", repr(info.get("apiversion"))[:60])
    color = info.get("color", "#888888")
    fine = isinstance(color, str) and (color == "" or re.fullmatch("#[0-9a-fA-F]{6}", color) is not None)
    yield Check("`color` is #rrggbb where it is given", fine, repr(color)[:60])


def _answers(match: Match, source: Local | Remote) -> Iterator[Check]:
    """Legal, in time, and with a budget of iterations the same again."""
    umpire, seats = match.referee, 2
    position = match.opening(0)
    names = umpire.seat_names(position, seats)
    pairing = match.setup.pairing(0)
    players = match.players(pairing, names, "compliance")
    for seat, view in umpire.views(position, {}, seats):
        players[seat].begin(view)
    faults: list[str] = []
    different: list[str] = []
    asked = slowest = 0
    for ply in range(SAMPLES * APART):
        chosen = {}
        for seat, view in umpire.turns(position, seats):
            chosen[seat] = umpire.game.fallback(view)
            if ply % APART or not umpire.asks(view):
                continue
            seed = derive(match.setup.seed, ply, seat)
            fresh = match.players(pairing, names, "compliance")[seat]
            answer = fresh.decide(view, seed)
            asked += 1
            slowest = max(slowest, answer.microseconds)
            fault = _fault(match, view, answer)
            if fault:
                faults.append(f"ply {ply}: {fault}")
            elif _repeats(source, match.setup.game):
                again = match.players(pairing, names, "compliance")[seat].decide(view, seed)
                if again.move != answer.move:
                    different.append(f"ply {ply}: {answer.move!r}, then {again.move!r}"[:120])
        step = umpire.game.step(
            position, umpire.moves(position, chosen), derive(match.setup.seed, OPENING, ply)
        )
        if step.over:
            break
        position = step.position
    text = f"{asked} positions, slowest answer {slowest / 1000:.0f} ms"
    yield Check("every answer is legal and in time", not faults, "; ".join(faults[:3]) or text)
    if _repeats(source, match.setup.game):
        same = "the same position, seed and iterations get the same move"
        yield Check(same, not different, "; ".join(different[:3]))
    for seat, view in umpire.views(position, {}, seats):
        players[seat].end(view)


def _repeats(source: Local | Remote, game: str) -> bool:
    """Is the same question answered the same way? (A snake behind HTTP may remember the first one.)"""
    if isinstance(source, Remote):
        return source.ms is None and source.iterations is not None and game != "battlesnake"
    return source.budget.ms is None


def _fault(match: Match, view: Any, answer: Answer) -> str | None:
    if answer.fault is not None:
        return f"{answer.fault}: {answer.detail}"
    objection = match.referee.objection(view, answer.move)
    return None if objection is None else f"illegal: {objection}: {answer.move!r}"[:200]
