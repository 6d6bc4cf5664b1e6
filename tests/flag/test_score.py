"""The score and its named terms."""

from engines.flag.score import full_terms, quick, quick_terms
from tests.flag.boards import board, play


def test_the_named_terms_of_the_quick_score():
    position = board(A1=(5, 1), A2=(0, 0), A3=(5, 0), B1=(3, 10), dead="B2")
    assert quick_terms(position, 0) == {
        "win": 0,
        "we_carry": 0,
        "they_carry": 0,
        "on_their_flag": 3000,
        "on_our_flag": 0,
        "in_their_zone": 2000,
        "in_our_zone": 0,
        "on_their_back_row": 1000,
        "on_our_back_row": -500,
        "piece_lead": 200,
    }
    assert quick(position, 1) == -quick(position, 0)


def test_pieces_in_the_enemy_zone_count_only_while_nobody_carries_the_own_flag():
    assert quick_terms(board(A1=(5, 1)), 0)["in_their_zone"] == 1000
    assert quick_terms(board(A1=(5, 1), B1=(0, 5), carries="B1"), 0)["in_their_zone"] == 0
    assert quick_terms(board(A1=(5, 1), A2=(0, 5), carries="A2"), 0)["in_their_zone"] == 0


def test_the_full_score_adds_captures_net_and_nothing_once_somebody_has_won():
    done = play(board(A1=(0, 3), B1=(2, 3)), A1="right 2")
    assert full_terms(done.after, 0, done.before)["captures"] == -1000
    assert full_terms(done.after, 1, done.before)["captures"] == 1000
    won = play(board(A1=(0, 5), A2=(2, 3), B1=(2, 3), carries="A1"), A1="up 1")
    assert full_terms(won.after, 0, won.before) == dict.fromkeys(quick_terms(won.after, 0), 0) | {
        "win": 10000,
        "captures": 0,
    }
