"""The search over moves made at once: its value against plain Python, and boards by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from engines.battlesnake.board import RULESETS, WORDS, Position
from engines.battlesnake.chart import chart, findings
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.matrix import equilibrium
from engines.battlesnake.position import parse
from engines.battlesnake.simultaneous.findings import Findings, Tuning
from engines.battlesnake.simultaneous.search import Search
from engines.battlesnake.simultaneous.walk import walk
from engines.battlesnake.trained import leaves
from engines.battlesnake.world import pack
from engines.battlesnake.worth import MODES, SURE, TERMS, Weights, factors, mode, weigh
from engines.core.limit import Budget, Meter
from tests.battlesnake.boards import request, solo_rule, state, turn
from tests.oracles import battlesnake as oracle

Board = dict[str, Any]


def leaf(position: Position, weights: Weights) -> tuple[float, dict[str, float]]:
    world = pack(position)
    terms = np.zeros(len(TERMS))
    me = [snake.id for snake in position.snakes].index(position.you)
    value = weigh(*world, *chart(world), me, factors(weights, position), findings(world), terms)
    return value, dict(zip(TERMS, terms.tolist(), strict=True))


def searched(position: Position, depth: int, **options: Any) -> Findings:
    search = Search(position, WORDS, leaves()[mode(position)], Tuning(**options), depth)
    while not search.finished:
        search.advance(1_000)
    return search.found


@pytest.mark.parametrize(
    ("payoffs", "value", "by_row", "by_column"),
    [
        ([[3.0]], 3.0, [1.0], [1.0]),
        ([[1.0, 2.0], [0.0, 5.0]], 1.0, [1.0, 0.0], [1.0, 0.0]),
        ([[1.0, -1.0], [-1.0, 1.0]], 0.0, [0.5, 0.5], [0.5, 0.5]),
        ([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], 0.0, [1 / 3] * 3, [1 / 3] * 3),
        ([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]], 0.0, [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]),
        ([[4.0, 0.0], [1.0, 3.0], [0.0, 2.0]], 2.0, [1 / 3, 2 / 3, 0.0], [0.5, 0.5]),
    ],
)
def test_matrix_games_with_known_answers(
    payoffs: list[list[float]], value: float, by_row: list[float], by_column: list[float]
) -> None:
    found = equilibrium(payoffs)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(by_row)
    assert found[2] == pytest.approx(by_column)


def test_neither_side_can_do_better_against_the_mix() -> None:
    rng = Random(2)
    for _ in range(200):
        rows, columns = rng.randint(1, 4), rng.randint(1, 4)
        payoffs = [[float(rng.randint(-5, 5)) for _ in range(columns)] for _ in range(rows)]
        value, by_row, by_column = equilibrium(payoffs)
        assert sum(by_row) == pytest.approx(1)
        assert sum(by_column) == pytest.approx(1)
        assert max(
            sum(a * b for a, b in zip(row, by_column, strict=True)) for row in payoffs
        ) == pytest.approx(value)
        sums = [sum(by_row[i] * payoffs[i][j] for i in range(rows)) for j in range(columns)]
        assert min(sums) == pytest.approx(value)


class Plain:
    """The search of two snakes, or one, in the words of its description, without pruning or memory."""

    def __init__(self, line: dict[str, Any], position: Position, draw: float, mixed: int) -> None:
        self.line, self.position, self.draw, self.mixed = line, position, draw, mixed
        self.wrapped = position.wrapped
        self.weights = leaves()[mode(position)]

    def words(self, board: Board, index: int) -> dict[str, tuple[int, int]]:
        """The words that run into nothing that stays, and where they lead; `up` if there are none."""
        stays = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
        head = board["snakes"][index]["body"][0]
        found = {}
        for word, (dx, dy) in zip(WORDS, ((0, 1), (0, -1), (-1, 0), (1, 0)), strict=True):
            x, y = head["x"] + dx, head["y"] + dy
            if self.wrapped:
                x, y = x % board["width"], y % board["height"]
            if 0 <= x < board["width"] and 0 <= y < board["height"] and (x, y) not in stays:
                found[word] = (x, y)
        return found or {"up": (head["x"], head["y"])}

    def pair(self, board: Board, mine: str, theirs: str, depth: int, played: int) -> float:
        settings = self.line["ruleset"]
        spoken = {snake["id"]: theirs for snake in board["snakes"]}
        me = board["snakes"][0]["id"]
        after, over, _ = oracle.step(
            board,
            {**spoken, me: mine},
            settings["name"],
            settings["settings"]["hazardDamagePerTurn"],
            self.position.solo,
        )
        played += 1
        living = oracle.alive(after["snakes"])
        if after["snakes"][0]["eliminatedCause"]:
            drawn = not living and not self.position.solo
            return self.draw if drawn else played / 64 - SURE - 1
        if over:
            return SURE + 1 - played / 64
        after = {**after, "snakes": living}
        if played == depth:
            body = state({**self.line, "before": after})
            return leaf(replace(parse(body), turn=self.position.turn), self.weights)[0]
        return self.node(after, depth, played)

    def node(self, board: Board, depth: int, played: int) -> float:
        mine = self.words(board, 0)
        theirs = self.words(board, 1) if len(board["snakes"]) == 2 else {"up": (-9, -9)}
        payoffs = [[self.pair(board, one, two, depth, played) for two in theirs] for one in mine]
        contest = set(mine.values()) & set(theirs.values())
        if played <= self.mixed and len(board["snakes"]) == 2 and contest and min(len(mine), len(theirs)) > 1:
            return equilibrium(payoffs)[0]
        return max(min(row) for row in payoffs)


def duels(count: int, seed: int, snakes: int = 2) -> list[tuple[dict[str, Any], Position]]:
    rng = Random(seed)
    found = []
    while len(found) < count:
        line = turn(rng)
        line["before"]["snakes"] = line["before"]["snakes"][:snakes]
        alone = len(line["before"]["snakes"]) == 1
        line["solo"] = solo_rule(line) or alone
        if len(line["before"]["snakes"]) == snakes and line["before"]["width"] * line["before"]["height"] > 8:
            found.append((line, parse(state(line))))
    return found


@pytest.mark.machine_code
@pytest.mark.parametrize("mixed", [0, 1, 9])
def test_the_search_gives_the_value_of_its_description(mixed: int) -> None:
    inner = 0
    for line, position in (*duels(22, 5), *duels(6, 6, snakes=1)):
        if position.over:
            continue
        plain = Plain(line, position, -7.0, mixed)
        found = searched(position, 3, draw=-7.0, mixed=mixed)
        heads = plain.words(line["before"], 1) if len(position.snakes) == 2 else {"habit": (0, 0)}
        for word, row in zip(found.words, found.payoffs, strict=True):
            values = dict(zip(found.replies, row, strict=True))
            assert set(values) == set(heads)
            for reply, value in values.items():
                expected = plain.pair(line["before"], word, reply, found.depth, 0)
                assert value == pytest.approx(expected, abs=1e-6), (line, word, reply)
                inner += -SURE < value < SURE
    assert inner > 40


def by_word(position: Position, depth: int, walkers: int = 1) -> Search:
    """A search by word; as soon as all words are lost it goes on by pairs."""
    weights = leaves()[mode(position)]
    return Search(position, WORDS, weights, Tuning(), depth, walkers=walkers, by_word=True)


@pytest.mark.machine_code
@pytest.mark.parametrize("walkers", [1, 2])
def test_by_word_the_best_has_its_worst_case_exactly_and_the_others_no_more(walkers: int) -> None:
    bounds = doomed = 0
    for number, (_, position) in enumerate(duels(40, 77)):
        if position.over:
            continue
        whole = searched(position, 4)
        worst = {word: min(row) for word, row in zip(whole.words, whole.payoffs, strict=True)}
        search = by_word(position, 4, walkers)
        for rounds in range(100_000):
            if search.finished:
                break
            search.step(0, 7)
            if walkers > 1 and (number % 2 or rounds % 50 == 49):
                search.step(1, 11)
            search.settle()
        found = search.found
        if not found.by_word:
            doomed += 1
            # An earlier depth may have proven it; by then there is nothing to look for beyond.
            assert max(worst.values()) <= -SURE
            assert found.payoffs == whole.payoffs or found.depth < whole.depth
            continue
        if found.depth != whole.depth:
            continue
        told = dict(zip(found.words, (value for (value,) in found.payoffs), strict=True))
        best = max(found.scores(Tuning()).items(), key=lambda item: item[1])[0]
        assert best not in found.at_most
        assert told[best] == worst[best] == max(worst.values())
        for word, value in told.items():
            assert worst[word] == value if word not in found.at_most else worst[word] <= value <= told[best]
        bounds += len(found.at_most)
        assert search.line(best).words[0] == best
    assert bounds > 20
    assert doomed > 0


@pytest.mark.machine_code
def test_by_word_a_bound_is_no_proof_of_a_win_before_the_depth_is_complete() -> None:
    seen = 0
    for _, position in duels(150, 41):
        if position.over:
            continue
        weights = leaves()[mode(position)]
        search = Search(position, WORDS, weights, Tuning(), 4, by_word=True)
        for _ in range(60):
            if search.finished:
                break
            search.advance(3)
            found = search.found
            if not found.by_word or not found.depth or found.depth > 2:
                continue
            whole = None
            for word, (value,) in zip(found.words, found.payoffs, strict=True):
                if value >= SURE:
                    whole = whole or searched(position, found.depth + 1)
                    assert min(whole.payoffs[whole.words.index(word)]) >= SURE
                    seen += 1
    assert seen > 5


@pytest.mark.machine_code
def test_by_word_takes_half_the_turns() -> None:
    turns = {False: 0, True: 0}
    for _, position in duels(12, 9):
        for kind in turns:
            weights = leaves()[mode(position)]
            search = Search(position, WORDS, weights, Tuning(), 7, by_word=kind)
            while not search.finished and search.found.depth < 7:
                turns[kind] += search.advance(200)
    assert turns[True] < 0.7 * turns[False]


def searched_late(position: Position, depth: int, late: int, by_word: bool) -> tuple[Findings, int]:
    """With late pairs looked at less deep; what is found, and the turns that it took."""
    weights = leaves()[mode(position)]
    search, turns = Search(position, WORDS, weights, Tuning(late=late), depth, by_word=by_word), 0
    while not search.finished:
        turns += search.advance(13)
    return search.found, turns


@pytest.mark.machine_code
@pytest.mark.parametrize("late", [1, 2, 3])
def test_what_is_proven_with_late_pairs_less_deep_is_proven_in_full(late: int) -> None:
    wins = losses = 0
    for _, position in duels(60, 23):
        if position.over:
            continue
        short, _ = searched_late(position, 6, late, True)
        full = searched(position, short.depth)
        if not short.by_word or full.depth != short.depth:
            continue
        for word, (told,), row in zip(short.words, short.payoffs, full.payoffs, strict=True):
            assert told > -SURE or min(row) <= -SURE
            assert told < SURE or word in short.at_most or min(row) >= SURE
            losses += told <= -SURE
    assert losses > 10
    losses = 0
    for snakes, count in ((2, 60), (3, 12)):
        for _, position in duels(count, 19, snakes):
            if position.over:
                continue
            full = Search(position, WORDS, leaves()[mode(position)], Tuning(), 6)
            short, _ = searched_late(position, 6, late, False)
            while not full.finished and full.found.depth < short.depth:
                full.advance(500)
            for word, row in zip(short.words, short.payoffs, strict=True):
                exact = full.found.payoffs[full.found.words.index(word)]
                for told, known in zip(row, exact, strict=True):
                    wins += told >= SURE
                    losses += told <= -SURE
                    assert told < SURE or known >= SURE
                    assert told > -SURE or known <= -SURE
    assert wins > 20
    assert losses > 20


@pytest.mark.machine_code
def test_late_pairs_less_deep_take_fewer_turns_to_a_depth_and_mostly_the_same_word() -> None:
    turns = {0: 0, 1: 0, 2: 0, 3: 0}
    alike = 0
    places = [position for _, position in duels(24, 9)]
    for position in places:
        words = set()
        for late in turns:
            found, took = searched_late(position, 8, late, True)
            turns[late] += took
            scores = found.scores(Tuning())
            words.add(max(scores, key=lambda word: scores[word]))
        alike += len(words) == 1
    assert turns[3] < turns[2] < turns[1] < 0.6 * turns[0]
    assert alike > 0.6 * len(places)


def test_where_every_word_loses_to_the_right_reply_pairs_say_to_which() -> None:
    # Equal heads beside one open cell each: whoever goes there may meet the other.
    mine = [(1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1)]
    theirs = [(3, 0), (4, 0), (4, 1), (4, 2), (3, 2), (3, 1), (3, 1), (3, 1)]
    position = parse(request(mine, theirs, size=(5, 3)))
    answer = decide(position, 3000, root="words")
    assert answer.move in WORDS
    told = {c.move: c for c in answer.candidates if c.score is not None}
    assert any("loses" in note for candidate in told.values() for note in candidate.notes)
    for candidate in told.values():
        assert set(candidate.details["replies"]) <= set(WORDS)


@pytest.mark.machine_code
def test_slices_do_not_change_a_search() -> None:
    for snakes in (1, 2, 4):
        position = BATTLESNAKE.new({"snakes": snakes, "width": 7, "height": 7}, 5)
        weights = leaves()[mode(position)]
        whole = Search(position, WORDS, weights, Tuning(), 4)
        turns = whole.advance(10**6)
        piecewise = Search(position, WORDS, weights, Tuning(), 4)
        done = 0
        while not piecewise.finished:
            done += piecewise.advance(7)
        assert (turns, whole.found) == (done, piecewise.found)
        assert whole.line("up") == piecewise.line("up")
        one, other = by_word(position, 4), by_word(position, 4)
        turns, done = one.advance(10**6), 0
        while not other.finished:
            done += other.advance(7)
        assert (turns, one.found, one.line("up")) == (done, other.found, other.line("up"))
        one, other = (Search(position, WORDS, weights, Tuning(late=3), 7) for _ in range(2))
        turns, done = one.advance(10**6), 0
        while not other.finished:
            done += other.advance(7)
        assert (turns, one.found, one.line("up")) == (done, other.found, other.line("up"))


def decide(position: Position, iterations: int, seed: int = 3, **parameters: Any) -> Any:
    agent = BATTLESNAKE.agents["negamax"]
    meter = Meter(Budget(iterations=iterations))
    return agent.decide(position, agent.parameters(**parameters), meter, seed, None)


def test_every_mode_has_its_weights() -> None:
    assert set(leaves()) == set(MODES)
    base = BATTLESNAKE.new({"snakes": 2}, 1)
    assert mode(base) == "duel"
    assert mode(BATTLESNAKE.new({"snakes": 1}, 1)) == "solo"
    assert mode(BATTLESNAKE.new({"snakes": 3}, 1)) == "free-for-all"
    assert mode(BATTLESNAKE.new({"snakes": 2, "ruleset": "wrapped_constrictor"}, 1)) == "constrictor"
    assert mode(BATTLESNAKE.new({"snakes": 2, "ruleset": "wrapped"}, 1)) == "wrapped"
    assert mode(replace(base, hazards=((0, 0),))) == "royale"


def test_terms_add_up_and_stay_short_of_certainty() -> None:
    position = parse(request([(0, 0), (1, 0), (2, 0)], [(6, 6), (6, 5), (6, 4), (6, 3)], size=(7, 7)))
    value, terms = leaf(position, leaves()["duel"])
    assert value == pytest.approx(sum(terms.values()))
    assert terms["length"] < 0
    huge, _ = leaf(position, Weights(space=1000.0, length=1000.0, health=1000.0))
    assert -SURE < huge < SURE
    assert leaf(position, Weights())[0] == 0


POCKET = [(2, 3), (2, 2), (1, 2), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
"""A body with its head before a dead end of one cell on the left; right is open."""


def test_every_word_is_told_with_its_reasons() -> None:
    position = parse(request(POCKET, [(6, 6), (6, 5), (6, 4)], size=(7, 7)))
    answer = decide(position, 1500)
    assert answer.move == "right"
    assert [candidate.move for candidate in answer.candidates] == list(WORDS)
    by_word = {candidate.move: candidate for candidate in answer.candidates}
    assert by_word["down"].score is None
    assert by_word["left"].score < by_word["right"].score
    assert by_word["left"].notes == ("loses against every reply",)
    for word in ("left", "right"):
        told = by_word[word]
        assert told.score == sum(told.terms.values())
        assert told.details["depth"] == answer.stats["depth"] > 1
        assert set(told.details["replies"]) <= set(WORDS)
    assert set(by_word["right"].terms) == {*TERMS, "outlook"}
    assert answer.line[0] == "right"
    assert len(answer.line) > 1


def test_it_goes_for_the_cell_that_an_equal_would_fear() -> None:
    # Food between two heads: who steps back loses it, and the rival is no surer than you.
    mine = [(1, 3), (0, 3), (0, 2), (0, 1)]
    theirs = [(3, 3), (4, 3), (4, 2), (4, 1)]
    position = parse(request(mine, theirs, size=(5, 5), food=[{"x": 2, "y": 3}]))
    bold = decide(position, 2000, draw_worth=0.0)
    row = next(c for c in bold.candidates if c.move == "right").details["replies"]
    assert row["left"] == 0.0  # both die
    assert bold.move == "right"
    assert decide(position, 2000, draw="loss", caution=1.0).move != "right"


def test_the_longer_wins_where_the_shorter_must_not_go() -> None:
    mine = [(1, 3), (0, 3), (0, 2), (0, 1)]
    theirs = [(3, 3), (4, 3), (4, 2), (4, 1)]
    longer = parse(request([*mine, (0, 0)], theirs, size=(5, 5)))
    shorter = parse(request(mine, [*theirs, (4, 0)], size=(5, 5)))
    told = {candidate.move: candidate for candidate in decide(longer, 2000).candidates}
    assert told["right"].details["replies"]["left"] > SURE
    assert told["right"].details["headToHead"] == []
    answer = decide(shorter, 2000)
    assert answer.move != "right"
    right = next(candidate for candidate in answer.candidates if candidate.move == "right")
    assert "loses if answered by left" in right.notes
    assert right.details["headToHead"] == ["s1"]


def test_a_trapped_rival_is_seen_to_be_lost() -> None:
    # The rival runs along the wall; one step more on this side and it can't turn any more.
    theirs = [(0, 3), (0, 2), (0, 1), (0, 0)]
    mine = [(1, 3), (1, 2), (1, 1), (1, 0), (2, 0), (3, 0)]
    answer = decide(parse(request(mine, theirs, size=(5, 6))), 3000)
    assert answer.move == "up"
    assert answer.score >= SURE


def test_a_lone_snake_lives_on_and_eats_when_it_must() -> None:
    position = BATTLESNAKE.new({"snakes": 1, "ruleset": "solo", "width": 7, "height": 7}, 2)
    for number in range(150):
        answer = decide(position, 120, seed=number)
        step = BATTLESNAKE.step(position, {position.you: answer.move}, 7)
        assert not step.over, number
        position = step.position
    assert len(position.snakes[0].body) > 3


def test_a_budget_that_ends_at_once_still_has_a_word() -> None:
    for options in ({"snakes": 2}, {"snakes": 4}, {"snakes": 1}):
        answer = decide(BATTLESNAKE.new(options, 3), 1)
        assert answer.move in WORDS
        assert answer.stats["iterations"] == 1


@pytest.mark.skipif(not hasattr(walk, "py_func"), reason="minutes without the JIT")
def test_every_board_is_searched_safely() -> None:
    rng = Random(22)
    states = [state(line) for line in (turn(rng, odd=True) for _ in range(80)) if line["before"]["snakes"]]
    states += [
        BATTLESNAKE.dump(BATTLESNAKE.new({"ruleset": ruleset, "snakes": snakes, "width": w, "height": h}, 6))
        for ruleset, (snakes, w, h) in product(RULESETS, ((1, 1, 1), (2, 3, 3), (8, 25, 25), (16, 64, 20)))
    ]
    states.append(request([(2, 2)] * 3, *[[(2, 2)]] * 63, size=(5, 5)))
    for body in states:
        answer = decide(parse(body), 500)
        assert answer.move in WORDS
        assert [candidate.move for candidate in answer.candidates] == list(WORDS)
        for candidate in answer.candidates:
            assert candidate.score is None or candidate.score == sum(candidate.terms.values())


@pytest.mark.machine_code
def test_two_walkers_value_every_pair_as_one_does_and_the_quicker_one_helps() -> None:
    for number, (_, position) in enumerate(duels(12, 31)):
        weights = leaves()[mode(position)]
        alone = Search(position, WORDS, weights, Tuning(), 4)
        while not alone.finished:
            alone.advance(1_000)
        together = Search(position, WORDS, weights, Tuning(), 4, walkers=2)
        rounds = 0
        while not together.finished:
            # One of them is slow, or stands still for long.
            together.step(0, 7)
            together.step(1, 5 if number % 2 or rounds % 100 == 99 else 0)
            together.settle()
            rounds += 1
        assert together.found.payoffs == alone.found.payoffs
        for word in alone.found.words:
            assert together.line(word).words[0] == word


@pytest.mark.machine_code
def test_what_an_earlier_search_has_left_in_a_table_is_as_good_as_nothing() -> None:
    (_, position), (_, another) = duels(2, 8)
    weights = leaves()[mode(position)]

    def searched_with(place: Position) -> tuple[Findings, int]:
        search, turns = Search(place, WORDS, weights, Tuning(), 5), 0
        while not search.finished:
            turns += search.advance(500)
        return search.found, turns

    first = searched_with(position)
    searched_with(another)
    assert searched_with(position) == first
