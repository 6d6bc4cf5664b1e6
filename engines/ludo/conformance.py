"""The vector files of Ludo, replayed through the rules that the players search with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.errors import PositionError
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat, differences
from engines.ludo.picture import draw
from engines.ludo.position import PIECES, Position, parse
from engines.ludo.rules import board_of, mask_of, play, turn

TRANSITION_RESULTS = ("movable", "piece", "after", "done", "next")
DECISION_RESULTS = (
    "movable",
    "phase",
    "phases",
    "moves",
    "best",
    "tuple9",
    "index9",
    "why9",
    "equity",
    "zone12",
    "combined17",
)


def read(record: Mapping[str, Any], inputs: tuple[str, ...], results: tuple[str, ...]) -> Position:
    """The position of a line; DamagedLineError where a field is missing or makes no position."""
    for field in (*inputs, *results):
        if field not in record:
            raise DamagedLineError(f"the field {field} is missing")
    try:
        return parse({field: record[field] for field in inputs})
    except PositionError as error:
        raise DamagedLineError(str(error)) from error


def replay_transition(record: Mapping[str, Any]) -> Replay:
    """One throw: who may move, what the move does, whether someone has finished, who is next."""
    inputs = ("positions", "ghosts", "player", "dice", "round", "attempts")
    position = read(record, inputs, TRANSITION_RESULTS)
    if record["round"] is None or record["attempts"] is None:
        raise DamagedLineError("round and attempts must be integers")
    piece = record["piece"]
    found = list(differences(record["movable"], position.movable, "movable"))
    if not _playable(piece, position):
        found.append(Difference("piece", piece, f"one of {list(position.movable) or [None]}"))
    else:
        board = board_of(position.positions)
        if piece is not None:
            play(board, position.player, piece, position.dice)
        after = board.tolist()
        following = turn(
            board,
            mask_of(position.ghosts),
            position.player,
            position.dice,
            position.round,
            position.attempts,
        )
        got = {
            "after": after,
            "done": any(set(pieces) == {57} for pieces in after),
            "next": [int(value) for value in following],
        }
        for field, value in got.items():
            found += differences(record[field], value, field)
    return Replay(tuple(found), lambda: draw(position), lambda: f"piece {piece}")


def _playable(piece: Any, position: Position) -> bool:
    if piece is None:
        return not position.movable
    return type(piece) is int and piece in range(PIECES) and piece in position.movable


def _is_decision(record: Mapping[str, Any]) -> bool:
    return "positions" in record and any(field in record for field in DECISION_RESULTS[1:])


def _is_transition(record: Mapping[str, Any]) -> bool:
    return ("positions" in record or "dice" in record) and not _is_decision(record)


FORMATS = (
    VectorFormat("ludo", _is_transition, replay_transition),
    VectorFormat("ludo-agents", _is_decision, None, agent="rule_based"),
)
