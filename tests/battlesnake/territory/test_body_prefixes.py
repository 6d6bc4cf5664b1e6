"""Body prefixes: kept up to date along a search they say the same as when they are laid anew."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import Position
from engines.battlesnake.rules import copy_state, is_over, play_turn, restore_state
from engines.battlesnake.search.zobrist import zobrist_key, zobrist_key_from_prefixes, zobrist_numbers
from engines.battlesnake.state import State, pack, scratch_copy
from engines.battlesnake.territory.body_prefixes import extend_prefix, incremental_context
from engines.battlesnake.territory.context import FloodContext, flood_context, territory_table
from engines.battlesnake.territory.territory import measure_territory
from tests.battlesnake.boards import request
from tests.battlesnake.territory.test_territory import Plain

DEPTH = 6


def surveyed(state: State, made: FloodContext) -> list[list[int]]:
    found = territory_table(state)
    measure_territory(state, made, found)
    return [list(row) for row in found.tolist()]


def tree(rng: Random, root: Position, steps: int) -> int:
    """Play from the root as a search does, down and up again, and compare at every node; how many had a snake
    that had just eaten."""
    start = pack(root)
    numbers = zobrist_numbers(len(start.occupancy), len(start.snakes))
    made = incremental_context(flood_context(start), start, DEPTH, numbers)
    assert made.grid[0].incremental == 1, root
    plies = [scratch_copy(start) for _ in range(DEPTH + 1)]
    moves = np.zeros(len(start.snakes), np.int64)
    # Which state each ply holds, and of which state above it is a child.
    versions, held = [-1] * (DEPTH + 1), [-2] * (DEPTH + 1)
    ply = fed = 0
    for step in range(steps):
        if ply == DEPTH or is_over(plies[ply]) or rng.random() < 0.3:
            ply = rng.randint(0, ply)
            continue
        before, after = plies[ply], plies[ply + 1]
        for i in range(len(moves)):
            open_ones = [
                m for m in range(4) if before.occupancy[before.neighbours[before.snakes[i].head, m]] == 0
            ]
            moves[i] = rng.choice(open_ones or range(4))
        (restore_state if held[ply + 1] == versions[ply] else copy_state)(after, before)
        play_turn(after, moves)
        ply += 1
        held[ply], versions[ply] = versions[ply - 1], step
        living = [i for i in range(len(moves)) if after.snakes[i].cause <= 0]
        for i in living:
            extend_prefix(after, made, i, numbers)
        fed += any(after.snakes[i].length > before.snakes[i].length for i in living)
        if living:
            assert surveyed(after, made) == surveyed(after, flood_context(start)), (root, ply)
            assert zobrist_key_from_prefixes(after, made, numbers) == zobrist_key(
                after, made.root_food, numbers
            ), (root, ply)
    return fed


def middles(count: int, seed: int, **options: object) -> list[Position]:
    """Boards from games at random, some turns old, with plenty of food."""
    rng, found = Random(seed), []
    while len(found) < count:
        number = rng.randrange(1 << 30)
        position = BATTLESNAKE.new({"foodSpawnChance": 60, "minimumFood": 8, **options}, number)
        for _ in range(rng.randint(2, 40)):
            if not position.over:
                legal = BATTLESNAKE.legal(position)
                said = {snake.id: rng.choice(legal[snake.id]) for snake in position.snakes}
                position = BATTLESNAKE.step(position, said, rng.randrange(1 << 30)).position
        if not position.over and all(len(set(s.body)) >= len(s.body) - 1 for s in position.snakes):
            found.append(position)
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"snakes": 2},
        {"snakes": 4, "width": 9, "height": 13},
        {"snakes": 2, "ruleset": "constrictor"},
        {"snakes": 3, "width": 5, "height": 5},
    ],
    ids=str,
)
def test_incremental_prefixes_are_what_a_fresh_count_finds(options: dict[str, object]) -> None:
    rng = Random(31)
    fed = sum(tree(rng, position, 40) for position in middles(8, 32, **options))
    assert fed > 5 or "ruleset" in options, fed


def test_a_doubled_tail_may_begin_a_prefix_and_eat_again() -> None:
    food = [{"x": x, "y": y} for x in range(7) for y in range(3, 7)]
    body = [(3, 2), (3, 1), (3, 0), (3, 0)]
    root = parse(request(body, [(0, 2), (0, 1), (0, 0), (0, 0)], size=(7, 7), food=food))
    assert tree(Random(5), root, 200) > 50


@pytest.mark.parametrize(
    "body", [[(1, 1)] * 3, [(1, 1), (1, 0), (1, 0), (1, 0)], [(1, 1), (1, 0), (1, 1), (2, 1)]], ids=str
)
def test_bodies_that_cross_themselves_are_laid_each_time(body: list[tuple[int, int]]) -> None:
    state = pack(parse(request(body, [(5, 5), (5, 4), (5, 3)], size=(7, 7))))
    plain = flood_context(state)
    assert incremental_context(plain, state, DEPTH, zobrist_numbers(len(state.occupancy), 2)) is plain


@pytest.mark.parametrize(
    ("ruleset", "mine", "theirs"),
    [
        ("standard", [(0, 0), (1, 0), (1, 0), (1, 0)], [(0, 1), (0, 2), (0, 3), (0, 4)]),
        ("constrictor", [(0, 0), (1, 0), (1, 0), (1, 0)], [(4, 4), (4, 5), (4, 6), (3, 6), (2, 6)]),
        (
            "standard",
            [(3, 3), (3, 2), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3), (2, 2), (3, 2), (3, 2)],
            [(3, 1), (3, 0), (2, 0)],
        ),
        ("constrictor", [(0, 0), (1, 0), (2, 0), (2, 0)], [(4, 4), (4, 5), (4, 6), (4, 6)]),
    ],
    ids=str,
)
def test_bodies_in_heaps_are_counted_as_ever(
    ruleset: str, mine: list[tuple[int, int]], theirs: list[tuple[int, int]]
) -> None:
    position = parse(request(mine, theirs, size=(7, 7), ruleset=ruleset))
    state = pack(position)
    assert surveyed(state, flood_context(state)) == Plain(position).rows()


def test_food_in_heaps_and_other_forms_are_laid_each_time() -> None:
    bodies = [(1, 1), (1, 0), (0, 0)], [(5, 5), (5, 4), (5, 3)]
    heap = pack(parse(request(*bodies, size=(7, 7), food=[{"x": 2, "y": 2}] * 2)))
    wrapped = pack(parse(request(*bodies, size=(7, 7), ruleset="wrapped")))
    for state in (heap, wrapped):
        plain = flood_context(state)
        assert incremental_context(plain, state, DEPTH, zobrist_numbers(len(state.occupancy), 2)) is plain
