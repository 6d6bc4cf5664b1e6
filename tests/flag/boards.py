"""Positions to test with: set up by hand, or drawn by hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engines.flag.position import (
    DIRECTIONS,
    MAX_DISTANCE,
    NAMES,
    STAND,
    STARTS,
    TEAMS,
    Orders,
    Piece,
    Position,
    members,
    order_of,
)
from engines.flag.step import Round
from engines.flag.step import play as play_round

Cell = tuple[int, int]


def board(
    side: str | None = None,
    dead: str = "",
    carries: str = "",
    pending: str = "",
    **cells: Cell,
) -> Position:
    """A position: pieces stand on their start cells unless told otherwise (`A1=(5, 5)`)."""
    carriers: list[int | None] = [None, None]
    for name in carries.split():
        carriers[1 - TEAMS.index(name[0])] = NAMES.index(name)
    return Position(
        tuple(
            Piece(*cells.get(name, start), name not in dead.split())
            for name, start in zip(NAMES, STARTS, strict=True)
        ),
        (carriers[0], carriers[1]),
        tuple(sorted(NAMES.index(name) for name in pending.split())),
        7,
        None,
        side,
    )


def orders(**given: str) -> Orders:
    """Orders of all six pieces: `A1="down 3"`; the others stand."""
    found = [STAND] * 6
    for name, words in given.items():
        direction, distance = words.split()
        found[NAMES.index(name)] = DIRECTIONS.index(direction), int(distance)
    return tuple(found)


def play(position: Position, **given: str) -> Round:
    """One round by orders given by piece name."""
    return play_round(position, orders(**given))


def living(position: Position) -> set[str]:
    return {name for name, piece in zip(NAMES, position.pieces, strict=True) if piece.alive}


def commands(given: Orders) -> dict[str, list[dict[str, Any]]]:
    """Orders as a vector line has them."""
    return {
        team: [order_of(piece, given[piece]) for piece in members(index)] for index, team in enumerate(TEAMS)
    }


ORDERS = st.tuples(
    *[st.tuples(st.integers(0, len(DIRECTIONS) - 1), st.integers(0, MAX_DISTANCE)) for _ in range(6)]
)
SIDES = st.sampled_from(TEAMS)

# Cells that matter come up often: flags, keys, start cells, both zones and the middle line.
_CELLS = st.one_of(
    st.tuples(st.integers(0, 10), st.integers(0, 10)),
    st.sampled_from(
        [*STARTS, (5, 10), (5, 0), (9, 1), (1, 9), (4, 10), (6, 9), (6, 0), (4, 1), (5, 5), (4, 5)]
    ),
)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position that the invariants allow, reachable or not, the game being on."""
    pieces = tuple(Piece(*draw(_CELLS), draw(st.integers(0, 3)) > 0) for _ in range(6))
    carriers = []
    rescuers: list[int] = []
    for team in (0, 1):
        enemies = [i for i in members(1 - team) if pieces[i].alive]
        carriers.append(draw(st.sampled_from([None, *enemies])))
        mine = [i for i in members(team) if pieces[i].alive]
        if mine and draw(st.integers(0, 3)) == 0:
            rescuers.append(draw(st.sampled_from(mine)))
    return Position(
        pieces, (carriers[0], carriers[1]), tuple(rescuers), draw(st.integers(1, 60)), None, draw(SIDES)
    )
