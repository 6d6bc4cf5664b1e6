"""Players that learn and look ahead: what they compute, and training that comes out the same."""

import numpy as np
import pytest
from hypothesis import given, settings

from engines.core.budget import Budget, Meter
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE
from engines.ludo.game import LUDO
from engines.ludo.parse import parse
from engines.ludo.q_learning.abstractions import POTENTIAL9
from engines.ludo.q_learning.learning import event_reward
from engines.ludo.rules import Turn, board_of, mask_of, play
from engines.ludo.search.expectimax import (
    LEAF_TERMS,
    NETWORK_LEAF,
    RACE_LEAF,
    Leaf,
    SearchScratch,
    make_scratch,
    search_slice,
)
from engines.ludo.td.network import NO_NETWORK
from engines.ludo.weights import networks, tables
from tests.ludo.strategies import positions
from tests.oracles import ludo as oracle
from training import ludo_q
from training.ludo_q import QCourse, QSettings
from training.ludo_td import TdCourse, TdSettings
from training.run import Interrupted, TrainingError, run


def terms_of(position, piece, depth, face, kind=NETWORK_LEAF):
    """[seat, term]: what moving a piece is worth."""
    weights = networks()[max(2, 4 - len(position.ghosts))] if kind == NETWORK_LEAF else NO_NETWORK
    scratch = SearchScratch(*make_scratch(weights.first.shape[1], len(LEAF_TERMS[kind])))
    turn = Turn(mask_of(position.ghosts), position.player, position.round, position.attempts)
    board = board_of(position.positions)
    leaf = Leaf(kind, weights, DEFAULT_RACE)
    search_slice(leaf.plain(), board, tuple(turn), piece, position.dice, depth, face, scratch.plain())
    return scratch.result.copy()


@settings(max_examples=40)
@given(position=positions())
def test_chances_are_shared_among_the_seats_that_play(position):
    for piece in position.movable:
        chances = terms_of(position, piece, 0, 1)[:, 0]
        assert chances.sum() == pytest.approx(1)
        assert (chances >= 0).all()
        assert all(chances[ghost] == 0 for ghost in position.ghosts)


def test_the_order_of_a_seats_pieces_changes_nothing():
    rows = [[3, 9, 9, 30], [0] * 4, [20, 0, 57, 44], [0] * 4]
    turned = [sorted(row, reverse=True) for row in rows]
    one, two = (
        parse({"positions": shown, "ghosts": [1, 3], "player": 0, "dice": 2}) for shown in (rows, turned)
    )
    assert terms_of(one, 0, 0, 1) == pytest.approx(terms_of(two, turned[0].index(3), 0, 1), abs=1e-6)


@pytest.mark.parametrize("kind", [NETWORK_LEAF, RACE_LEAF])
@settings(max_examples=15)
@given(position=positions())
def test_a_reply_is_the_best_move_of_the_one_who_throws(kind, position):
    """One throw ahead, played by the plain engine of the tests."""
    for piece in position.movable[:1]:
        after, _, _ = oracle.play(
            [list(p) for p in position.positions], position.player, piece, position.dice
        )
        if any(row == [57] * 4 for row in after):
            return
        player, round_, attempts = oracle.next_turn(
            after, position.ghosts, position.player, position.dice, position.round, position.attempts
        )
        for face in (2, 6):
            state = {"positions": after, "ghosts": list(position.ghosts), "player": player, "dice": face}
            reply = parse({**state, "round": round_, "attempts": attempts})
            if reply.movable:
                best = max(terms_of(reply, other, 0, 1, kind)[player].sum() for other in reply.movable)
                assert terms_of(position, piece, 1, face, kind)[player].sum() == pytest.approx(best)


def decide(name, position, iterations, **params):
    agent = LUDO.agents[name]
    return agent.decide(position, agent.parameters(**params), Meter(Budget(iterations=iterations)), 1, None)


@pytest.mark.parametrize("name", ["td", "expectimax"])
def test_a_depth_counts_once_every_move_has_it(name):
    position = parse(
        {
            "positions": [[3, 15, 0, 57], [0] * 4, [20, 30, 0, 0], [0] * 4],
            "ghosts": [1, 3],
            "player": 0,
            "dice": 2,
        }
    )
    first, cut, deeper = (decide(name, position, n, depth=1) for n in (1, 12, 1000))
    assert [d.stats for d in (first, cut, deeper)] == [
        {"iterations": 1, "depth": 0},
        {"iterations": 12, "depth": 0},
        {"iterations": 13, "depth": 1},
    ]
    assert first.candidates == cut.candidates
    assert first.candidates != deeper.candidates


def test_td_takes_the_last_piece_to_goal():
    position = parse(
        {
            "positions": [[55, 3, 57, 57], [0] * 4, [57, 57, 57, 50], [0] * 4],
            "ghosts": [1, 3],
            "player": 0,
            "dice": 2,
        }
    )
    home = parse(
        {**LUDO.dump(position), "positions": [[55, 57, 57, 57], *LUDO.dump(position)["positions"][1:]]}
    )
    assert decide("td", home, 1).score == 1.0
    assert decide("td", position, 1).score < 0.5


def test_q_learning_tells_what_it_sees_and_where_it_looks():
    position = parse({"positions": [[9, 3, 0, 57]] + [[0] * 4] * 3, "ghosts": [], "player": 0, "dice": 6})
    for abstraction, config in tables():
        decision = decide("q_learning", position, 1, abstraction=abstraction, config=config)
        seen = decision.context
        assert len(seen["meaning"]) == len(seen["tuple"])
        assert seen["order"] == ([3, 0, 1, 2] if config == "tuned" else [0, 1, 2, 3])
        # Only the piece in goal can't move, wherever the table puts it.
        still = [word for word in seen["meaning"] if "cannot move" in word]
        assert all("piece 3 " in word for word in still)
        assert len(still) == (abstraction != "zone12")
        table = tables()[abstraction, config]
        assert seen["known"] == (seen["index"] in table.keys)


def test_the_tables_of_potential9_are_dense_the_others_sparse():
    for (abstraction, _), table in tables().items():
        states = POTENTIAL9.size if abstraction == "potential9" else len(table.keys)
        assert table.rows.shape == (states, 4)
        assert (np.diff(table.keys) > 0).all()
        key = int(table.keys[-1])
        assert table.values(key) == table.rows[key if abstraction == "potential9" else -1].tolist()
        missing = next(index for index in range(states) if index not in table.keys[: index + 1])
        assert table.values(missing) is None


@pytest.mark.parametrize(
    ("own", "other", "piece", "dice", "amount"),
    [
        ([20, 0, 0, 0], [], 0, 1, 1),  # nothing
        ([51, 0, 0, 0], [], 0, 6, 100),  # goal
        ([56, 0, 0, 0], [], 0, 2, 1),  # back from before goal
        ([3, 0, 0, 0], [], 0, 2, 10),  # a jump from star to star
        ([3, 0, 0, 0], [36], 0, 2, 1),  # the same before an enemy: 10 - 10, so as good as nothing
        ([20, 0, 0, 0], [], 0, 2, 15),  # to a globe
        ([0, 0, 0, 0], [], 0, 6, 15),  # out
        ([53, 0, 0, 0], [], 0, 1, 1),  # safe already
        ([20, 0, 0, 0], [47], 0, 1, 50),  # a capture
        ([20, 0, 0, 0], [47, 44], 0, 1, 50 - 10),  # a capture under threat
        ([20, 0, 0, 0], [47, 47], 0, 1, 1 - 20),  # refused by two
    ],
)
def test_by_events_all_that_comes_of_a_move_is_paid(own, other, piece, dice, amount):
    before = np.zeros((4, 4), np.int64)
    before[0], before[2, : len(other)] = own, other
    after = before.copy()
    taken, refused = play(after, 0, piece, dice)
    assert event_reward(before, after, 0, piece, dice, taken, refused) == amount


def test_what_the_documents_say_of_the_board_is_not_a_reading():
    documented, every_seat = (ask(config) for config in ("documented", "documented_every_seat"))
    assert (documented.opponents, documented.rotate, documented.ghosts) == ("random", False, 0)
    assert every_seat.opponents == "itself"
    for told in (documented, every_seat):
        assert (told.rate, told.least_rate, told.discount, told.games) == (0.1, 0.1, 0.9, 30_000)
        assert (told.explore, told.explore_decay, told.explore_floor) == (0.1, 0.9995, 0.01)


def ask(config):
    return ludo_q.settings("potential9", config, 1, None)


COURSES = {
    "td": lambda: TdCourse(TdSettings(players=2, games=80, units=4)),
    "q_learning": lambda: QCourse(QSettings("zone12", games=400)),
    "q_itself": lambda: QCourse(ludo_q.settings("zone12", "documented_every_seat", 1, 400)),
    "q_tuned": lambda: QCourse(ludo_q.settings("zone12", "tuned", 1, 400)),
}


class Impatient:
    """Breaks off at the second look."""

    def __init__(self):
        self.looks = 0

    def __call__(self, progress):
        self.looks += 1
        if self.looks == 2:
            raise KeyboardInterrupt


@pytest.mark.machine_code
@pytest.mark.parametrize("what", COURSES)
def test_same_seed_same_file_broken_off_or_not(what, tmp_path, monkeypatch):
    monkeypatch.setattr("training.run.POINTS", 4)
    monkeypatch.setattr(f"training.ludo_{what[0] if what[0] == 'q' else what}.SAMPLE", 20)
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    one = run(COURSES[what](), tmp_path / "one", whole, False, lambda progress: None)
    with pytest.raises(Interrupted):
        run(COURSES[what](), tmp_path / "two", parts, False, Impatient())
    two = run(COURSES[what](), tmp_path / "two", parts, True, lambda progress: None)
    assert whole.read_bytes() == parts.read_bytes()
    assert [p["episodes"] for p in one.curve] == [p["episodes"] for p in two.curve]
    assert len(one.curve) == 5


def test_other_settings_do_not_go_on_from_a_checkpoint(tmp_path):
    with pytest.raises(TrainingError, match="no checkpoint"):
        run(COURSES["td"](), tmp_path, tmp_path / "x.npz", True, lambda progress: None)
