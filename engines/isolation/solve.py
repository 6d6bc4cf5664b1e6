"""The solution of a board: who wins after each pair of placements, and by which first moves.

Pairs are taken up to the symmetries of the board, (mover, other) with the two cells alone taken. The work
is cut into pairs, so it can be stopped after any and gone on with from what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from engines.isolation.board import KNIGHT_STEPS, UNPLACED, cell_of, square_of
from engines.isolation.position import Position, after, start
from engines.isolation.proof import Decided, Spread
from engines.isolation.rules import legal_squares

Pair = tuple[int, int]
"""The squares of the side to move and of the other."""

SLICE = 1 << 16
WAYS = 16
"""Verdicts that are kept for each pair of squares: more than a single decision keeps."""


@lru_cache(maxsize=81)
def symmetries(height: int, width: int) -> tuple[tuple[int, ...], ...]:
    """The image of every square under each symmetry of the board, the identity first."""
    bottom, right = height - 1, width - 1
    turns = [(False, down, across) for down in (False, True) for across in (False, True)]
    if height == width:
        turns += [(True, down, across) for _, down, across in turns]
    images = []
    for swap, down, across in turns:
        image = []
        for square in range(height * width):
            row, column = cell_of(width, square)
            row, column = bottom - row if down else row, right - column if across else column
            image.append(square_of(width, *((column, row) if swap else (row, column))))
        images.append(tuple(image))
    return tuple(images)


def canonical(height: int, width: int, pair: Pair) -> tuple[Pair, tuple[int, ...]]:
    """The least image of a pair, and the symmetry that leads there."""
    return min(((image[pair[0]], image[pair[1]]), image) for image in symmetries(height, width))


@lru_cache(maxsize=81)
def pairs(height: int, width: int) -> tuple[Pair, ...]:
    """One pair of each class, rising."""
    count = height * width
    every = ((first, second) for first in range(count) for second in range(count) if first != second)
    return tuple(sorted({canonical(height, width, pair)[0] for pair in every}))


def placed(height: int, width: int, pair: Pair) -> Position:
    """The position of a pair, player 0 to move."""
    return after(after(start(height, width), pair[0]), pair[1])


def steps_of(width: int, at: int, mask: int) -> list[int]:
    """The squares that a mask of knight steps (the n-th bit for the n-th step) leads to."""
    row, column = cell_of(width, at)
    return [
        square_of(width, row + down, column + right)
        for number, (down, right) in enumerate(KNIGHT_STEPS)
        if mask >> number & 1
    ]


def mask_of(width: int, at: int, squares: set[int]) -> int:
    """The mask of the knight steps that lead to these squares."""
    row, column = cell_of(width, at)
    cells = {cell_of(width, square) for square in squares}
    return sum(
        1 << number
        for number, (down, right) in enumerate(KNIGHT_STEPS)
        if (row + down, column + right) in cells
    )


def solve_pair(
    height: int, width: int, pair: Pair, decided: Decided, go_on: Callable[[int], bool] = lambda nodes: True
) -> int | None:
    """The mask of winning first moves of a pair (0: the side to move has lost).

    `go_on` is asked with the nodes of each slice, a few times a second and more; None where it ends
    the work.
    """
    proof = Spread(placed(height, width, pair), decided, thorough=True)
    while not proof.settled:
        if not go_on(proof.work(SLICE)):
            return None
    return mask_of(width, pair[0], {square for square, wins in proof.values.items() if wins})


def solutions(
    height: int, width: int, known: Mapping[Pair, int], ways: int = WAYS
) -> Iterator[tuple[Pair, int]]:
    """The mask of each pair that is not known yet."""
    decided = Decided(height * width, ways)
    for pair in pairs(height, width):
        if pair not in known:
            mask = solve_pair(height, width, pair, decided)
            assert mask is not None
            yield pair, mask


def encode(height: int, width: int, masks: Mapping[Pair, int]) -> str:
    """The solved board as text: two hexadecimal digits for each pair, in order."""
    return "".join(f"{masks[pair]:02x}" for pair in pairs(height, width))


def decode(height: int, width: int, text: str) -> dict[Pair, int]:
    """The masks of an encoded solution."""
    return {
        pair: int(text[2 * number : 2 * number + 2], 16) for number, pair in enumerate(pairs(height, width))
    }


def values(position: Position, masks: Mapping[Pair, int]) -> dict[int, bool] | None:
    """Which moves win, read from a solution: before and right after the placements; else None."""
    height, width = position.height, position.width
    count = height * width
    blank = sum(word.bit_count() for word in position.blank)

    def mask(mover: int, other: int) -> tuple[int, tuple[int, ...]]:
        pair, image = canonical(height, width, (mover, other))
        return masks[pair], image

    taken = [at for at in position.at if at != UNPLACED]
    if count - blank != len(taken):
        return None
    squares = range(count)
    if not taken:
        return {
            first: all(mask(first, second)[0] for second in squares if second != first) for first in squares
        }
    if len(taken) == 1:
        other = position.other_at
        if other == UNPLACED:
            return None
        return {second: mask(other, second)[0] == 0 for second in squares if second != other}
    winning, image = mask(position.mover_at, position.other_at)
    back = {there: here for here, there in enumerate(image)}
    wins = {back[square] for square in steps_of(width, image[position.mover_at], winning)}
    return {square: square in wins for square in legal_squares(position)}
