"""The hybrid: how it chooses, what it reports, and that there is a legal move whenever it is stopped."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Event
from typing import Any

import pytest

from engines.battlesnake.agents.rhea_with_negamax_override import decide_with
from engines.battlesnake.evolution.evolution import EvolutionConfig, Individual
from engines.battlesnake.evolution.genome import roll_out
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.hybrid.config import HybridConfig
from engines.battlesnake.hybrid.interleave import Interleaving
from engines.battlesnake.hybrid.veto import VETO, choose_move
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, RULESETS, Position
from engines.battlesnake.search.result import SearchResult
from engines.core import helper_threads
from engines.core.budget import Budget, Meter
from tests.battlesnake.boards import POCKET, board_request, cell, request, turn

HYBRID = BATTLESNAKE.agents["rhea_with_negamax_override"]
CONFIG = HybridConfig(margin=10.0, blend=0.5, horizon=1.0)


def legal(position: Position) -> tuple[str, ...]:
    assert position.me is not None
    return legal_moves(move_safety(position, position.me, find_obstacles(position)))


def decide(position: Position, iterations: int, memory: Any = None, **parameters: Any) -> Any:
    meter = Meter(Budget(iterations=iterations))
    return HYBRID.decide(position, HYBRID.parameters(**parameters), meter, 5, memory)


def search_result(**payoffs: tuple[float, float]) -> tuple[SearchResult, dict[str, float]]:
    """Words with their values against two replies, and the means as scores."""
    found = SearchResult(3, tuple(payoffs), ("up", "down"), tuple(payoffs.values()))
    return found, {move: sum(row) / 2 for move, row in payoffs.items()}


def lines(**fitness: float) -> dict[str, Individual]:
    """Lines that end on boards of such worth."""
    return {
        move: Individual((move,), value, {"space": value}, value, value) for move, value in fitness.items()
    }


def test_among_moves_of_nearly_equal_value_the_evolution_decides() -> None:
    found, scores = search_result(up=(4.0, 4.0), left=(0.0, 0.0), right=(1.0, 1.0))
    choice = choose_move(found, scores, lines(up=0.0, left=20.0, right=5.0), CONFIG)
    assert choice is not None
    assert (choice.move, choice.proposal, dict(choice.vetoes)) == ("left", "left", {})
    assert {move: sum(parts.values()) for move, parts in choice.evolution_terms.items()} == {
        "up": 0.0,
        "left": 10.0,
        "right": 2.5,
    }


def test_a_death_beyond_the_search_counts_by_a_weight_of_its_own() -> None:
    found, scores = search_result(up=(4.0, 4.0), left=(0.0, 0.0))
    trapped = Individual(("up",), -30.0, {"death": -40.0, "space": 10.0}, -30.0, -30.0)
    choice = choose_move(found, scores, {**lines(left=5.0), "up": trapped}, CONFIG)
    assert choice is not None
    assert (choice.move, dict(choice.evolution_terms["up"])) == ("left", {"horizon": -40.0, "evolution": 5.0})


def test_a_clearly_worse_move_is_vetoed() -> None:
    found, scores = search_result(up=(4.0, 4.0), left=(-7.0, -7.0), right=(-5.0, -5.0))
    choice = choose_move(found, scores, lines(up=0.0, left=90.0, right=1.0), CONFIG)
    assert choice is not None
    assert (choice.move, choice.proposal) == ("up", "left")
    assert list(choice.vetoes) == ["left"]
    assert "negamax -7.0, up 4.0" in choice.vetoes["left"]


def test_a_proven_loss_is_a_veto_whatever_the_margin() -> None:
    found, scores = search_result(up=(-100.5, -100.5), left=(-60.0, -80.0))
    choice = choose_move(found, scores, lines(up=50.0, left=-50.0), replace(CONFIG, margin=1000.0))
    assert choice is not None
    assert (choice.move, choice.proposal, list(choice.vetoes)) == ("left", "up", ["up"])
    # Where all are lost there is nothing to veto for.
    found, scores = search_result(up=(-100.5, -100.5), left=(-100.8, -100.8))
    choice = choose_move(found, scores, lines(up=1.0, left=9.0), CONFIG)
    assert choice is not None
    assert (choice.move, dict(choice.vetoes)) == ("left", {})


def test_one_that_has_nothing_to_say_leaves_it_to_the_other() -> None:
    found, scores = search_result(up=(4.0, 4.0), left=(0.0, 0.0))
    alone = choose_move(found, scores, lines(), CONFIG)
    assert alone is not None
    assert alone.move == "up"
    alone = choose_move(SearchResult(), {}, lines(up=1.0, left=2.0), CONFIG)
    assert alone is not None
    assert alone.move == "left"
    assert choose_move(SearchResult(), {}, {}, CONFIG) is None


@pytest.mark.parametrize(("rivals", "weighed"), [(1, False), (2, True)])
def test_with_one_rival_the_evolution_only_proposes(rivals: int, weighed: bool) -> None:
    bodies = [[(1, 1), (1, 2), (1, 3)], [(5, 5), (5, 4), (5, 3)], [(8, 2), (8, 3), (8, 4)]]
    position = parse(request(*bodies[: 1 + rivals], size=(11, 11)))
    config = HYBRID.parameters().hybrid_config(position)
    assert (config.blend > 0, config.horizon > 0) == (weighed, weighed)
    asked = HYBRID.parameters(share=0.4).hybrid_config(position)
    assert asked.share == 0.4
    assert HYBRID.parameters().search_config().lmr == 3
    assert [HYBRID.parameters(lmr=lmr).search_config().lmr for lmr in (0, 1)] == [0, 1]
    assert asked.margin == HybridConfig().margin


@pytest.mark.machine_code
def test_a_published_override_has_the_highest_sum_also_of_a_word_without_one() -> None:
    rng = Random(3)
    published = BATTLESNAKE.agents["published_rhea_with_negamax_override"]
    parameters = published.parameters(population=2, evolutions=1)
    overridden = bare = 0
    for _ in range(3000):
        position = parse(board_request(turn(rng)))
        answer = published.decide(position, parameters, Meter(Budget(iterations=4)), 1, None)
        if not answer.stats.get("overrides"):
            continue
        scores = {each.move: each.score for each in answer.candidates if each.score is not None}
        assert answer.score == scores[answer.move] == max(scores.values())
        overridden += 1
        bare += len(scores) == 1
    assert overridden > 20
    assert bare > 2


@pytest.mark.machine_code
def test_an_override_is_reported_with_both_values() -> None:
    # Food lures into the dead end an evolution that looks ahead one turn, and cares for nothing else.
    position = parse(request(POCKET, [(6, 6), (6, 5), (6, 4)], size=(7, 7), food=[cell(1, 3)]))
    config = HYBRID.parameters().resolve(position)
    lure = replace(
        config,
        evolution=EvolutionConfig(genotype=1, meal=1000.0, replies=0),
        weights=replace(config.weights, space=0.0),
    )
    answer = decide_with(position, lure, Meter(Budget(iterations=60)), 5, None)
    assert answer.move == "right"
    assert answer.stats["overrides"] == 1
    scores = {
        candidate.move: candidate.score for candidate in answer.candidates if candidate.score is not None
    }
    assert answer.score == scores[answer.move] == max(scores.values())
    override = answer.context["override"]
    assert override["text"] == "Negamax override: left -> right"
    assert override["move"] == {"from": "left", "to": "right"}
    assert override["value"]["from"] < override["value"]["to"]
    assert override["depth"] == answer.stats["override_depth"] > 1
    left = answer.candidates[MOVES.index("left")]
    assert left.terms["veto"] == VETO
    assert any(note.startswith("vetoed: ") for note in left.notes)
    calm = decide(position, 60)
    assert (calm.move, calm.stats["overrides"], dict(calm.context)) == ("right", 0, {"proposal": "right"})


@pytest.mark.machine_code
def test_candidates_have_both_values_and_add_up() -> None:
    answer = decide(BATTLESNAKE.new({"snakes": 2}, 5), 80)
    assert answer.stats["iterations"] == 80
    assert answer.stats["depth"] > 2
    assert answer.stats["generations"] > 2
    valued = [candidate for candidate in answer.candidates if candidate.score is not None]
    assert answer.score == max(candidate.score for candidate in valued)
    assert answer.line[0] == answer.move
    for candidate in valued:
        assert candidate.score == sum(candidate.terms.values())
        details = candidate.details
        assert {"negamax", "depth", "line", "replies", "territory", "headToHead", "evolution"} <= set(details)
        line = details["evolution"]
        assert line["fitness"] == pytest.approx(sum(line["terms"].values()))
        assert line["line"][0] == candidate.move


@pytest.mark.machine_code
def test_the_seed_decides_and_nothing_else() -> None:
    position = BATTLESNAKE.new({"snakes": 3}, 5)
    one, two = decide(position, 40), decide(position, 40)
    assert (one.move, one.score, one.candidates, one.memory) == (
        two.move,
        two.score,
        two.candidates,
        two.memory,
    )


@pytest.mark.machine_code
def test_snakes_of_one_game_have_memories_of_their_own() -> None:
    position = replace(BATTLESNAKE.new({"snakes": 2}, 5), game="g", turn=3)
    answer = decide(position, 40)
    other = replace(position, you=position.snakes[1].id, turn=4)
    assert decide(other, 20, answer.memory).stats["warm_start_turns"] == 0
    assert decide(other, 20, answer.memory).candidates == decide(other, 20).candidates
    assert decide(replace(position, turn=4), 20, answer.memory).stats["warm_start_turns"] == 1


@pytest.mark.machine_code
def test_whenever_it_is_stopped_there_is_a_legal_move() -> None:
    for options in ({"snakes": 2}, {"snakes": 1}, {"snakes": 8, "width": 19, "height": 19}):
        position = BATTLESNAKE.new(options, 2)
        for iterations in (0, 1, 2, 3, 7):
            answer = decide(position, iterations)
            assert answer.move in legal(position)
            assert answer.stats["iterations"] <= iterations


@pytest.mark.machine_code
def test_parts_can_be_left_out() -> None:
    position = BATTLESNAKE.new({"snakes": 2}, 5)
    assert decide(position, 20, share=1.0).stats["depth"] == 0
    assert decide(position, 20, share=0.0).stats["generations"] == 0


@pytest.mark.skipif(not hasattr(roll_out, "py_func"), reason="minutes without the JIT")
def test_every_board_is_played_safely() -> None:
    rng = Random(22)
    states = [
        board_request(line) for line in (turn(rng, odd=True) for _ in range(30)) if line["before"]["snakes"]
    ]
    states += [
        BATTLESNAKE.dump(BATTLESNAKE.new({"ruleset": ruleset, "snakes": snakes, "width": w, "height": h}, 6))
        for ruleset in RULESETS
        for snakes, w, h in ((1, 1, 1), (2, 3, 3), (16, 25, 25))
    ]
    states.append(request([(2, 2)] * 3, *([[(2, 2)]] * 63), size=(5, 5)))
    for body in states:
        position = parse(body)
        answer = decide(position, 12)
        assert answer.move in MOVES
        assert [candidate.move for candidate in answer.candidates] == list(MOVES)
        if not position.over and any(candidate.score is not None for candidate in answer.candidates):
            assert answer.move in legal(position)


class Ticking:
    """A clock that goes on by being asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.machine_code
@pytest.mark.parametrize("ms", [1, 7, 60])
def test_two_cores_find_what_one_finds_in_as_many_slices(ms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper_threads, "_FRUITLESS", 1 << 30)
    rng = Random(ms)
    for snakes in (1, 2, 2, 4):
        line = turn(rng)
        line["before"]["snakes"] = line["before"]["snakes"][:snakes]
        position = parse(board_request(line))
        parameters = HYBRID.parameters()
        run_both = HYBRID.decide(position, parameters, Meter(Budget(ms=ms), Ticking(), None, 1), 5, None)
        again = decide(position, run_both.stats["iterations"])
        assert (again.move, again.candidates, again.line, again.context) == (
            run_both.move,
            run_both.candidates,
            run_both.line,
            run_both.context,
        )
        assert dict(again.stats) == dict(run_both.stats)


@pytest.mark.machine_code
@pytest.mark.parametrize("part", ["_evolve", "_search_second"])
def test_work_beside_that_does_not_come_back_is_left_alone(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper_threads, "_FRUITLESS", 1 << 30)
    # With two rivals there is a second walker.
    position = parse(request([(1, 1), (1, 2), (1, 3)], [(5, 5), (5, 4), (5, 3)], [(3, 1), (3, 2), (3, 3)]))
    begun, leave, clock = Event(), Event(), Ticking()
    plain, plainly = getattr(Interleaving, part), helper_threads.Helper.run_both

    def stuck(self: Interleaving) -> None:
        if self.slices < 12:
            plain(self)
        else:
            clock.now += 10.0
            begun.set()
            leave.wait(30)

    def run_both(self: helper_threads.Helper, own: Any, other: Any, meter: Meter) -> int:
        def waiting() -> None:
            own()
            if other.__func__ is stuck and other.__self__.slices >= 12:
                begun.wait(30)

        return plainly(self, waiting, other, meter)

    monkeypatch.setattr(Interleaving, part, stuck)
    monkeypatch.setattr(helper_threads.Helper, "run_both", run_both)
    parameters = HYBRID.parameters(share=0.3)
    decision = HYBRID.decide(position, parameters, Meter(Budget(ms=5000), clock, None, 1), 5, None)
    leave.set()
    assert decision.move in legal(position)
    assert 12 <= decision.stats["iterations"] <= 14
    assert (decision.memory.populations is None) == (part == "_evolve")
    again = decide(position, decision.stats["iterations"], share=0.3)
    assert (again.move, dict(again.stats)) == (decision.move, dict(decision.stats))
