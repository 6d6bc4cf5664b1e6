"""What holds in every position: drawn by hypothesis and checked against the independent oracle."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.rng import seeded
from engines.flag import rules
from engines.flag.agents.heuristic import plan
from engines.flag.moves import ends
from engines.flag.parse import parse
from engines.flag.playout import random_game
from engines.flag.position import MAX_DISTANCE, SIZE, TEAMS, dump, members, start
from engines.flag.score import full, quick
from engines.flag.step import play, with_rescuers_home
from tests.flag.boards import ORDERS, SIDES, commands, positions
from tests.oracles import flag as oracle


@settings(max_examples=600)
@given(positions(), ORDERS)
def test_a_round_is_the_oracles_round(position, orders):
    expected = oracle.play(dump(position), commands(orders))
    done = play(position, orders)
    assert dump(done.after) == expected["after"]
    assert done.paths == expected["paths"]
    assert done.collisions == expected["collisions"]
    assert done.events == expected["events"]
    for team, name in enumerate(TEAMS):
        assert quick(done.after, team) == expected["score"][name]
        assert full(done.after, team, done.before) == expected["scoreWithCaptures"][name]


@settings(max_examples=60)
@given(positions(), SIDES)
def test_the_heuristic_decides_as_the_oracle_does(position, side):
    made = plan(position, TEAMS.index(side))
    expected = oracle.heuristic(dump(position), side)
    assert [seen.entry(position) for seen in made.enemy] == expected["enemy"]
    assert [seen.entry(position) for seen in made.own] == expected["own"]
    assert made.evaluations == expected["evaluations"]


@settings(max_examples=150)
@given(positions(), ORDERS)
def test_what_is_good_for_one_side_is_as_bad_for_the_other(position, orders):
    done = play(position, orders)
    for seen in (position, done.after):
        assert quick(seen, 0) == -quick(seen, 1)
    assert full(done.after, 0, done.before) == -full(done.after, 1, done.before)


@settings(max_examples=150)
@given(positions(), ORDERS)
def test_zones_keys_and_flags_follow_from_pieces_and_carriers(position, orders):
    table, (trace, log) = rules.table_of(position), rules.scratch()
    rules.play_round(table, np.array(orders, np.int64), trace, log)
    after = play(position, orders).after
    for team in (0, 1):
        carrier = after.carriers[team]
        assert bool(table[rules.ZONE + team]) is (carrier is None) is after.zone_active(team)
        if carrier is not None:
            assert carrier in members(1 - team)
            assert after.pieces[carrier].alive
            assert after.flag(team) == after.pieces[carrier].cell
        assert (after.key(team) is None) is (len(after.living(team)) == 3)
        # Whoever stands on a free flag has picked it up.
        if not after.over and carrier is None:
            assert after.flag(team) not in [after.pieces[i].cell for i in after.living(1 - team)]


@settings(max_examples=150)
@given(positions(), ORDERS)
def test_a_round_leaves_a_position_that_can_be_written_and_read_and_its_input_alone(position, orders):
    before = dump(position)
    after = play(position, orders).after
    assert parse(dump(after), after.side) == after
    assert dump(position) == before
    assert after.round == position.round + 1


@settings(max_examples=100)
@given(positions(), st.integers(0, 5))
def test_end_cells_are_distinct_and_are_all_that_any_order_reaches(position, piece):
    if not position.pieces[piece].alive:
        return
    found = {tuple(end): order for order, end in ends(position, piece)}
    assert len(found) == len(list(ends(position, piece)))
    table = rules.table_of(position)
    x, y = position.pieces[piece].cell
    for direction in range(4):
        for distance in range(MAX_DISTANCE + 1):
            steps = rules.calculate_path(table, piece, direction, distance)
            end = (x + rules.DX[direction] * steps, y + rules.DY[direction] * steps)
            assert 0 <= end[0] < SIZE
            assert 0 <= end[1] < SIZE
            assert found[end][1] == steps


def test_random_games_from_the_start_go_the_oracles_way():
    """Whole games: the same orders through both engines, round by round."""
    for seed in range(3):
        position, state = start(), oracle.new()
        generator = seeded(seed)
        for _ in range(60):
            if position.over:
                break
            orders = tuple((int(generator[0]) >> i & 3, 1 + (int(generator[1]) >> i) % 5) for i in range(6))
            generator = seeded(seed, int(generator[0]))
            position = play(position, orders).after
            state = oracle.play(state, commands(orders))["after"]
            assert dump(position) == state


def test_compiled_games_end_with_a_winner_or_at_the_cap():
    ended = 0
    for seed in range(40):
        table = rules.table_of(start())
        rounds = random_game(seeded(seed), table, 30)
        assert (table[rules.WINNER] != rules.NOBODY) or rounds == 30
        ended += rounds < 30
        after = rules.position_of(table, 1 + rounds, None)
        assert parse(dump(after)) == after
    assert 0 < ended < 40


@settings(max_examples=100)
@given(positions())
def test_rescuers_go_home_first_and_only_they(position):
    before = with_rescuers_home(position)
    for i in range(6):
        if i in position.rescuers:
            assert before.pieces[i].cell == start().pieces[i].cell
        else:
            assert before.pieces[i] == position.pieces[i]
    assert before.rescuers == ()
