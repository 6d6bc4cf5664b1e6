"""Positions for the tests, drawn or from random play."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.oracles.isolation import Board


def attributes(state: Any) -> Any:
    """The same state of a kernel, its records with fields as attributes, as plain Python needs them."""
    return type(state)(
        *(part.view(np.recarray) if getattr(part, "dtype", np.dtype(int)).names else part for part in state)
    )


def drawn(text: str, to_move: int = 0) -> dict[str, Any]:
    """The state of a drawing: `.` blank, `#` blocked, `0` and `1` the players."""
    rows = [line.split() for line in text.split("\n") if line.strip()]
    players: list[list[int] | None] = [None, None]
    blocked = []
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != ".":
                blocked.append([row, column])
            if sign in "01":
                players[int(sign)] = [row, column]
    return {
        "width": len(rows[0]),
        "height": len(rows),
        "blocked": blocked,
        "players": players,
        "toMove": to_move,
    }


@st.composite
def states(draw: st.DrawFn, largest: int = 9) -> dict[str, Any]:
    """Any state that the rules accept, most of them of no real game."""
    height, width = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    cells = [(row, column) for row in range(height) for column in range(width)]
    blocked = draw(st.sets(st.sampled_from(cells)))
    undecided = draw(st.permutations(sorted(blocked)))[: draw(st.integers(0, 2))]
    players = [*undecided, None, None][:2]
    if draw(st.booleans()):
        players.reverse()
    return Board(height, width, frozenset(blocked), tuple(players), draw(st.integers(0, 1))).state()
