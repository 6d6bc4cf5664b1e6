"""The tuned evolution: what its lines come to, against plain Python; memory, slices, every board."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from engines.battlesnake.evaluation import Weights, leaf_weights
from engines.battlesnake.evolution.evolution import TERMS, Evolution, EvolutionConfig, Memory
from engines.battlesnake.evolution.genome import (
    EVENTS,
    FREE,
    HUNGRY,
    ROOMY,
    SMART,
    STRAIGHT,
    FitnessWeights,
    Scratch,
    roll_out,
)
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, RULESETS, Position, Snake
from engines.battlesnake.state import pack, root_and_scratch
from engines.battlesnake.territory.context import flood_context, territory_table
from engines.battlesnake.weights import evaluation_weights, weights_by_mode
from engines.core.budget import Budget, Meter
from engines.core.rng import seeded
from tests.battlesnake.boards import POCKET, board_request, cell, request, solo_rule, turn
from tests.oracles import battlesnake as oracle

SMALL = EvolutionConfig(population=8, genotype=8, rival_population=6)


def legal(position: Position) -> tuple[str, ...]:
    assert position.me is not None
    return legal_moves(move_safety(position, position.me, find_obstacles(position)))


def evolve(
    position: Position, generations: int, config: EvolutionConfig = SMALL, seed: int = 3, memory: Any = None
) -> Evolution:
    evolution = Evolution(position, config, evaluation_weights(position), legal(position), seed, memory)
    while evolution.generations < generations:
        evolution.advance()
    return evolution


def decide(name: str, position: Position, iterations: int, memory: Any = None, **parameters: Any) -> Any:
    agent = BATTLESNAKE.agents[name]
    meter = Meter(Budget(iterations=iterations))
    return agent.decide(position, agent.parameters(**parameters), meter, 5, memory)


def played(
    position: Position, lines: np.ndarray[Any, Any], others: np.ndarray[Any, Any], *, leaf: bool = False
) -> np.ndarray[Any, Any]:
    """What the lines of the first snake come to; events are worth 1, undiscounted."""
    state = pack(position)
    turns = lines.shape[1]
    share = np.zeros(turns)
    share[-1] = float(leaf)
    weights = FitnessWeights(
        np.ones(turns), share, np.array([-1.0, -1.0, 1.0, 1.0]), leaf_weights(Weights(space=1.0), position)
    )
    cells = len(state.occupancy) + len(state.snakes)
    scratch = Scratch(
        flood_context(state),
        territory_table(state),
        np.zeros(len(TERMS) - len(EVENTS), np.float64),
        np.zeros(len(state.snakes), np.int64),
        np.zeros(turns, np.uint8),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
        seeded(1),
    )
    parts = np.zeros((len(lines), len(others), len(TERMS)), np.float64)
    roll_out(root_and_scratch(state), weights, scratch, 0, lines, others, parts)
    return parts


def walled(position: Position, snake: Snake) -> tuple[MoveSafety, ...]:
    """The outlooks as lines have them: every body is a wall, whatever becomes of its owner."""
    walls = frozenset(cell for one in position.snakes for cell in one.body[:-1])
    return move_safety(position, snake, replace(find_obstacles(position), bodies=walls))


def plain_word(board: dict[str, Any], snake: dict[str, Any], gene: int, line: dict[str, Any]) -> str:
    """A gene that is a word, by the text: itself where it is open, else the open one of its index."""
    position = parse(board_request({**line, "before": board}))
    me = next(one for one in position.snakes if one.id == snake["id"])
    options = walled(position, me)
    clear = [MOVES.index(option.move) for option in options if not option.cause]
    if gene in clear:
        return MOVES[gene]
    if clear:
        return MOVES[clear[gene % len(clear)]]
    free = [option.move for option in options if not option.collision]
    return free[0] if free else MOVES[0]


def test_lines_are_played_by_the_rules_in_words_that_are_open() -> None:
    rng = Random(4)
    events = np.zeros(len(EVENTS), np.int64)
    for _ in range(120):
        line = turn(rng)
        board = line["before"]
        if len(board["snakes"]) < 2 - solo_rule(line):
            continue
        position = parse(board_request(line))
        if any(not position.contains(cell) for snake in position.snakes for cell in snake.body):
            continue  # lost already, whatever the word
        genes = np.array([[rng.randrange(4) for _ in range(8)]], np.uint8)
        others = np.array([[[rng.randrange(4) for _ in range(8)] for _ in board["snakes"]]], np.uint8)
        wanted = genes[0].tolist()
        got = played(position, genes, others)[0, 0, : len(EVENTS)]
        expected, mine_played = dict.fromkeys(EVENTS, 0.0), []
        mine = board["snakes"][0]["id"]
        rows = {snake["id"]: row for row, snake in enumerate(board["snakes"])}
        for t in range(8):
            moves = {
                snake["id"]: plain_word(
                    board,
                    snake,
                    wanted[t] if snake["id"] == mine else int(others[0, rows[snake["id"]], t]),
                    line,
                )
                for snake in board["snakes"]
            }
            mine_played.append(moves[mine])
            long = len(board["snakes"][0]["body"])
            damage = line["ruleset"]["settings"]["hazardDamagePerTurn"]
            board, over, _ = oracle.step(board, moves, line["ruleset"]["name"], damage, solo_rule(line))
            board["snakes"] = oracle.alive(board["snakes"])
            me = next((snake for snake in board["snakes"] if snake["id"] == mine), None)
            if me is None:
                drawn = not board["snakes"] and not solo_rule(line)
                expected["draw" if drawn else "death"] -= 1
                break
            if "constrictor" not in line["ruleset"]["name"]:
                expected["meal"] += len(me["body"]) > long
            if over:
                expected["win"] += 1
                break
        assert dict(zip(EVENTS, got.tolist(), strict=True)) == expected, line
        assert [MOVES[gene] for gene in genes[0, : len(mine_played)]] == mine_played
        events += [value != 0 for value in expected.values()]
    assert events.min() > 3


@pytest.mark.parametrize("rule", [FREE, SMART, STRAIGHT, ROOMY, HUNGRY])
def test_what_a_rule_picks_is_open_and_written_down(rule: int) -> None:
    rng = Random(6)
    for _ in range(60):
        line = turn(rng)
        if len(line["before"]["snakes"]) < 2 - solo_rule(line):
            continue
        position = replace(parse(board_request(line)), you=line["before"]["snakes"][0]["id"])
        lines = np.full((3, 6), rule, np.uint8)
        played(position, lines, np.full((1, len(position.snakes), 6), SMART, np.uint8))
        assert position.me is not None
        options = walled(position, position.me)
        clear = {option.move for option in options if not option.cause}
        free = {option.move for option in options if not option.collision}
        assert {MOVES[gene] for gene in lines[:, 0]} <= (clear or free or set(MOVES))


def test_food_and_room_are_found_by_their_rules() -> None:
    hungry = parse(request([(2, 2), (2, 1), (2, 0)], food=[cell(0, 3)], size=(7, 7)))
    for rule in (HUNGRY, ROOMY):
        lines = np.full((1, 3), rule, np.uint8)
        meals = played(hungry, lines, np.full((1, 1, 3), SMART, np.uint8))[0, 0, EVENTS.index("meal")]
        assert meals == (rule == HUNGRY)
    lines = np.full((1, 1), ROOMY, np.uint8)
    played(pocket(), lines, np.full((1, 2, 1), SMART, np.uint8))
    assert MOVES[lines[0, 0]] == "right"


def pocket() -> Position:
    return parse(request(POCKET, [(6, 6), (6, 5), (6, 4)], size=(7, 7)))


@pytest.mark.machine_code
def test_terms_add_up_and_a_dead_end_is_told() -> None:
    evolution = evolve(pocket(), 12)
    assert set(evolution.found) == {"left", "right"}
    for line in evolution.found.values():
        assert line.fitness == pytest.approx(sum(line.terms.values()))
        assert line.low <= line.fitness <= line.mean
    left, right = evolution.found["left"], evolution.found["right"]
    assert left.terms["death"] < -60
    assert right.terms["death"] == 0
    assert right.moves[0] == "right"
    answer = decide("rhea", pocket(), 12)
    assert answer.move == "right"
    assert answer.stats["iterations"] == 12
    assert set(answer.candidates[MOVES.index("right")].terms) == set(TERMS)


@pytest.mark.machine_code
def test_a_rival_that_can_come_to_a_cell_is_expected_there() -> None:
    # Ahead lies a cell that a longer snake can take, with food for it to want.
    rival = [(5, 3), (6, 3), (6, 2), (6, 1), (5, 1)]
    position = parse(request([(3, 3), (3, 2), (3, 1)], rival, size=(7, 7), food=[cell(4, 3)]))
    found = evolve(position, 10, EvolutionConfig()).found
    assert found["right"].low < -60
    assert max(found, key=lambda move: found[move].fitness) != "right"
    answer = decide("rhea", position, 10)
    candidate = answer.candidates[MOVES.index("right")]
    assert candidate.details["headToHead"] == ["s1"]
    assert "head-to-head" in candidate.notes[0]


@pytest.mark.machine_code
def test_a_line_that_is_suggested_is_tried() -> None:
    position = BATTLESNAKE.new({"snakes": 1, "width": 5, "height": 5}, 1)
    lone = EvolutionConfig(population=6, genotype=4, elite=0, elite_parent=0.0)
    evolution = Evolution(position, lone, weights_by_mode()["solo"], legal(position), 1, None)
    for move in legal(position):
        evolution.suggest([move])
        before = evolution.generations
        while evolution.generations == before:
            evolution.advance()
        assert move in evolution.found


@pytest.mark.machine_code
def test_lines_are_carried_over_and_checked_against_the_board() -> None:
    position = replace(BATTLESNAKE.new({}, 4), turn=7)
    before = evolve(position, 4)
    memory = before.memory()
    moves = {snake.id: "up" if snake.head[1] < 9 else "down" for snake in position.snakes}
    moves[position.you] = max(before.found, key=lambda move: before.found[move].fitness)
    later = BATTLESNAKE.step(position, moves, 1).position
    best = before.found[moves[position.you]].moves
    carried = Evolution(later, SMALL, weights_by_mode()["duel"], legal(later), 3, memory)
    assert carried.carried == 1
    kept = np.frombuffer(carried.memory().genomes[later.you], np.uint8).reshape(-1, SMALL.genotype)
    expected = [*(MOVES.index(move) for move in best[1:]), FREE]
    assert expected in kept.tolist()
    for other in (
        position,
        replace(later, turn=7 + SMALL.genotype),
        replace(later, game="another"),
        replace(later, you=position.snakes[1].id),
        replace(later, width=12),
    ):
        assert evolve(other, 1, memory=memory).carried == 0
    assert evolve(later, 1, replace(SMALL, genotype=9), memory=memory).carried == 0
    assert evolve(later, 1, memory={"lines": 1}).carried == 0
    # What was thought of somewhere else is harmless: a head that is not where the lines led.
    elsewhere = replace(memory, heads=dict.fromkeys(memory.heads, (0, 0)))
    assert set(evolve(later, 1, memory=elsewhere).found) <= set(legal(later))
    answer = decide("rhea", later, 3, memory)
    assert isinstance(answer.memory, Memory)
    assert sum(map(len, answer.memory.genomes.values())) < 8192


@pytest.mark.machine_code
def test_the_seed_decides_and_nothing_else() -> None:
    position = BATTLESNAKE.new({"snakes": 4}, 4)
    found = [evolve(position, 5, seed=seed).found for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


@pytest.mark.machine_code
def test_whenever_it_is_stopped_a_word_stands() -> None:
    class Short(Meter):
        """Stops after so many questions, within a generation too."""

        def __init__(self, questions: int) -> None:
            super().__init__(Budget(iterations=10**6))
            self.questions = questions

        def more(self, done: int, ahead: float = 0.0) -> bool:
            self.questions -= 1
            return self.questions >= 0

    agent = BATTLESNAKE.agents["rhea"]
    for options in ({"snakes": 2}, {"snakes": 8, "width": 19, "height": 19}):
        position = BATTLESNAKE.new(options, 2)
        for questions in (0, 1, 2, 5, 30):
            answer = agent.decide(position, agent.parameters(), Short(questions), 1, None)
            assert answer.move in legal(position)
            assert bool(answer.stats.get("reason")) == (answer.stats["iterations"] == 0)


PUBLISHED = [
    ("standard", 2, ("down", -569.0, "ddrurullddrurdddrddu"), ("down", -569.0, "ddrurullddrurdddrddu")),
    ("wrapped", 3, ("left", 7682.0, "ldrrrruuuddurrururll"), ("down", 7690.0, "drdruruuuddurrurudll")),
    (
        "constrictor",
        2,
        ("down", -10573.0, "drdrrrddrlrdurrdddlu"),
        ("right", -8488.0, "rdrrdrruulududdlulrd"),
    ),
    ("royale", 4, ("up", -5418.5, "urdluldrrdldldluuudr"), ("up", -5418.5, "urdluldrrdldldluuudr")),
    ("solo", 1, ("down", 5154.0, "ddrurullddrurddlrulu"), ("down", 8394.5, "drddrullddrrrurddlru")),
]
"""Ruleset, snakes; of `rhea` and of the hybrid the word, its fitness, its line."""


@pytest.mark.machine_code
@pytest.mark.parametrize(("ruleset", "snakes", "rhea", "hybrid"), PUBLISHED)
def test_the_published_agents_play_as_they_did(ruleset: str, snakes: int, rhea: Any, hybrid: Any) -> None:
    position = BATTLESNAKE.new({"ruleset": ruleset, "snakes": snakes, "width": 9, "height": 9}, 12)
    for name, iterations, expected in (("rhea", 5, rhea), ("rhea_with_negamax_override", 12, hybrid)):
        answer = decide(f"published_{name}", position, iterations)
        assert (answer.move, answer.score, "".join(move[0] for move in answer.line)) == expected


def test_ours_and_the_published_one_have_their_own_figures() -> None:
    ours = BATTLESNAKE.agents["rhea"].parameters
    parameters = BATTLESNAKE.agents["published_rhea"].parameters
    published = parameters().evolution_config()
    assert (published.population, published.evolutions, published.genotype, published.mutation) == (
        50,
        400,
        20,
        0.3,
    )
    assert ours().evolution_config() == EvolutionConfig()
    assert ours(population=7).evolution_config().population == 7
    assert parameters(population=7).evolution_config().population == 7


@pytest.mark.skipif(not hasattr(roll_out, "py_func"), reason="minutes without the JIT")
def test_every_board_is_evolved_safely() -> None:
    rng = Random(21)
    states = [
        board_request(line) for line in (turn(rng, odd=True) for _ in range(40)) if line["before"]["snakes"]
    ]
    states += [
        BATTLESNAKE.dump(BATTLESNAKE.new({"ruleset": ruleset, "snakes": snakes, "width": w, "height": h}, 6))
        for ruleset in RULESETS
        for snakes, w, h in ((1, 1, 1), (2, 3, 3), (16, 25, 25))
    ]
    crowd = [[(2, 2)]] * 63
    states.append(request([(2, 2)] * 3, *crowd, size=(5, 5)))
    for body in states:
        position = parse(body)
        answer = decide("rhea", position, 2)
        assert answer.move in MOVES
        assert [candidate.move for candidate in answer.candidates] == list(MOVES)
        for candidate in answer.candidates:
            if candidate.score is not None:
                assert candidate.score == sum(candidate.terms.values())
