"""The legal answer at once."""

from engines.flag.fallback import fallback
from engines.flag.parse import parse
from tests.flag.boards import board
from tests.flag.test_parse import BASE


def test_the_fallback_stands_with_every_living_piece_of_the_side():
    assert fallback(parse(BASE, "B")) == [
        {"piece": 1, "direction": "up", "distance": 0},
        {"piece": 2, "direction": "up", "distance": 0},
    ]
    assert fallback(board(side="A", dead="A1 A2 A3")) == []
    assert fallback(parse({**BASE, "status": "finished", "winner": "A"}, "A")) == []
