"""The solo bench: a game is played to its end, the same each time, and the lines come to what they say."""

from __future__ import annotations

from bench import solo


def test_a_game_alone_is_played_to_its_end():
    line = solo.play(3, "greedy", 0.0)
    assert line["turns"] > 3
    assert line["length"] >= 3
    assert line["cause"]
    assert solo.play(3, "greedy", 0.0) == line


def test_lines_come_to_medians_and_boards_that_filled():
    lines = [
        {"turns": turns, "filled": filled, "length": 80}
        for turns, filled in ((1000, 840), (1500, 860), (600, None))
    ]
    assert solo.summary(lines) == (
        "3 games: 1000 turns in the middle (600 to 1500), length 80; "
        "board filled in 2, at turn 850 in the middle"
    )
    assert solo.summary(lines[2:]) == (
        "1 games: 600 turns in the middle (600 to 600), length 80; board filled in 0"
    )
