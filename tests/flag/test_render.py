"""The board for a terminal."""

from engines.flag.game import FLAG
from tests.flag.boards import board


def test_the_drawing_tells_where_everything_is():
    text = FLAG.render(
        board(side="A", A1=(5, 5), A2=(5, 5), B1=(5, 5), dead="B2", carries="B1", pending="A3")
    )
    lines = text.splitlines()
    assert lines[0] == "round 7, playing, A to order"
    assert "A12B1" in lines[6]
    assert "kB" in lines[2]
    assert "fA" not in text
    assert "fB" in text
    assert "B1 (5,5) carries A's flag, B2 in jail" in lines[-1]
    assert "A3 (6,8) goes to its start cell first" in lines[-2]
