"""Territory: hand-made boards, and the fast form against the plain one and against plain Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import OFFSETS, Position
from engines.battlesnake.state import pack
from engines.battlesnake.territory.context import (
    BITBOARDS,
    CELL_BFS,
    HARMLESS,
    HEALING,
    HORIZON,
    HURTING,
    ROW_BITBOARDS,
    TERRITORY,
    flood_context,
    territory_table,
)
from engines.battlesnake.territory.territory import measure_territory
from tests.battlesnake.boards import board_request, request, turn

_CELLS, _HAZARD_CELLS, _FOOD_CELLS, _FOOD_DISTANCE, _TAIL_REACHED = range(len(TERRITORY.names))
"""Columns of a row of TERRITORY as `surveyed` lists it."""


def surveyed(position: Position, form: int | None = None) -> list[list[int]]:
    """What is found, by the form that the board calls for or by another one."""
    state = pack(position)
    made = flood_context(state, form)
    found = territory_table(state)
    measure_territory(state, made, found)
    return [list(row) for row in found.tolist()]


class Plain:
    """The territory in the words of its description, over all cells at each step."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.until: dict[tuple[int, int], int] = {}
        for snake in position.snakes:
            for k, cell in enumerate(snake.body):
                stays = position.constrictor and k < len(snake.body) - 1
                leaves = HORIZON + 1 if stays else len(snake.body) - k
                self.until[cell] = max(leaves, self.until.get(cell, 0))
        self.owner: dict[tuple[int, int], int | None] = {}
        self.since: dict[tuple[int, int], int] = {}
        self.power: dict[tuple[int, int], int] = {}
        self.meal = [0] * len(position.snakes)

    def arrival(self, cell: tuple[int, int], power: int, step: int, meal: int) -> int:
        """The power after coming to a cell; at most the step where that is deadly."""
        if power < step:
            return 0
        if cell in self.position.food:
            return 100 + (meal or step)
        health = power - step
        for _ in range(self.position.hazards.count(cell)):
            health = max(0, min(100, health - self.position.settings.hazard_damage))
            if health == 0:
                return 0
        return health + step if health > 0 else 0

    def rows(self) -> list[list[int]]:
        position = self.position
        shut = []
        for index, snake in enumerate(position.snakes):
            if position.contains(snake.head):
                self.owner[snake.head] = index
                self.since[snake.head] = 0
                self.power[snake.head] = snake.health
            shut.append(not all(position.contains(cell) for cell in (snake.head, *snake.body[:-1])))
        board = [(x, y) for x in range(position.width) for y in range(position.height)]
        for step in range(1, HORIZON + 1):
            asked: dict[tuple[int, int], dict[int, int]] = {}
            for cell in board:
                for beside in (position.destination(cell, move) for move in OFFSETS):
                    who = self.owner.get(beside)
                    if who is None or shut[who] or (step - self.since[beside]) % 2 == 0:
                        continue
                    power = self.arrival(cell, self.power[beside], step, self.meal[who])
                    occupancy = cell in self.owner
                    if power <= step or (occupancy and (self.owner[cell] != who or cell in position.food)):
                        continue
                    if not occupancy and self.until.get(cell, 0) > step:
                        continue
                    asked.setdefault(cell, {})
                    asked[cell][who] = max(power, asked[cell].get(who, 0))
            grown = set()
            for cell, askers in asked.items():
                if cell in self.owner:
                    self.power[cell] = max(self.power[cell], *askers.values())
                    continue
                longest = max(len(position.snakes[who].body) for who in askers)
                first = [who for who in askers if len(position.snakes[who].body) == longest]
                self.owner[cell] = first[0] if len(first) == 1 else None
                if len(first) == 1:
                    grown.add(first[0])
                    self.since[cell] = step
                    self.power[cell] = askers[first[0]]
                    if cell in position.food and not self.meal[first[0]]:
                        self.meal[first[0]] = step
            for who in range(len(shut)):
                if who not in grown and list(self.owner.values()).count(who) <= step:
                    shut[who] = True
        return [self.row(index) for index in range(len(position.snakes))]

    def row(self, index: int) -> list[int]:
        position = self.position
        snake = position.snakes[index]
        mine = [cell for cell, who in self.owner.items() if who == index and cell != snake.head]
        hurts = position.settings.hazard_damage > 0
        hot = [cell for cell in mine if hurts and cell in position.hazards and cell not in position.food]
        meals = [cell for cell in mine if cell in position.food]
        tail = self.owner.get(snake.body[-1]) == index if snake.body[-1] in self.owner else False
        return [len(mine), len(hot), len(meals), self.meal[index], int(tail)]


def boards(count: int, seed: int) -> list[Position]:
    """Crowded boards without two heads on one cell, which no turn leaves behind."""
    rng = Random(seed)
    found = []
    while len(found) < count:
        line = turn(rng)
        snakes = line["before"]["snakes"]
        heads = {(snake["body"][0]["x"], snake["body"][0]["y"]) for snake in snakes}
        if snakes and len(heads) == len(snakes):
            found.append(parse(board_request(line)))
    return found


def played(count: int, seed: int) -> list[Position]:
    """Boards as random games of every ruleset leave them."""
    rng = Random(seed)
    found: list[Position] = []
    rulesets = ("standard", "constrictor", "wrapped", "royale", "wrapped_constrictor", "solo")
    while len(found) < count:
        options: dict[str, Any] = {
            "ruleset": rulesets[len(found) % len(rulesets)],
            "snakes": rng.randint(1, 4),
            "width": rng.randint(3, 12),
            "height": rng.randint(3, 12),
            "shrinkEveryNTurns": 3,
        }
        position = BATTLESNAKE.new(options, rng.randrange(1000))
        for number in range(rng.randint(2, 60)):
            words = {name: rng.choice(legal) for name, legal in BATTLESNAKE.legal(position).items()}
            step = BATTLESNAKE.step(position, words, number)
            if step.over:
                break
            position = step.position
        found.append(position)
    return found


def tormented(positions: list[Position], seed: int) -> list[Position]:
    """The same boards with hazards, food and healths of all kinds."""
    rng = Random(seed)
    found = []
    for position in positions:
        cells = [(x, y) for x in range(position.width) for y in range(position.height)]
        damage = rng.choice((-20, -5, 7, 14, 15, 30, 49, 50, 97, 98, 99, 100, 150))
        found.append(
            replace(
                position,
                hazards=tuple(rng.choices(cells, k=rng.choice((5, 20, 60, 150)))),
                food=tuple(rng.sample(cells, min(len(cells), rng.choice((0, 1, 3, 8))))),
                settings=replace(position.settings, hazard_damage=damage),
                snakes=tuple(
                    replace(snake, health=rng.choice((1, 2, 15, 16, 29, 30, 50, 100, rng.randint(1, 100))))
                    for snake in position.snakes
                ),
            )
        )
    return found


@pytest.mark.machine_code
def test_every_form_finds_what_the_description_says() -> None:
    fitted = Counter[tuple[int, int]]()
    given = [*boards(250, 4), *played(90, 5)]
    for position in (*given, *tormented(given, 6)):
        expected = Plain(position).rows()
        grid = flood_context(pack(position)).grid[0]
        fastest = int(grid.form)
        forms = {fastest, CELL_BFS}
        if fastest == BITBOARDS and grid.layers == 1:
            forms.add(ROW_BITBOARDS)
        for form in forms:
            assert surveyed(position, form) == expected, (form, position)
        fitted[fastest, int(grid.hazards)] += 1
    assert min(fitted[BITBOARDS, kind] for kind in (HARMLESS, HURTING, HEALING)) > 25, fitted
    assert min(fitted[ROW_BITBOARDS, kind] for kind in (HARMLESS, HURTING, HEALING)) > 10, fitted


def test_a_few_that_need_no_machine_code_to_be_quick() -> None:
    given = [*boards(6, 14), *played(6, 15)]
    for position in (*given, *tormented(given, 16)):
        assert surveyed(position) == Plain(position).rows(), position


@pytest.mark.machine_code
def test_any_board_is_surveyed() -> None:
    for ruleset in ("standard", "wrapped"):
        for snakes, width, height in (
            (1, 1, 1),
            (16, 64, 64),
            (2, 1, 64),
            (2, 64, 1),
            (8, 25, 25),
            (2, 63, 2),
        ):
            position = BATTLESNAKE.new(
                {"ruleset": ruleset, "snakes": snakes, "width": width, "height": height}, 1
            )
            cells = sum(row[_CELLS] for row in surveyed(position))
            assert cells <= width * height - snakes
            assert cells > 0 or width * height == 1


# A tail of mine lies in the only way out of a pocket; it has gone by the time I come.
CURLED = [(1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1)]


def test_a_tail_gives_way_in_time() -> None:
    short = surveyed(parse(request(CURLED, size=(7, 7))))[0]
    assert short[_TAIL_REACHED] == 1
    assert short[_CELLS] == 48  # all but the head


def test_who_is_shut_in_longer_than_it_has_cells_ends_there() -> None:
    # Six cells with the head's. The wall before (2, 0) goes when its snake's tail has come there.
    wall = [(x, 6) for x in range(6, -1, -1)] + [(0, 5), (0, 4), (0, 3), (0, 2), (1, 2), (2, 2), (3, 2)]
    wall += [(3, 1), (3, 0)]
    tail = [(4, 0), (5, 0), (6, 0), (6, 1), (6, 2), (6, 3)]
    mine = [(0, 0), (0, 1), (1, 1), (2, 1)]
    in_time = surveyed(parse(request(mine, wall + tail[:4], size=(7, 7))))
    assert in_time[0][_CELLS] > 5
    too_late = surveyed(parse(request(mine, wall + tail, size=(7, 7))))
    assert too_late[0][_CELLS] == 5
    assert too_late[0][_TAIL_REACHED] == 1


def test_the_longer_takes_what_both_reach_and_equals_close_it() -> None:
    even = surveyed(parse(request([(0, 0)] * 3, [(4, 0)] * 3, size=(5, 1))))
    assert [row[_CELLS] for row in even] == [1, 1]
    longer = surveyed(parse(request([(0, 0)] * 4, [(4, 0)] * 3, size=(5, 1))))
    assert [row[_CELLS] for row in longer] == [2, 1]


def test_health_is_spent_and_food_restores_it() -> None:
    position = parse(request([(0, 0)] * 3, size=(9, 1), health=3))
    assert surveyed(position)[0] == [2, 0, 0, 0, 1]
    fed = parse(request([(0, 0)] * 3, size=(9, 1), health=3, food=[{"x": 2, "y": 0}]))
    assert surveyed(fed)[0] == [8, 0, 1, 2, 1]
    too_far = parse(request([(0, 0)] * 3, size=(9, 1), health=3, food=[{"x": 4, "y": 0}]))
    assert surveyed(too_far)[0][_FOOD_CELLS] == 0
    just = parse(request([(0, 0)] * 3, size=(9, 1), health=3, food=[{"x": 3, "y": 0}]))
    assert surveyed(just)[0][_FOOD_DISTANCE] == 3


def test_hazards_cost_by_their_layers() -> None:
    def across(layers: int, damage: int, health: int) -> list[int]:
        body = request([(0, 0)] * 3, size=(5, 1), health=health, hazards=[{"x": 2, "y": 0}] * layers)
        body["game"]["ruleset"]["settings"] = {"hazardDamagePerTurn": damage}
        return surveyed(parse(body))[0]

    assert across(2, 15, 90)[:2] == [4, 1]
    assert across(2, 15, 32)[:2] == [1, 0]
    assert across(2, 15, 33)[:2] == [2, 1]
    assert across(1, -20, 3)[_CELLS] == 4
    assert across(1, -20, 3)[_HAZARD_CELLS] == 0
    assert across(0, 15, 3)[_CELLS] == 2


def test_a_constrictors_body_never_gives_way() -> None:
    position = parse(request([(0, 0), (1, 0), (2, 0), (2, 0)], size=(5, 1), ruleset="constrictor"))
    assert surveyed(position)[0][_CELLS] == 0


def test_edges_lead_over_where_they_are_open() -> None:
    body = [(0, 0), (1, 0), (2, 0), (2, 0), (2, 0), (2, 0)]
    assert surveyed(parse(request(body, size=(6, 1), ruleset="wrapped")))[0][_CELLS] == 5
    assert surveyed(parse(request(body, size=(6, 1))))[0][_CELLS] == 0


def test_over_an_edge_a_cell_is_known_by_its_better_way_of_either_length() -> None:
    # Cells that open late are come to from one side, and then from the other, with more health left.
    position = parse(
        request(
            [(2, 0), (1, 0), (1, 0), (1, 0), (1, 0)],
            [(2, 2), (1, 2), (1, 1), (0, 1), (0, 2), (0, 2), (0, 2), (0, 2)],
            size=(3, 4),
            ruleset="wrapped",
            hazards=[{"x": x, "y": y} for x, y in ((1, 1), (1, 1), (0, 3), (1, 2), (0, 0))],
        )
    )
    snakes = tuple(replace(s, health=h) for s, h in zip(position.snakes, (78, 2), strict=True))
    odd = replace(position, snakes=snakes, settings=replace(position.settings, hazard_damage=30))
    assert surveyed(odd, CELL_BFS) == Plain(odd).rows() == [[8, 4, 0, 0, 1], [2, 0, 0, 0, 0]]
