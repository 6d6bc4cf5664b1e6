"""The solution of a board: who wins after each pair of placements, by which first moves and which answers.

Pairs are taken up to the symmetries of the board, (mover, other) with the two cells alone taken. Each
pair is solved by itself, so the run can stop after any and be resumed from what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, permutations

from engines.isolation.board import KNIGHT_STEPS, UNPLACED, cell_of, square_of, squares_in
from engines.isolation.position import Position, after, start
from engines.isolation.rules import legal_squares, play
from engines.isolation.solver.proof import MovesProof, TranspositionTable

Pair = tuple[int, int]
"""The squares of the side to move and of the other."""
Answers = tuple[int, ...]
"""For each first move of a pair, in the order of the knight steps, the mask of the steps that win against it:
0 where that move wins."""

SLICE = 1 << 16
"""Solver nodes between two calls of `go_on`."""
WAYS = 16
"""Entries per bucket of the transposition table; a whole solution reuses more than one decision."""


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


@lru_cache(maxsize=81)
def _classes(height: int, width: int) -> dict[Pair, tuple[Pair, tuple[int, ...]]]:
    """The least image of every pair, and the symmetry that leads there."""
    count = height * width
    images = symmetries(height, width)
    inverses = [tuple(sorted(range(count), key=image.__getitem__)) for image in images]
    found: dict[Pair, tuple[Pair, tuple[int, ...]]] = {}
    for pair in permutations(range(count), 2):
        if pair not in found:
            for image, inverse in zip(images, inverses, strict=True):
                found[image[pair[0]], image[pair[1]]] = pair, inverse
    return found


def canonical(height: int, width: int, pair: Pair) -> tuple[Pair, tuple[int, ...]]:
    """The least image of a pair, and the symmetry that leads there."""
    return _classes(height, width)[pair]


@lru_cache(maxsize=81)
def pairs(height: int, width: int) -> tuple[Pair, ...]:
    """One pair of each class, rising."""
    return tuple(sorted({least for least, _ in _classes(height, width).values()}))


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


def first_moves(height: int, width: int, pair: Pair) -> list[int]:
    """The squares that the side to move of a pair may go to, in the order of the knight steps."""
    row, column = cell_of(width, pair[0])
    cells = ((row + down, column + right) for down, right in KNIGHT_STEPS)
    squares = (square_of(width, *cell) for cell in cells if 0 <= cell[0] < height and 0 <= cell[1] < width)
    return [square for square in squares if square != pair[1]]


def solve_pair(
    height: int,
    width: int,
    pair: Pair,
    table: TranspositionTable,
    go_on: Callable[[int], bool] = lambda nodes: True,
) -> Answers | None:
    """What wins against each first move of a pair.

    `go_on` is asked with the nodes of each slice, a few times a second and more; None where it ends
    the work.
    """
    answers = []
    for first in first_moves(height, width, pair):
        proof = MovesProof(play(placed(height, width, pair), first), table, all_moves=True)
        while not proof.resolved:
            if not go_on(proof.run(SLICE)):
                return None
        answers.append(mask_of(width, pair[1], {square for square, wins in proof.values.items() if wins}))
    return tuple(answers)


def solutions(
    height: int, width: int, known: Mapping[Pair, Answers], ways: int = WAYS
) -> Iterator[tuple[Pair, Answers]]:
    """The answers to each pair that is not known yet."""
    table = TranspositionTable(height * width, ways)
    for pair in pairs(height, width):
        if pair not in known:
            answers = solve_pair(height, width, pair, table)
            assert answers is not None
            yield pair, answers


def encode(height: int, width: int, known: Mapping[Pair, Answers]) -> str:
    """The solved board as text: two hexadecimal digits for each first move of each pair, in order."""
    return "".join(f"{mask:02x}" for pair in pairs(height, width) for mask in known[pair])


def decode(height: int, width: int, text: str) -> dict[Pair, Answers]:
    """The answers of an encoded solution."""
    masks = iter(bytes.fromhex(text))
    return {
        pair: tuple(islice(masks, len(first_moves(height, width, pair)))) for pair in pairs(height, width)
    }


def values(position: Position, known: Mapping[Pair, Answers]) -> dict[int, bool] | None:
    """Which moves win, read from a solution: until the second move after the placements; else None."""
    height, width = position.height, position.width
    squares = range(height * width)
    blank = set(squares_in(*position.blank))
    mover, other = position.mover_at, position.other_at
    left = [square for square in squares if square not in blank and square not in position.at]

    def wins(first: int, second: int) -> bool:
        return 0 in known[canonical(height, width, (first, second))[0]]

    if not left and (mover, other) == (UNPLACED, UNPLACED):
        return {first: all(wins(first, second) for second in squares if second != first) for first in squares}
    if other == UNPLACED:
        return None
    if not left and mover == UNPLACED:
        return {second: not wins(other, second) for second in squares if second != other}
    if mover == UNPLACED or len(left) > 1:
        return None
    # where one more cell is taken, the other side has come from there by the first move
    pair, image = canonical(height, width, (left[0], mover) if left else (mover, other))
    firsts = first_moves(height, width, pair)
    if not left:
        winning = {square for square, mask in zip(firsts, known[pair], strict=True) if mask == 0}
    elif image[other] in firsts:
        winning = set(steps_of(width, pair[1], known[pair][firsts.index(image[other])]))
    else:
        return None
    return {square: image[square] in winning for square in legal_squares(position)}
