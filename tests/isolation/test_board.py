"""The numbering of cells, on every board."""

import pytest

from engines.isolation.board import board_tables, cell_of, full_board, square_of, squares_in

SIZES = [(height, width) for height in range(1, 10) for width in range(1, 10)]


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_squares_number_the_cells_by_colour(height, width):
    cells = [(row, column) for row in range(height) for column in range(width)]
    squares = [square_of(width, *cell) for cell in cells]
    assert sorted(squares) == list(range(height * width))
    assert [cell_of(width, square) for square in squares] == cells
    assert all(square % 2 == sum(cell) % 2 for square, cell in zip(squares, cells, strict=True))


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_a_knight_reaches_what_geometry_says(height, width):
    knights = board_tables(height, width).knights
    for square in range(height * width):
        row, column = cell_of(width, square)
        found = [
            cell_of(width, 2 * place + 1 - square % 2) for place in range(41) if knights[square] >> place & 1
        ]
        knight_moves = [
            (r, c) for r in range(height) for c in range(width) if {abs(r - row), abs(c - column)} == {1, 2}
        ]
        assert found == knight_moves


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_words_hold_every_cell_once_in_at_most_41_bits(height, width):
    words = full_board(height, width)
    assert squares_in(*words) == list(range(height * width))
    assert max(word.bit_length() for word in words) <= 41
