"""Prints what rules and agents answer, for comparing a run without the compiler with one with it."""

import json
import sys

from engines.core.budget import Budget, Meter
from engines.flag.agents.nash_sampling import Parameters
from engines.flag.conformance import FORMATS
from engines.flag.game import FLAG
from tests.vectors import lines


def answers():
    rounds, decisions = FORMATS
    yield str(sum(len(rounds.replay(line).differences) for line in lines("flag.jsonl.gz")[::60]))
    for line in lines("flag-heuristic.jsonl.gz")[::100]:
        assert not decisions.replay(line).differences
        position = FLAG.parse(line["state"], line["side"])
        for agent in FLAG.agents.values():
            parameters = Parameters(4, 10) if agent.name == "nash_sampling" else agent.parameters()
            # The equilibrium's iterations take a second each without the compiler.
            iterations = 2 if agent.name == "equilibrium" else 100
            made = agent.decide(position, parameters, Meter(Budget(iterations=iterations)), 5, None)
            candidates = [[found.move, dict(found.terms)] for found in made.candidates]
            yield json.dumps([made.move, made.score, candidates, made.stats])


if __name__ == "__main__":
    sys.stdout.write("\n".join(answers()))
