"""The board for a terminal."""

from __future__ import annotations

from itertools import groupby

from engines.flag.position import HOMES, NAMES, SIZE, TEAMS, Cell, Position, in_zone, members

_WIDTH = 5


def render(position: Position) -> str:
    """The board with A's land on top, and under it what the board has no room for.

    `A12B3`: pieces A1, A2 and B3 on one cell; `fA`: A's flag at home; `kA`: A's rescue key; `:` an
    active no-guard zone; `-` the neutral row.
    """
    if position.over:
        status = f"finished, {TEAMS[position.winner or 0]} has won"
    else:
        status = "playing" if position.side is None else f"playing, {position.side} to order"
    lines = [f"round {position.round}, {status}"]
    for y in reversed(range(SIZE)):
        row = (f"{_cell(position, (x, y)):^{_WIDTH}}" for x in range(SIZE))
        lines.append(f"{y:>2} {''.join(row)}".rstrip())
    lines.append("   " + "".join(f"{x:^{_WIDTH}}" for x in range(SIZE)).rstrip())
    for team, name in enumerate(TEAMS):
        lines.append(f"{name}: " + ", ".join(_piece(position, piece) for piece in members(team)))
    return "\n".join(lines)


def _cell(position: Position, cell: Cell) -> str:
    here = [NAMES[i] for i, piece in enumerate(position.pieces) if piece.alive and piece.cell == cell]
    if here:
        return "".join(
            team + "".join(name[1] for name in names)
            for team, names in groupby(here, key=lambda name: name[0])
        )
    for team, name in enumerate(TEAMS):
        if cell == HOMES[team] and position.carriers[team] is None:
            return f"f{name}"
        if cell == position.key(team):
            return f"k{name}"
        if position.zone_active(team) and in_zone(*cell, team):
            return ":"
    return "-" if cell[1] == SIZE // 2 else "."


def _piece(position: Position, piece: int) -> str:
    entry = position.pieces[piece]
    parts = [NAMES[piece], f"({entry.x},{entry.y})" if entry.alive else "in jail"]
    parts += [f"carries {TEAMS[flag]}'s flag" for flag in (0, 1) if position.carriers[flag] == piece]
    if piece in position.rescuers:
        parts.append("goes to its start cell first")
    return " ".join(parts)
