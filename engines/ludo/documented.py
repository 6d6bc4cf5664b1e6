"""The rule-based player with the interface of the document that describes it, for library users.

    player = RuleBasedPlayer(seed=7, debug_scores=True)
    action = player.act(state)

`state` is a `Position`, or any object with the document's fields: `player_pieces`, `enemy_pieces` (the
others in seat order, each in its own numbering), `dice_roll`, `valid_moves` and `movable_pieces`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

from engines.core.budget import Budget, Meter
from engines.core.decision import Candidate
from engines.ludo.agents.rule_based import Parameters, decide
from engines.ludo.parse import parse
from engines.ludo.position import PIECES, SEATS, Position


class State(Protocol):
    """What the document's player is shown."""

    @property
    def player_pieces(self) -> Sequence[int]: ...
    @property
    def enemy_pieces(self) -> Sequence[Sequence[int]]: ...
    @property
    def dice_roll(self) -> int: ...
    @property
    def valid_moves(self) -> Sequence[int]: ...
    @property
    def movable_pieces(self) -> Sequence[int] | None: ...


class RuleBasedPlayer:
    """Chooses an action, the index of the piece among the movable ones; ties are drawn from `seed` on."""

    is_on_policy = False
    needs_replay_learning = False
    supports_score_debug = True

    def __init__(
        self, seed: int | None = None, debug_scores: bool = False, parameters: Parameters | None = None
    ) -> None:
        self.seed = seed
        self.debug_scores = debug_scores
        self.parameters = parameters or Parameters()
        self._random = random.Random(seed)
        self._debug: list[dict[str, Any]] = []

    def act(self, state: Position | State) -> int:
        """The action; 0 where nothing can move."""
        position, offered = _read(state)
        decision = decide(position, self.parameters, Meter(Budget(iterations=1)), 0, None)
        moves = {candidate.move["piece"]: candidate for candidate in decision.candidates}
        able = [piece for piece in offered if piece in moves]
        self._debug = [_debug(moves[piece]) for piece in able] if self.debug_scores else []
        if not able:
            return 0
        self._random.shuffle(able)
        best = max(able, key=lambda piece: moves[piece].score or 0.0)
        return list(offered).index(best)

    def get_last_score_debug(self) -> list[dict[str, Any]]:
        """Piece, rule and score of every move that the last `act` looked at; empty without `debug_scores`."""
        return list(self._debug)


def _read(state: Position | State) -> tuple[Position, Sequence[int]]:
    if isinstance(state, Position):
        return state, state.movable
    rows = [list(map(int, row)) for row in (state.player_pieces, *state.enemy_pieces)]
    rows += [[0] * PIECES] * (SEATS - len(rows))
    position = parse({"positions": rows, "ghosts": [], "player": 0, "dice": int(state.dice_roll)})
    offered = state.valid_moves if state.movable_pieces is None else state.movable_pieces
    if len(offered) == 0:
        offered = state.valid_moves
    return position, [int(piece) for piece in offered]


def _debug(candidate: Candidate) -> dict[str, Any]:
    return {
        "piece": candidate.move["piece"],
        "rule": candidate.details["rule"],
        "score": candidate.score,
        "terms": dict(candidate.terms),
    }
