"""What the agents share: answers where there is nothing to search, the search loop, candidates, proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engines.battlesnake.annotations import Annotations
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position, Snake
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision, Outcome
from engines.core.rng import below, seeded


@dataclass(frozen=True, slots=True)
class Root:
    """A position in which there is a choice: your snake and its moves."""

    position: Position
    me: Snake
    options: tuple[MoveSafety, ...]
    """All four."""
    legal: tuple[str, ...]
    """Those that are not sure to be deadly, at least one."""


def root_of(position: Position, seed: int) -> Root | Decision:
    """The root of a search; or the answer, where there is nothing to search."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    return Root(position, me, options, legal_moves(options))


def not_on_board(position: Position) -> Decision:
    """The answer for a snake that is not on the board."""
    reason = "you are not on the board"
    candidates = tuple(Candidate(move, None, notes=(reason,)) for move in MOVES)
    return Decision(fallback(position), candidates=candidates, stats={"iterations": 0, "reason": reason})


def no_choice(position: Position, options: tuple[MoveSafety, ...], seed: int) -> Decision:
    """The answer where every move is deadly (unless a rival is eliminated first), or the game is over."""
    legal = legal_moves(options)
    move, reason = legal[below(seeded(seed), len(legal))], "every move is deadly"
    if not all(option.cause for option in options):
        move, reason = fallback(position), "the game is over"
    return Decision(move, candidates=candidates_of(options), stats={"iterations": 0, "reason": reason})


class Sliced(Protocol):
    """A search that can be stopped after any number of nodes."""

    slice: int
    """Nodes between two looks at the clock."""

    @property
    def finished(self) -> bool: ...

    def advance(self, nodes: int, /) -> int: ...


def run_search(search: Sliced, meter: Meter) -> int:
    """Search until the meter or the search says that it is enough; how many nodes it took."""
    nodes = 0
    while not search.finished and meter.more(nodes):
        left = meter.left(nodes)
        nodes += search.advance(search.slice if left is None else min(search.slice, left))
    return nodes


def candidates_of(
    options: Sequence[MoveSafety], searched: Mapping[str, Candidate] | None = None
) -> tuple[Candidate, ...]:
    """All four moves: those that were searched, deadly ones with the cause, others as not searched."""
    searched = searched or {}
    return tuple(
        Candidate(option.move, None, notes=(option.cause,))
        if option.cause
        else searched.get(option.move) or Candidate(option.move, None, notes=("not searched",))
        for option in options
    )


def line_candidates(
    root: Root,
    annotations: Mapping[str, Annotations],
    lines: Mapping[str, tuple[Mapping[str, float], Mapping[str, Any]]],
    missing: str,
) -> tuple[Candidate, ...]:
    """The candidates of an evolution, by terms and details of each move's best line.

    `missing` is the note of a move that no line begins with.
    """
    found = {}
    for move, annotated in annotations.items():
        if move in lines:
            terms, details = lines[move]
            found[move] = Candidate.of(move, terms, annotated.notes, {**details, **annotated.details})
        else:
            notes = (missing, *annotated.notes)
            found[move] = Candidate(move, None, notes=notes, details=annotated.details)
    return candidates_of(root.options, found)


def proven_outcome(position: Position, me: Snake, plies: int | None) -> Outcome | None:
    """The outcome of a move that wins within so many plies by best play; only duels are proven.

    It is proven for the board as it is: food and hazards that may yet appear are chance. Losses are not
    reported: searches let rivals see your move, so such a loss may still be escaped.
    """
    return None if plies is None or len(position.snakes) != 2 else Outcome(me.id, plies=plies)


def override_context(proposal: str, move: str, values: tuple[float, float], depth: int) -> dict[str, Any]:
    """`context.override`: both moves with their search values, and the depth of these."""
    return {
        "text": f"Negamax override: {proposal} -> {move}",
        "move": {"from": proposal, "to": move},
        "value": {"from": values[0], "to": values[1]},
        "depth": depth,
    }
