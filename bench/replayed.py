"""Were the hybrid's overrides right? Both moves replayed by the search with ten times the work.

    python -m bench.replayed --games 8 --out overrides.jsonl
    python -m bench.replayed --games 40 --by value --out proposals.jsonl

Games of the tuned hybrid against the tuned search, seat by seat in turn.

By `games`: up to three overrides of each game are drawn; from each position the proposal and the move that
replaced it are played out 20 times each, all moves from then on by the tuned search at ten times the work
that the hybrid's own search had. An override was right where its move brought more points.

By `value`: every position is searched where the evolution's proposal is not the search's move, overrides
among them: which of the two scores higher with ten times the work? A thousand take the time of one that is
played out; but it is the same search that evaluates, only more of it.

A file that is there is gone on with, game by game.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.statistics import wilson
from bench.lines import play_on
from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.position import Position
from engines.core.budget import Budget, Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import derive

TIMES = 20
HARDER = 10
MOST = 3
"""Overrides replayed of one game: those of a game are alike."""
ALIKE = 0.05
"""Values less far apart say nothing; a win is 100."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A proposal of the evolution, the move that the search preferred, and the turns it played for that."""

    position: Position
    proposal: str
    preferred: str
    turns: int
    override: bool = True
    """Was it a veto; or does the search only hold another move to be better?"""


def differences(number: int, slices: int) -> list[Disagreement]:
    """Where the hybrid's two parts disagreed in one game; both players have about the same work."""
    position = BATTLESNAKE.new({}, derive(11, number))
    hybrid = position.snakes[number % 2].id
    memory: Any = None
    found: list[Disagreement] = []
    turns = 1000 * slices
    while not position.over:
        moves = {}
        for snake in position.snakes:
            view, chance = replace(position, you=snake.id), derive(12, number, position.turn)
            if snake.id != hybrid:
                moves[snake.id] = _searched(view, turns, chance)
                continue
            agent = BATTLESNAKE.agents["rhea_with_negamax_override"]
            meter = Meter(Budget(iterations=slices))
            decision = agent.decide(view, agent.parameters(), meter, chance, memory)
            moves[snake.id], memory = str(decision.move), decision.memory
            turns = max(1, int(decision.stats.get("override_nodes", turns)))
            override = decision.context.get("override")
            if isinstance(override, Mapping):
                found.append(Disagreement(view, override["move"]["from"], override["move"]["to"], turns))
                continue
            proposal, preferred = _best(decision, _fitness), _best(decision, _searched_value)
            if proposal and preferred and proposal != preferred:
                found.append(Disagreement(view, proposal, preferred, turns, False))
        position = BATTLESNAKE.step(position, moves, derive(13, number, position.turn)).position
    return found


def _best(decision: Decision, value: Callable[[Candidate], float | None]) -> str:
    """The move that one part holds to be best; "" where it has valued fewer than two."""
    scored = [
        (known, str(candidate.move))
        for candidate in decision.candidates
        if (known := value(candidate)) is not None
    ]
    return max(scored, key=lambda pair: pair[0])[1] if len(scored) > 1 else ""


def _fitness(candidate: Candidate) -> float | None:
    line = candidate.details.get("evolution")
    return float(line["fitness"]) if isinstance(line, Mapping) else None


def _searched_value(candidate: Candidate) -> float | None:
    value = candidate.details.get("negamax")
    return None if value is None else float(value)


def values(disagreement: Disagreement, iterations: int) -> tuple[float, float]:
    """What the proposal and the search's move are worth to a search of so many turns."""
    decision = _decided(disagreement.position, iterations, 0)
    evaluate = {str(candidate.move): candidate.score for candidate in decision.candidates}
    proposed, preferred = evaluate[disagreement.proposal], evaluate[disagreement.preferred]
    # What has no value is deadly.
    return -WIN_SCORE if proposed is None else proposed, -WIN_SCORE if preferred is None else preferred


def points(disagreement: Disagreement, move: str, iterations: int, times: int) -> float:
    """What the side to move has of so many games that begin with a move."""
    return sum(_finish(disagreement.position, move, iterations, derive(14, time)) for time in range(times))


def _finish(position: Position, move: str, iterations: int, seed: int) -> float:
    me = position.you
    first = True
    while not position.over:
        moves = {}
        for snake in position.snakes:
            view = replace(position, you=snake.id)
            chance = derive(seed, position.turn, position.snakes.index(snake))
            moves[snake.id] = move if first and snake.id == me else _searched(view, iterations, chance)
        first = False
        position = BATTLESNAKE.step(position, moves, derive(seed, position.turn, 99)).position
    if not position.snakes:
        return 0.5
    return float(position.snakes[0].id == me)


def _searched(view: Position, iterations: int, chance: int) -> str:
    return str(_decided(view, iterations, chance).move)


def _decided(view: Position, iterations: int, chance: int) -> Decision:
    agent = BATTLESNAKE.agents["negamax"]
    return agent.decide(view, agent.parameters(), Meter(Budget(iterations=iterations)), chance, None)


def replay(number: int, slices: int, times: int, by: str = "games") -> dict[str, Any]:
    """One game's overrides, some of them replayed; or by value every difference."""
    found = differences(number, slices)
    line = {"game": number, "slices": slices, "times": times, "by": by}
    if by == "value":
        rows = [_replayed_by_value(disagreement) for disagreement in found]
        return {**line, "overrides": sum(disagreement.override for disagreement in found), "replayed": rows}
    found = [disagreement for disagreement in found if disagreement.override]
    drawn = random.Random(number).sample(found, min(MOST, len(found)))
    rows = []
    for disagreement in drawn:
        effort = HARDER * disagreement.turns
        row = {
            "turn": disagreement.position.turn,
            "from": disagreement.proposal,
            "to": disagreement.preferred,
            "iterations": effort,
            "fromPoints": points(disagreement, disagreement.proposal, effort, times),
            "toPoints": points(disagreement, disagreement.preferred, effort, times),
        }
        rows.append(row)
    return {**line, "overrides": len(found), "replayed": rows}


def _replayed_by_value(disagreement: Disagreement) -> dict[str, Any]:
    effort = HARDER * disagreement.turns
    proposed, preferred = values(disagreement, effort)
    return {
        "turn": disagreement.position.turn,
        "from": disagreement.proposal,
        "to": disagreement.preferred,
        "override": disagreement.override,
        "iterations": effort,
        "fromValue": round(proposed, 3),
        "toValue": round(preferred, 3),
    }


def summary(lines: list[dict[str, Any]]) -> str:
    """What the replayed ones come to."""
    if lines and lines[0]["by"] == "value":
        return _summary_by_value(lines)
    gains = [row["toPoints"] - row["fromPoints"] for line in lines for row in line["replayed"]]
    each = sum(line["times"] * len(line["replayed"]) for line in lines)
    return (
        f"{len(lines)} games, {sum(line['overrides'] for line in lines)} overrides, {len(gains)} judged: "
        f"{_counted(gains, 0.0)}; {100 * sum(gains) / max(1, each):+.1f} points in 100 games"
    )


def _summary_by_value(lines: list[dict[str, Any]]) -> str:
    sorts = []
    for name, override in (("overrides", True), ("other differences", False)):
        gains = [
            row["toValue"] - row["fromValue"]
            for line in lines
            for row in line["replayed"]
            if row["override"] == override
        ]
        mean = sum(gains) / max(1, len(gains))
        sorts.append(f"{len(gains)} {name}: {_counted(gains, ALIKE)}, {mean:+.2f} points of value each")
    return f"{len(lines)} games; " + "; ".join(sorts)


def _counted(gains: list[float], alike: float) -> str:
    """How often the search's move was right; gains of at most `alike` either way say nothing."""
    right, wrong = sum(gain > alike for gain in gains), sum(gain < -alike for gain in gains)
    low, high = wilson(right, right + wrong) if right + wrong else (0.0, 1.0)
    return (
        f"{right} right, {wrong} wrong, {len(gains) - right - wrong} alike; of those that differ "
        f"{100 * low:.0f}% to {100 * high:.0f}% right (95%)"
    )


def main() -> None:
    """Judge the overrides of so many games, telling where it stands after each."""
    parser = argparse.ArgumentParser(prog="python -m bench.replayed")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--slices", type=int, default=8, help="the hybrid's iterations a move")
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--by", choices=("games", "value"), default="games")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    play_on(
        parser, options, replay, {"slices": options.slices, "times": options.times, "by": options.by}, summary
    )


if __name__ == "__main__":
    main()
