"""The rules by hand, a test for each place where a natural implementation goes wrong."""

import pytest

from engines.core.errors import PositionError
from engines.flag.position import NAMES
from tests.flag.boards import board, living, play


def cell(position, name):
    return position.pieces[NAMES.index(name)].cell


# Paths


@pytest.mark.parametrize(
    ("order", "path"),
    [
        ("left 10", [5, 5, 0, 5, 5]),
        ("right 7", [5, 5, 10, 5, 5]),
        ("down 10", [5, 5, 5, 0, 5]),
        ("up 10", [5, 5, 5, 8, 3]),
        ("up 2", [5, 5, 5, 7, 2]),
    ],
)
def test_a_path_stops_before_the_edge_and_before_the_own_active_zone(order, path):
    assert play(board(A1=(5, 5)), A1=order).paths["A1"] == path


def test_the_own_zone_is_open_while_its_flag_is_carried_and_to_the_carrier_of_the_enemy_flag():
    open_zone = board(A1=(4, 6), B2=(0, 5), carries="B2")
    assert play(open_zone, A1="up 10").paths["A1"] == [4, 6, 4, 10, 4]
    carrier = board(A1=(4, 5), carries="A1")
    assert play(carrier, A1="up 10").paths["A1"] == [4, 5, 4, 10, 5]


def test_the_zone_is_taken_as_it_was_when_the_round_began():
    """B1 takes A's flag in this round: A2 is still kept out."""
    done = play(board(B1=(5, 5), A2=(4, 6), A1=(0, 6)), B1="up 5", A2="up 4")
    assert ["pickup", "B1", "A"] in done.events
    assert done.paths["A2"] == [4, 6, 4, 8, 2]
    assert not done.after.zone_active(0)


def test_the_enemy_zone_blocks_nobody_and_pieces_do_not_block_one_another():
    done = play(board(A1=(6, 6), B3=(0, 0)), A1="down 10")
    assert done.paths["A1"] == [6, 6, 6, 0, 6]


def test_orders_for_dead_pieces_do_nothing_and_pieces_without_an_order_stand():
    done = play(board(dead="A1"), A1="down 3")
    assert "A1" not in done.paths
    assert done.paths["A2"] == [5, 8, 5, 8, 0]
    assert cell(done.after, "A1") == (4, 8)


# Meetings and jail


def test_who_meets_an_enemy_outside_the_own_land_is_jailed():
    in_b = play(board(A1=(0, 3), B1=(2, 3)), A1="right 2")
    assert in_b.events == [["jailed", "A1"]]
    in_a = play(board(A1=(0, 7), B1=(2, 7)), B1="left 2")
    assert in_a.events == [["jailed", "B1"]]
    between = play(board(A1=(0, 5), B1=(2, 5)), A1="right 1", B1="left 1")
    assert between.events == [["jailed", "A1"], ["jailed", "B1"]]
    assert between.after.key(0) == (9, 1)
    assert between.after.key(1) == (1, 9)


@pytest.mark.parametrize(("gap", "met"), [(1, False), (2, True), (3, False), (4, True)])
def test_head_on_they_meet_at_even_distances_and_walk_through_each_other_at_odd_ones(gap, met):
    done = play(board(A1=(2, 5), B1=(2 + gap, 5)), A1="right 4", B1="left 4")
    assert bool(done.events) is met
    assert [record[0] for record in done.collisions] == ["A1", "B1"]


def test_exchanging_cells_is_recorded_at_two_cells_and_harms_nobody():
    done = play(board(A1=(2, 5), B1=(3, 5)), A1="right 1", B1="left 1")
    assert done.collisions == [["A1", 3, 5], ["B1", 2, 5]]
    assert living(done.after) == set(NAMES)


def test_a_meeting_with_a_friend_first_in_order_of_pairs_shields_even_when_later_in_time():
    """A1 passes B1 at step 1 and shares a cell with A2 at step 4 only: pairs count, not time."""
    done = play(board(A1=(0, 3), B1=(1, 3), A2=(4, 3)), A1="right 4")
    assert done.collisions[:2] == [["A1", 4, 3], ["A2", 4, 3]]
    assert ["B1", 1, 3] in done.collisions
    assert living(done.after) == set(NAMES)


def test_swapping_the_sides_changes_the_result():
    """The round above seen in a mirror: the friends' pair comes last for B, so B1 is caught."""
    done = play(board(B1=(0, 7), A1=(1, 7), B2=(4, 7)), B1="right 4")
    assert done.events == [["jailed", "B1"]]
    mirrored = play(board(A1=(0, 3), B1=(1, 3), A2=(4, 3)), A1="right 4")
    assert mirrored.events == []


def test_a_shielded_carrier_walks_home_through_a_defender():
    done = play(
        board(A1=(3, 3), A2=(3, 3), B1=(3, 4), B2=(0, 0), B3=(1, 0), carries="A1"), A1="up 3", A2="up 3"
    )
    assert done.after.winner == 0


def test_records_of_different_pairs_and_steps_can_be_partners():
    """B1 and B2 cross at (4, 3) at step 1, A1 and A2 meet there at step 4: no enemies ever met."""
    done = play(
        board(A1=(4, 7), A2=(0, 3), B1=(3, 3), B2=(4, 4)),
        A1="down 4",
        A2="right 4",
        B1="right 5",
        B2="down 4",
    )
    assert done.collisions == [["A1", 4, 3], ["A2", 4, 3], ["B1", 4, 3], ["B2", 4, 3]]
    assert done.events == [["jailed", "A1"], ["jailed", "A2"]]


def test_pieces_that_begin_on_one_cell_have_met():
    done = play(board(A1=(3, 3), B1=(3, 3)), A1="up 5", B1="down 2")
    assert done.collisions == [["A1", 3, 3], ["B1", 3, 3]]
    assert done.events == [["jailed", "A1"]]


def test_the_path_of_a_caught_piece_is_not_cut():
    """B1 and B2 both stand in A1's way; it is caught at the first and yet met by the second."""
    done = play(board(A1=(0, 3), B1=(2, 3), B2=(4, 3)), A1="right 6")
    assert done.collisions == [["A1", 2, 3], ["B1", 2, 3], ["B2", 4, 3]]
    assert cell(done.after, "A1") == (6, 3)
    assert "A1" not in living(done.after)


def test_every_piece_at_a_cell_is_judged_for_itself():
    done = play(
        board(A1=(3, 5), A2=(5, 5), B1=(4, 6), B2=(4, 4)), A1="right 1", A2="left 1", B1="down 1", B2="up 1"
    )
    assert living(done.after) == {"A3", "B3"}


# Flags


def test_a_flag_is_picked_up_by_landing_and_not_by_passing():
    passing = play(board(A1=(3, 0), B1=(0, 2)), A1="right 4")
    assert passing.events == []
    landing = play(board(A1=(3, 0), B1=(0, 2)), A1="right 2")
    assert landing.events == [["pickup", "A1", "B"]]
    assert landing.after.flag(1) == (5, 0)
    assert not landing.after.zone_active(1)


def test_of_two_friends_on_the_flag_the_lower_number_takes_it():
    done = play(board(A2=(4, 0), A3=(5, 1)), A2="right 1", A3="down 1")
    assert ["pickup", "A2", "B"] in done.events


def test_a_jailed_carrier_loses_the_flag_and_the_defenders_leave_the_zone():
    """A2 and A3 stand in A's open zone when B1 is caught with A's flag."""
    position = board(B1=(2, 7), A1=(0, 7), A2=(5, 9), A3=(4, 10), carries="B1")
    done = play(position, A1="right 2")
    assert done.events == [["jailed", "B1"], ["flag_home", "A"], ["zone_reset", "A2"], ["zone_reset", "A3"]]
    assert (cell(done.after, "A2"), cell(done.after, "A3")) == ((5, 8), (6, 8))
    assert done.after.zone_active(0)
    assert done.after.flag(0) == (5, 10)


def test_a_flag_sent_home_is_picked_up_in_the_same_round():
    position = board(B1=(2, 7), A1=(0, 7), B2=(5, 10), carries="B1")
    assert ["pickup", "B2", "A"] in play(position, A1="right 2").events


def test_a_carrier_that_reaches_its_own_land_wins_and_the_game_takes_no_further_round():
    done = play(board(A1=(0, 5), carries="A1"), A1="up 1")
    assert done.events == [["score", "A"], ["score", "A"]]
    assert done.after.winner == 0
    with pytest.raises(PositionError) as refused:
        play(done.after)
    assert refused.value.path == ("status",)


def test_both_flags_brought_home_in_one_round_is_a_win_for_b():
    done = play(board(A1=(0, 5), B1=(10, 5), carries="A1 B1"), A1="up 1", B1="down 1")
    assert done.after.winner == 1
    assert done.events == [["score", "A"], ["score", "B"], ["score", "A"], ["score", "B"]]


# Keys and rescue


def test_a_piece_on_the_key_frees_all_prisoners_and_goes_home_next_round():
    done = play(board(A1=(7, 1), dead="A2 A3"), A1="right 2")
    assert done.events == [["rescue", "A1", ["A2", "A3"]]]
    assert (cell(done.after, "A2"), cell(done.after, "A3")) == ((5, 8), (6, 8))
    assert cell(done.after, "A1") == (9, 1)
    assert done.after.key(0) is None
    following = play(done.after, A1="left 2")
    assert following.events == [["rescuer_reset", "A1"]]
    assert following.paths["A1"] == [4, 8, 2, 8, 2]


def test_standing_on_the_key_counts_and_passing_does_not():
    assert play(board(A1=(9, 1), dead="A2")).events == [["rescue", "A1", ["A2"]]]
    assert play(board(A1=(8, 1), dead="A2"), A1="right 2").events == []


def test_the_key_cell_means_nothing_while_nobody_is_jailed():
    assert play(board(A1=(8, 1)), A1="right 1").events == []


def test_of_two_friends_on_the_key_only_the_higher_number_goes_home():
    done = play(board(B1=(1, 8), B3=(0, 9), dead="B2"), B1="up 1", B3="right 1")
    assert done.events == [["rescue", "B1", ["B2"]], ["rescue", "B3", []]]
    assert done.after.rescuers == (5,)


def test_a_piece_jailed_in_this_round_is_freed_in_it():
    done = play(board(A1=(0, 3), B1=(2, 3), A2=(9, 3)), A1="right 2", A2="down 2")
    assert done.events == [["jailed", "A1"], ["rescue", "A2", ["A1"]]]


def test_a_rescuer_that_carries_the_flag_wins_by_going_home():
    done = play(board(A1=(9, 1), carries="A1", pending="A1"))
    assert done.events == [["rescuer_reset", "A1"], ["score", "A"], ["score", "A"]]
