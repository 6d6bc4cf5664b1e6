"""Where every move loses: after which one is the win most easily given away?

The opponent is thought to be one of the study's seven, each as likely as another: one that moves at random,
three that look three plies deep and three that deepen for the study's own effort. What each of them would
answer is searched; which answers keep the win is proved.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.limit import Meter
from engines.isolation.agents.alphabeta import Searcher, deepen, fixed_depth
from engines.isolation.agents.common import shuffled
from engines.isolation.position import Position
from engines.isolation.proof import Decided, Spread
from engines.isolation.rules import play

SLICE = 4096
EFFORT = 10_000
"""Nodes a move that the study's agents had."""
ROSTER = tuple((prune, name) for prune in (False, True) for name in ("open_move", "center", "improved"))


@dataclass(frozen=True, slots=True)
class Trap:
    """What a losing move leaves: how many replies there are and how many of them keep the win.

    `hope` is the chance, 0 to 1, that a random member of the roster errs at once.
    """

    replies: int
    keeping: int
    hope: float


def find_traps(
    position: Position, squares: list[int], meter: Meter, spent: int, seed: int
) -> tuple[dict[int, Trap], int]:
    """The traps of the moves that time allows for, and the nodes spent with them.

    First the replies of every move are proved, then the roster is asked, the most promising move first.
    """
    decided = Decided()
    answers: dict[int, dict[int, bool]] = {}
    traps: dict[int, Trap] = {}
    nodes = spent
    for square in squares:
        proof = Spread(play(position, square), decided, thorough=True)
        while not proof.settled and meter.more(nodes):
            left = meter.left(nodes)
            nodes += proof.work(SLICE if left is None else min(SLICE, left))
        if not proof.settled:
            return traps, nodes
        keeping = sum(proof.values.values())
        answers[square] = proof.values
        traps[square] = Trap(len(proof.values), keeping, (1 - keeping / len(proof.values)) / 7)
    for square in sorted(squares, key=lambda square: -traps[square].hope):
        trap = traps[square]
        if trap.keeping == trap.replies:
            continue
        child = play(position, square)
        order = shuffled(list(answers[square]), seed)
        erring = 0
        for prune, name in ROSTER:
            searcher = Searcher(child, name, meter, prune, nodes, nodes + EFFORT)
            reply = deepen(searcher, order)[0] if prune else fixed_depth(searcher, order)[0]
            nodes = searcher.nodes
            if not meter.more(nodes):
                return traps, nodes
            erring += not answers[square][reply]
        traps[square] = Trap(trap.replies, trap.keeping, trap.hope + erring / 7)
    return traps, nodes
