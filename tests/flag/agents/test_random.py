"""`random`: what it plays."""

from collections import Counter

from tests.flag.agents.test_common import ask
from tests.flag.boards import board


def test_random_goes_to_every_end_cell_about_equally_often():
    position = board(side="A", A1=(5, 5), dead="A2 A3")
    counts = Counter(str(ask("random", position, seed).move) for seed in range(19 * 60))
    assert len(counts) == 19
    assert min(counts.values()) >= 30
    assert max(counts.values()) <= 95
