"""The vector files of Isolation, replayed through the rules that the agents search with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from engines.core.errors import PositionError
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat, differences
from engines.isolation.board import MAX_SIDE, UNPLACED, square_of
from engines.isolation.heuristics import heuristics
from engines.isolation.parse import parse, parse_cell, whole
from engines.isolation.position import Position, after, cells, start
from engines.isolation.render import render
from engines.isolation.rules import legal_cells, legal_squares, play, winner
from engines.isolation.solver.proof import TranspositionTable, colour_rule, solve

TOLERANCE = 1e-9

PUBLISHED = (
    "open_move",
    "center",
    "improved",
    "moves_difference",
    "avoid_corners",
    "chase_opponent",
    "weighted_chase_opponent",
    "chase_fixed",
    "weighted_chase_fixed",
    "next_moves",
)
"""The heuristics that every line of the format has; any other of ours may be there too."""

_ENDGAME_MARKS = frozenset(("winning", "colourRule", "plainChecked", "filled"))
_STATE_MARKS = frozenset(("blocked", "players", "toMove"))


def field(record: Mapping[str, Any], name: str) -> Any:
    """A field that the line must have."""
    if name not in record:
        raise DamagedLineError(f"the field `{name}` is missing")
    return record[name]


def position_of(record: Mapping[str, Any]) -> Position:
    """The position of a line's state."""
    try:
        return parse(record)
    except PositionError as error:
        raise DamagedLineError(str(error)) from error


def _written(number: float | None) -> float | str | None:
    """A heuristic's value as the files write it."""
    if number is None or math.isfinite(number):
        return number
    return "inf" if number > 0 else "-inf"


def _heuristic_differences(record: Mapping[str, Any], position: Position) -> Iterator[Difference]:
    expected = field(record, "heuristics")
    got = {name: [_written(number) for number in pair] for name, pair in heuristics(position).items()}
    if isinstance(expected, Mapping):
        for name in PUBLISHED:
            if name not in expected:
                raise DamagedLineError(f"the field `heuristics.{name}` is missing")
        got = {name: pair for name, pair in got.items() if name in expected}
    yield from differences(expected, got, "heuristics", TOLERANCE)


def _result_differences(record: Mapping[str, Any], position: Position) -> Iterator[Difference]:
    """The move, and whether and how the game ended with it."""
    move, terminal, victor = (field(record, name) for name in ("move", "terminal", "winner"))
    squares = legal_squares(position)
    following = position
    if move is not None or squares:
        try:
            square = parse_cell(move, position.height, position.width, ("move",))
        except PositionError:
            square = None
        if square not in squares:
            got = "one of the legal moves" if squares else None
            yield Difference("move", move, got)
            return
        following = play(position, square)
    yield from differences(terminal, winner(following) is not None, "terminal")
    yield from differences(victor, winner(following), "winner")


def _replay(record: Mapping[str, Any]) -> Replay:
    position = position_of(record)
    found = (
        *differences(field(record, "legal"), legal_cells(position), "legal"),
        *_heuristic_differences(record, position),
        *_result_differences(record, position),
    )
    return Replay(found, lambda: render(position), lambda: f"move {record['move']}")


def _replay_endgame(record: Mapping[str, Any]) -> Replay:
    position = position_of(record)
    names = ("filled", "moves", "winner", "winning", "colourRule")
    expected = {name: field(record, name) for name in names}
    if UNPLACED in position.at:
        raise DamagedLineError("`players`: the format has both players placed")
    proof = solve(position)
    victor = position.to_move if proof.won else 1 - position.to_move
    got = {
        "filled": position.height * position.width - sum(bitboard.bit_count() for bitboard in position.blank),
        "moves": len(proof.values),
        "winner": victor,
        "winning": cells(position, (square for square, won in proof.values.items() if won)),
        "colourRule": colour_rule(position) == victor,
    }
    return Replay(tuple(differences(expected, got)), lambda: render(position), lambda: "every legal move")


def _table(height: int, width: int) -> tuple[str, int]:
    """The winners of all pairs of placements as the file writes them; how often the colour rule is right."""
    squares = [square_of(width, row, column) for row in range(height) for column in range(width)]
    decided = TranspositionTable(height * width)
    signs, held = [], 0
    for first in squares:
        for second in squares:
            if first == second:
                signs.append("-")
                continue
            position = after(after(start(height, width), first), second)
            winner = 0 if solve(position, decided).won else 1
            held += colour_rule(position) == winner
            signs.append(str(winner))
    return "".join(signs), held


def _replay_board(board: Any, path: str) -> tuple[list[Difference], int]:
    """The differences of one board of the small-boards file, and its pairs."""
    if not isinstance(board, Mapping):
        raise DamagedLineError(f"`{path}` is no board")
    names = ("winner", "winningFirst", "pairs", "pairsWonByFirst", "colourRuleHolds", "table")
    try:
        height, width = (
            whole(field(board, name), (name,), 1, MAX_SIDE, name) for name in ("height", "width")
        )
        expected = {name: field(board, name) for name in names}
    except (PositionError, DamagedLineError) as error:
        raise DamagedLineError(f"`{path}`: {error}") from error
    table, held = _table(height, width)
    count = height * width
    rows = [table[count * first : count * (first + 1)] for first in range(count)]
    winning = [list(divmod(n, width)) for n in range(count) if "1" not in rows[n]]
    got = {
        "winner": 0 if winning else 1,
        "winningFirst": winning,
        "pairs": count * (count - 1),
        "pairsWonByFirst": table.count("0"),
        "colourRuleHolds": held,
        "table": table,
    }
    return list(differences(expected, got, path)), count * (count - 1)


def _replay_small(record: Mapping[str, Any]) -> Replay:
    boards = field(record, "boards")
    if not isinstance(boards, list):
        raise DamagedLineError("`boards` is no list")
    replays = [_replay_board(board, f"boards[{index}]") for index, board in enumerate(boards)]
    return Replay(
        tuple(found for differing, _ in replays for found in differing),
        lambda: "the empty boards",
        lambda: "every pair of placements",
        sum(pairs for _, pairs in replays),
    )


def _is_state(record: Mapping[str, Any]) -> bool:
    return bool(_STATE_MARKS & record.keys())


FORMATS = (
    VectorFormat(
        "isolation",
        lambda record: _is_state(record) and not _ENDGAME_MARKS & record.keys(),
        _replay,
    ),
    VectorFormat(
        "isolation-endgames",
        lambda record: _is_state(record) and bool(_ENDGAME_MARKS & record.keys()),
        _replay_endgame,
        agent="perfect",
    ),
    VectorFormat(
        "isolation-small",
        lambda record: "boards" in record,
        _replay_small,
        agent="perfect",
    ),
)
