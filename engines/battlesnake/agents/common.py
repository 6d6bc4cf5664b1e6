"""What the agents share: the answer where there is nothing to search, and what a search has proven."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety, legal_moves
from engines.battlesnake.position import MOVES, Position, Snake
from engines.core.decision import Candidate, Decision, Outcome
from engines.core.rng import below, seeded


def unsearched(options: Sequence[MoveSafety]) -> tuple[Candidate, ...]:
    """The candidates where nothing was searched: deadly words with the reason."""
    return tuple(Candidate(option.move, None, notes=(option.cause or "not looked at",)) for option in options)


def not_on_board(position: Position) -> Decision:
    """The answer for who is not on the board."""
    reason = "you are not on the board"
    candidates = tuple(Candidate(move, None, notes=(reason,)) for move in MOVES)
    return Decision(fallback(position), candidates=candidates, stats={"iterations": 0, "reason": reason})


def no_choice(position: Position, options: tuple[MoveSafety, ...], seed: int) -> Decision:
    """The answer where there is nothing to search: every word is deadly, unless a rival is gone first, or the
    game is over."""
    legal = legal_moves(options)
    move, reason = legal[below(seeded(seed), len(legal))], "every word is deadly"
    if not all(option.cause for option in options):
        move, reason = fallback(position), "the game is over"
    return Decision(move, candidates=unsearched(options), stats={"iterations": 0, "reason": reason})


def proven_outcome(position: Position, me: Snake, turns: int | None) -> Outcome | None:
    """The outcome of a word that wins, in so many turns by best play; no search proves that of more rivals.

    It is proven for the board as it is: what food or hazard may yet appear is in nobody's hands. Losses are
    not told: rivals are taken to see your word, so they may still be escaped.
    """
    return None if turns is None or len(position.snakes) != 2 else Outcome(me.id, plies=turns)


def override_context(proposal: str, move: str, values: tuple[float, float], depth: int) -> dict[str, Any]:
    """What an answer tells of an override: both words, and what the search holds of them so deep."""
    return {
        "text": f"Negamax override: {proposal} -> {move}",
        "move": {"from": proposal, "to": move},
        "value": {"from": values[0], "to": values[1]},
        "depth": depth,
    }
