"""The design document's own test list, its edge cases, and its criteria of success as scenarios."""

import pytest

from engines.core.agent import NoParameters
from engines.core.budget import Budget, Meter
from engines.flag.agents.heuristic import plan
from engines.flag.game import FLAG
from engines.flag.parse import parse_orders
from engines.flag.position import NAMES, start
from engines.flag.score import quick
from engines.flag.step import play
from tests.flag.boards import board

LEFT, RIGHT, UP, DOWN = "left", "right", "up", "down"


def decide(position):
    return FLAG.agents["heuristic"].decide(
        position, FLAG.agents["heuristic"].parameters(), Meter(Budget(iterations=6)), 0, None
    )


def seen(position, name):
    """Everything that was looked at for one of the mover's pieces."""
    scored = plan(position, position.mover()).own
    return next(found for found in scored if found.piece == NAMES.index(name))


def cells(position, name):
    found = seen(position, name)
    return {tuple(found.end(position, row)) for row in range(len(found.orders))}


def order(piece, direction="up", distance=0):
    return {"piece": piece, "direction": direction, "distance": distance}


# Individual piece move exploration


def test_from_5_5_every_reachable_cell_is_explored():
    for side, name, column in (("A", "A1", range(9)), ("B", "B1", range(2, 11))):
        position = board(side=side, **{name: (5, 5)})
        expected = {(x, 5) for x in range(11)} | {(5, y) for y in column}
        assert cells(position, name) == expected
        assert len(seen(position, name).orders) == len(expected) == 19


def test_a_piece_at_0_5_cannot_move_left():
    position = board(side="A", A1=(0, 5))
    assert (0, 5) in cells(position, "A1")
    assert not [move for move in decide(position).candidates if move.move == order(1, LEFT, 1)]
    assert len(seen(position, "A1").orders) == 21


def test_the_no_guard_zone_blocks_and_does_not_when_it_is_off_or_for_the_carrier():
    assert not cells(board(side="A", A1=(4, 6)), "A1") & {(4, 9), (4, 10)}
    assert cells(board(side="A", A1=(4, 6), B2=(0, 5), carries="B2"), "A1") >= {(4, 9), (4, 10)}
    assert cells(board(side="A", A1=(4, 5), carries="A1"), "A1") >= {(4, 9), (4, 10)}


def test_the_delta_is_measured_against_standing_under_the_same_enemy_orders():
    """B1 is about to take A's flag, whatever A2 does: that is in the baseline and in no delta."""
    position = board(side="A", A1=(0, 6), A2=(2, 2), A3=(10, 6), B1=(5, 6), dead="B2 B3")
    entry = seen(position, "A2").entry(position)
    assert entry["still"] == -(8000 + 1000 + 500) + 400
    assert (entry["direction"], entry["distance"], entry["delta"]) == (DOWN, 2, 500)


def test_standing_is_always_among_the_candidates():
    position = board(side="A", A1=(0, 0), A2=(5, 5), dead="A3")
    stand = [move.move for move in decide(position).candidates if move.move["distance"] == 0]
    assert stand == [order(1), order(2)]


# Best move selection


def test_the_highest_of_several_is_chosen():
    """Two steps down lie in B's zone, three on B's flag."""
    found = seen(board(side="A", A1=(5, 3), B1=(0, 5), B2=(1, 5), B3=(2, 5)), "A1")
    deltas = {order: score - found.still for order, score in zip(found.orders, found.scores, strict=True)}
    assert deltas[1, 3] == max(deltas.values()) == 8000 + 1000 + 500
    assert deltas[1, 2] == 1000
    assert found.best_order == (1, 3)


def test_standing_wins_when_nothing_improves():
    made = decide(start("A"))
    assert made.move == [order(1), order(2), order(3)]
    assert made.score == 0


def test_of_ties_the_first_direction_and_the_shortest_distance_decide():
    """Any number of steps up brings the carrier home, and from (3, 1) three cells of B's zone lie ahead."""
    assert decide(board(side="A", A1=(0, 5), carries="A1")).move[0] == order(1, UP, 1)
    assert decide(board(side="A", A1=(0, 4), dead="B1 B2 B3")).move[0] == order(1, DOWN, 4)
    corner = board(side="A", A1=(3, 1), B1=(0, 5), B2=(1, 5), B3=(2, 5))
    assert decide(corner).move[0] == order(1, RIGHT, 1)


# Enemy's best, and the own best against it


def test_the_enemys_best_is_found_piece_by_piece_with_ours_standing():
    position = board(side="A", A1=(9, 9), A2=(9, 8), A3=(9, 7), B1=(5, 7), B2=(3, 6), B3=(0, 0))
    predicted = decide(position).context["predicted_enemy"]
    assert [(entry["piece"], entry["direction"], entry["distance"]) for entry in predicted] == [
        (1, UP, 3),
        (2, UP, 4),
        (3, UP, 10),
    ]
    assert [entry["delta"] for entry in predicted] == [9500, 500, 500]
    assert predicted[0]["end"] == [5, 10]


def test_the_own_best_is_found_against_the_combined_enemy_orders():
    """B1 carries A's flag and will run home along x = 2: A2 meets it on the way."""
    position = board(side="A", A1=(9, 9), A2=(4, 6), A3=(9, 7), B1=(2, 8), B2=(9, 0), B3=(8, 0), carries="B1")
    made = decide(position)
    assert made.context["predicted_enemy"][0]["direction"] == DOWN
    assert made.move[1] == order(2, LEFT, 2)


def test_evaluations_are_counted_as_the_document_means_them():
    made = decide(start("A"))
    assert made.stats["evaluations"] == 6 * 19
    assert made.context["evaluations"] == {"all": 246, "distinct": 114}


# Edge cases


def test_dead_pieces_are_ignored_on_both_sides():
    made = decide(board(side="A", dead="A2 B1 B3"))
    assert [entry["piece"] for entry in made.move] == [1, 3]
    assert [entry["piece"] for entry in made.context["predicted_enemy"]] == [2]


def test_pending_rescuers_are_valued_as_shown_and_a_note_says_so():
    made = decide(board(side="A", A1=(9, 1), pending="A1"))
    first = made.candidates[0]
    assert first.details["end"] == [9, 1]
    assert "start cell" in first.notes[0]
    assert not made.candidates[-1].notes


def test_the_timeline_shows_real_ends_for_a_pending_rescuer():
    position = board(side="A", A1=(9, 1), pending="A1")
    made = decide(position)
    shown = FLAG.annotations(position, made.move)["timeline"]
    assert shown[0]["path"][0] == [4, 8]


# The document's criteria of success


def after_both(position):
    """Both sides play the heuristic for one round."""
    sides = {side: decide(FLAG.parse(FLAG.dump(position), side)).move for side in "AB"}
    return play(position, parse_orders(sides))


@pytest.mark.parametrize(("side", "cell"), [("A", (5, 5)), ("A", (0, 0)), ("B", (5, 4)), ("B", (9, 10))])
def test_it_takes_the_flag_when_it_can(side, cell):
    position = board(
        side=side,
        **{f"{side}2": cell},
        **{name: (10, 5) for name in NAMES if name[0] != side},
    )
    moved = play(position, parse_orders({side: decide(position).move}))
    assert ["pickup", f"{side}2", "B" if side == "A" else "A"] in moved.events


@pytest.mark.parametrize(("side", "cell"), [("A", (1, 0)), ("B", (8, 10)), ("A", (5, 5))])
def test_it_gets_home_with_the_flag(side, cell):
    position = board(side=side, **{f"{side}3": cell}, carries=f"{side}3")
    moved = play(position, parse_orders({side: decide(position).move}))
    assert moved.after.winner == (0 if side == "A" else 1)


def test_it_catches_the_carrier():
    position = board(A1=(9, 9), A2=(4, 6), A3=(9, 7), B1=(2, 8), B2=(9, 0), B3=(8, 0), carries="B1")
    moved = after_both(position)
    assert ["jailed", "B1"] in moved.events
    assert ["flag_home", "A"] in moved.events
    assert quick(moved.after, 0) > quick(position, 0)


def test_it_steps_in_front_of_a_thief():
    """B1 can take A's flag along x = 5; A1 one row up the way can meet it first."""
    position = board(A1=(4, 7), A2=(9, 6), A3=(8, 6), B1=(5, 6))
    moved = after_both(position)
    assert ["jailed", "B1"] in moved.events


def test_a_standing_order_needs_no_reason_in_the_plan():
    made = plan(start(), 0)
    assert [seen.delta for seen in (*made.enemy, *made.own)] == [0] * 6
    assert FLAG.agents["heuristic"].parameters is NoParameters
