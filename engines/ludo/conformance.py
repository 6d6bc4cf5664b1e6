"""The vector files of Ludo, replayed through the rules that the agents search with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.errors import PositionError
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat, differences
from engines.ludo.agents.rule_based import Parameters, RuleScore, evaluate
from engines.ludo.parse import parse
from engines.ludo.position import GOAL, PIECES, SEATS, START, Position
from engines.ludo.q_learning.abstractions import COMBINED17, KILL, POTENTIAL9, SAFETY, ZONE12, equity
from engines.ludo.render import render
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
            "done": any(set(pieces) == {GOAL} for pieces in after),
            "next": [int(value) for value in following],
        }
        for field, value in got.items():
            found += differences(record[field], value, field)
    return Replay(tuple(found), lambda: render(position), lambda: f"piece {piece}")


def replay_decision(record: Mapping[str, Any]) -> Replay:
    """One evaluation of the rule-based player, and what the three abstractions see."""
    position = read(record, ("positions", "ghosts", "player", "dice"), DECISION_RESULTS)
    found: list[Difference] = []
    for field, value in described(position).items():
        found += differences(_comparable(field, record[field]), value, field)
    return Replay(tuple(found), lambda: render(position), lambda: f"best {record['best']}")


def described(position: Position) -> dict[str, Any]:
    """The result fields of a decision line, by the player and the abstractions themselves."""
    held, moves = evaluate(position, Parameters())
    top = max((move.score for move in moves), default=None)
    board = board_of(position.positions)
    nine = POTENTIAL9.of(position)
    return {
        "movable": list(position.movable),
        "phase": held[0],
        "phases": held,
        "moves": [_move_record(move) for move in moves],
        "best": [move.piece for move in moves if move.score == top],
        "tuple9": nine,
        "index9": POTENTIAL9.encode(nine),
        "why9": _why9(nine, moves),
        "equity": [int(equity(board, (position.player + further) % SEATS)) for further in range(SEATS)],
        "zone12": ZONE12.of(position),
        "combined17": COMBINED17.of(position),
    }


def _move_record(move: RuleScore) -> dict[str, Any]:
    return {
        "piece": move.piece,
        "land": move.land,
        "rule": move.rule,
        "base": move.base,
        "mult": move.multiplier,
        "bonus": move.bonus,
        "risk": sum(move.risk.values()),
        "break": move.penalty,
        "final": move.score,
        "captures": move.captures,
        "sent_home": move.sent_home,
        "why": sorted(move.readings),
    }


def _why9(nine: tuple[int, ...], moves: Sequence[RuleScore]) -> list[str]:
    """The readings on which the 9-tuple rests, over all pieces."""
    tags = set()
    for move in moves:
        tags |= {"bounce", "sent-home"}.intersection(move.readings)
        if nine[move.piece] == KILL and "star-first-end" in move.readings:
            tags.add("star-first-end")
        if nine[move.piece] == SAFETY and move.land == START:
            tags.add("start-is-safety")
    return sorted(tags)


def _comparable(field: str, value: Any) -> Any:
    """A field with its lists of readings sorted: they are sets, written in any order."""
    if field == "why9":
        return _sorted(value)
    if field == "moves" and isinstance(value, list):
        return [
            move | {"why": _sorted(move["why"])} if isinstance(move, dict) and "why" in move else move
            for move in value
        ]
    return value


def _sorted(tags: Any) -> Any:
    listed = isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)
    return sorted(tags) if listed else tags


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
    VectorFormat("ludo-agents", _is_decision, replay_decision, agent="rule_based"),
)
