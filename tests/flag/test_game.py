"""The game as the routes take it."""

import pytest

from engines.core.errors import PositionError
from engines.flag.game import FLAG
from engines.flag.position import start
from engines.flag.step import play as play_round
from tests.flag.boards import board, orders


def test_step_reads_commands_and_tells_events_and_winner():
    position = board(A1=(0, 5), carries="A1")
    step = FLAG.step(position, {"A": [{"piece": 1, "direction": "up", "distance": 1}]}, 0)
    assert (step.over, step.winner, step.events) == (True, "A", (["score", "A"], ["score", "A"]))
    assert step.position.round == position.round + 1
    assert FLAG.step(position, {}, 0).position == play_round(position, orders()).after


def test_new_is_the_start_and_takes_no_options():
    assert FLAG.new({}, 5) == start()
    with pytest.raises(PositionError) as refused:
        FLAG.new({"size": 3}, 0)
    assert refused.value.path == ("size",)
