"""Legal orders and the timeline."""

from engines.flag.game import FLAG
from engines.flag.moves import legal
from engines.flag.position import TEAMS
from tests.flag.boards import board, play


def test_legal_lists_each_end_cell_once_with_its_shortest_order():
    moves = legal(board(A1=(5, 5), dead="A2"))
    assert set(moves) == set(TEAMS)
    mine = [move for move in moves["A"] if move["piece"] == 1]
    assert len(mine) == len({tuple(move["end"]) for move in mine}) == 19
    assert {"piece": 1, "direction": "up", "distance": 0, "end": [5, 5]} in mine
    assert {"piece": 1, "direction": "up", "distance": 3, "end": [5, 8]} in mine
    assert not [move for move in moves["A"] if move["piece"] == 2]
    assert set(legal(board(side="B"))) == {"B"}


def test_legal_begins_where_a_pending_rescuer_will_stand():
    moves = legal(board(A1=(9, 1), pending="A1"))["A"]
    assert moves[0] == {"piece": 1, "direction": "up", "distance": 0, "end": [4, 8]}


def test_a_finished_game_has_no_legal_moves():
    over = play(board(A1=(0, 5), carries="A1"), A1="up 1").after
    assert legal(over) == {"A": [], "B": []}


def test_the_timeline_shows_the_cells_really_passed_and_why_a_piece_stops():
    position = board(side="A", A1=(5, 6), A2=(9, 1), A3=(2, 5), pending="A2")
    move = [
        {"piece": 1, "direction": "up", "distance": 9},
        {"piece": 2, "direction": "right", "distance": 2},
        {"piece": 3, "direction": "left", "distance": 3},
    ]
    one, two, three = FLAG.annotations(position, move)["timeline"]
    assert one == {
        "piece": 1,
        "path": [[5, 6], [5, 7], [5, 8]],
        "end": [5, 8],
        "notes": ["up 9 ends after 2: its own no-guard zone is ahead"],
    }
    assert two["path"] == [[5, 8], [6, 8], [7, 8]]
    assert "start cell" in two["notes"][0]
    assert three["notes"] == ["left 3 ends after 2: the edge of the board is ahead"]
