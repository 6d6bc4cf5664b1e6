"""The solver against a plain search of every line, and the theorems it uses."""

import os
import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engines.isolation.board import cell_of, square_of, squares_in
from engines.isolation.game import ISOLATION
from engines.isolation.parse import parse
from engines.isolation.position import cells
from engines.isolation.rules import play, tables_of
from engines.isolation.solver.dfs import ALL, VERDICT_BIT, WON, advance, is_mirror_lost
from engines.isolation.solver.proof import NodeProof, TranspositionTable, colour_rule, solve
from engines.isolation.solver.tables import solver_tables
from engines.isolation.solver.theorems import EXACT, PATH_STEP, longest_path
from tests import vectors
from tests.isolation.positions import attributes, drawn, states
from tests.oracles import isolation as oracle
from tests.oracles.isolation import Board, random_game

SLOW = bool(os.environ.get("NUMBA_DISABLE_JIT"))
"""Without the JIT only what takes few nodes is solved."""


def placed(state):
    return None not in state["players"]


def late(height, width, seed, blank):
    """A position of a random game with at most so many blank cells, or its last."""
    game = random_game(height, width, random.Random(seed))
    return next((board for board in game[2:] if len(board.blank()) <= blank), game[-1])


@settings(max_examples=150)
@given(states(4).filter(lambda state: placed(state) or state["width"] * state["height"] < 8))
def test_every_move_has_the_value_that_a_plain_search_finds(state):
    board = Board.read(state)
    proof = solve(parse(state))
    assert proof.won == (oracle.solve(board) == board.to_move)
    assert proof.values == {
        square_of(board.width, *cell): oracle.solve(board.play(cell)) == board.to_move
        for cell in board.legal()
    }


@given(st.integers(5, 9), st.integers(5, 9), st.integers(0, 10**6))
def test_large_boards_are_solved_as_a_plain_search_solves_them(height, width, seed):
    board = late(height, width, seed, 22)
    assume(None not in board.players)
    assert solve(parse(board.state())).won == (oracle.solve(board) == board.to_move)


@pytest.mark.parametrize("ways", [1, 2, 32])
def test_the_size_of_the_table_changes_no_verdict(ways):
    for seed in range(20):
        position = parse(late(7, 7, seed, 24).state())
        assert solve(position, TranspositionTable(49, ways)).values == solve(position).values


def test_verdicts_depend_on_nodes_and_not_on_slices():
    for seed in range(10):
        position = parse(late(7, 7, seed, 26).state())
        whole, sliced = (
            NodeProof(position, TranspositionTable(49)),
            NodeProof(position, TranspositionTable(49)),
        )
        nodes = whole.run(10**6)
        assert whole.won is not None
        assert sum(sliced.run(1 + step % 3) for step in range(nodes) if sliced.won is None) == nodes
        assert sliced.won == whole.won
        assert sliced.run(5) == 0


def test_the_kernel_says_the_same_without_the_jit():
    for seed in range(5):
        position = parse(late(6, 7, seed, 22).state())
        tables = solver_tables(6, 7)
        found = []
        for kernel in (advance, getattr(advance, "py_func", advance)):
            table = TranspositionTable(42)
            state = attributes(NodeProof(position, table)._state)
            nodes = kernel(state, tables, 3000)
            found.append((nodes, state.cursor.tolist(), table.entries.tolist()))
        assert found[0] == found[1]


@given(
    st.integers(2, 5), st.integers(2, 5), st.sampled_from(["turn", "flip", "mirror", "diagonal"]), st.data()
)
def test_the_mirror_theorem_names_only_lost_positions(height, width, way, data):
    if way == "diagonal":
        width = height
    image = {
        "turn": lambda r, c: (height - 1 - r, width - 1 - c),
        "flip": lambda r, c: (height - 1 - r, c),
        "mirror": lambda r, c: (r, width - 1 - c),
        "diagonal": lambda r, c: (c, r),
    }[way]
    everywhere = [(row, column) for row in range(height) for column in range(width)]
    fixed = {cell for cell in everywhere if image(*cell) == cell}
    drawn_cells = data.draw(st.sets(st.sampled_from(everywhere)))
    own = data.draw(
        st.sampled_from(sorted(set(everywhere) - fixed)) if len(fixed) < len(everywhere) else st.nothing()
    )
    blocked = fixed | drawn_cells | {image(*cell) for cell in drawn_cells} | {own, image(*own)}
    board = Board(height, width, frozenset(blocked), (own, image(*own)), 0)
    position = parse(board.state())
    assert is_mirror_lost(*position.blank, *position.at, solver_tables(height, width))
    assert oracle.solve(board) == 1


@given(states(4).filter(placed))
def test_no_other_position_is_named(state):
    position = parse(state)
    if is_mirror_lost(
        *position.blank, position.mover_at, position.other_at, solver_tables(position.height, position.width)
    ):
        assert oracle.solve(Board.read(state)) != state["toMove"]


def plain_longest(board, cell):
    return max(
        (
            1
            + plain_longest(Board(board.height, board.width, board.blocked | {step}, board.players, 0), step)
            for step in board.around(cell)
        ),
        default=0,
    )


@given(states(4).filter(placed))
def test_the_longest_path_is_measured(state):
    position = parse(state)
    board = Board.read(state)
    path = np.zeros(83, PATH_STEP).view(np.recarray)
    for player in (0, 1):
        measure = getattr(longest_path, "py_func", longest_path)
        at, length = position.at[player], plain_longest(board, board.players[player])
        for wanted in (EXACT, length, length + 1, 1):
            least, most, even, odd = measure(*position.blank, at, wanted, tables_of(position).knights, path)
            assert least <= length <= most or (least >= wanted and least <= length)
            assert even.bit_count() + odd.bit_count() == least


def test_separated_players_race():
    state = drawn(
        """
        0 # # . # # .
        # . # # # # #
        # # # # # # #
        # # # # # # 1
        # # # # # # #
        # # # . # . #
        """
    )
    board = Board.read(state)
    assert solve(parse(state)).won == (oracle.solve(board) == 0)


def test_the_shipped_end_games_are_proved():
    for record in vectors.lines("isolation-endgames.jsonl.gz"):
        if SLOW and record["nodes"] > 2000:
            continue
        position = parse(record)
        proof = solve(position)
        assert cells(position, [square for square, wins in proof.values.items() if wins]) == record["winning"]
        assert record["winner"] == (position.to_move if proof.won else 1 - position.to_move)


def test_the_colour_rule():
    assert colour_rule(parse(drawn("0 . 1\n. . .", 0))) == 0
    assert colour_rule(parse(drawn("0 . 1\n. . .", 1))) == 1
    assert colour_rule(parse(drawn("0 1 .\n. . .", 0))) == 1


def test_empty_boards_go_to_the_second_player():
    for height, width in ((1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)):
        assert solve(ISOLATION.new({"height": height, "width": width}, 0)).won is False
    assert solve(ISOLATION.new({"height": 1, "width": 1}, 0)).won is True


def test_an_oracle_game_is_won_from_every_won_position():
    """Playing only moves proved to win leaves the opponent stuck, whatever it does."""
    chance = random.Random(3)
    for seed in range(10):
        position = parse(late(6, 6, seed, 24).state())
        winner = position.to_move if solve(position).won else 1 - position.to_move
        while legal := ISOLATION.legal(position):
            if position.to_move == winner:
                square = next(square for square, wins in solve(position).values.items() if wins)
                position = play(position, square)
            else:
                position = ISOLATION.step(position, chance.choice(legal), 0).position
        assert position.to_move != winner


@given(st.integers(0, 10**6), st.data())
def test_a_verdict_holds_wherever_its_trail_is_blank_and_its_walls_are_not(seed, data):
    """What the table keeps is asked of other positions: every one that its grounds admit."""
    height, width = data.draw(st.sampled_from([(3, 4), (4, 4), (3, 5), (4, 5)]))
    cells = height * width
    decided = TranspositionTable(cells)
    board = late(height, width, seed, 14)
    assume(None not in board.players)
    solve(parse(board.state()), decided)
    written = decided.entries["walls_odd_and_verdict"] != 0
    kept = [(row, way) for row, way in np.argwhere(written) if row % (cells + 1)]
    assume(kept)
    row, way = data.draw(st.sampled_from(kept))
    trail_even, trail_odd, walls_even, walls_odd = map(int, decided.entries[row, way].tolist())
    mover, other = divmod(int(row), cells)
    trail = set(squares_in(trail_even, trail_odd))
    free = set(range(cells)) - {mover, other} - trail - set(squares_in(walls_even, walls_odd & ALL))
    blank = trail | data.draw(st.sets(st.sampled_from(sorted(free)))) if free else trail
    assume(len(blank) <= 14)
    blocked = frozenset(cell_of(width, square) for square in range(cells) if square not in blank)
    players = (cell_of(width, mover), cell_of(width, other))
    found = oracle.solve(Board(height, width, blocked, players, 0))
    assert found == (0 if (walls_odd >> VERDICT_BIT) - 1 == WON else 1)
