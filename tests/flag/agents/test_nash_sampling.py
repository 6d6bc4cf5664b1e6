"""`nash_sampling`: what it draws, answers and says about it."""

from engines.core.budget import Budget, Meter
from engines.flag.agents.nash_sampling import Parameters
from engines.flag.game import FLAG
from engines.flag.parse import parse_orders
from engines.flag.position import TEAMS
from engines.flag.score import quick
from engines.flag.step import play
from tests.flag.agents.test_common import FEW, ask
from tests.vectors import lines


def test_nash_sampling_plays_within_five_steps_and_is_the_same_for_a_seed():
    position = FLAG.parse(lines("flag-heuristic.jsonl.gz")[60]["state"], "B")
    one, two = ask("nash_sampling", position, 5), ask("nash_sampling", position, 5)
    assert one == two
    assert all(1 <= entry["distance"] <= 5 for entry in one.move)
    assert one.stats == {"iterations": 12, "evaluations": 12 * 30}
    assert one.move != ask("nash_sampling", position, 6).move


def test_nash_sampling_by_default_makes_the_documents_45000_evaluations():
    assert Parameters() == Parameters(own_samples=300, enemy_samples=150)
    assert FLAG.agents["nash_sampling"].budgets.iterations.default == 300


def test_nash_sampling_is_worth_what_its_answer_leaves():
    """The score told is that of the own orders against the enemy orders shown in the context."""
    for line in lines("flag-heuristic.jsonl.gz")[::60]:
        position = FLAG.parse(line["state"], line["side"])
        if position.rescuers:
            continue
        made = ask("nash_sampling", position)
        side = position.mover()
        moves = {TEAMS[side]: made.move, TEAMS[1 - side]: made.context["expected_enemy"]}
        after = play(position, parse_orders(moves)).after
        rescued = after.rescuers or any(
            after.zone_active(team) != position.zone_active(team) for team in (0, 1)
        )
        if not rescued:
            assert quick(after, side) == made.score


def test_slices_do_not_change_what_nash_sampling_draws():
    position = FLAG.parse(lines("flag-heuristic.jsonl.gz")[60]["state"], "B")
    agent = FLAG.agents["nash_sampling"]

    class Slow(Meter):
        """Lets one own order through at a time."""

        def left(self, done):
            return 1

    budget = Budget(iterations=10_000)
    whole = agent.decide(position, FEW, Meter(budget), 3, None)
    assert agent.decide(position, FEW, Slow(budget), 3, None) == whole
