"""Games: the same from the same numbers, replayable, and played by each game's conventions."""

import pytest

from arena.errors import ArenaError
from arena.play import Match, play, play_numbers
from arena.records import Record
from arena.show import replay
from engines.core.rng import derive
from tests.arena.build import OURS, games, gist, setup

GAMES = ("isolation", "ludo", "flag", "battlesnake")


@pytest.fixture(scope="module", params=GAMES)
def played(request):
    """A set-up of each game and its four games, of two openings."""
    made = setup(request.param, "greedy", "random", cap=60)
    return made, games(made)


def test_the_same_numbers_are_the_same_games(played):
    made, before = played
    match = Match(made)
    again = [play(match, made.pairing(number)) for number in reversed(range(made.games))]
    assert [gist(record) for record in reversed(again)] == [gist(record) for record in before]


def test_a_worker_needs_the_set_up_and_the_numbers_alone(played):
    made, before = played
    lines = play_numbers(made.model_dump_json(), [2, 0])
    assert [gist(Record.model_validate_json(line)) for line in lines] == [gist(before[2]), gist(before[0])]


def test_another_seed_is_another_tournament(played):
    made, before = played
    other = made.model_copy(update={"seed": 2})
    assert gist(play(Match(other), other.pairing(0))) != gist(before[0])


def test_a_pair_shares_its_opening_and_its_chance(played):
    _, (one, two, three, _) = played
    assert one.seats == two.seats[::-1]
    assert one.chance == two.chance != three.chance
    drop = {"game"}  # each game of Battlesnake has an id of its own
    assert {k: v for k, v in one.start.items() if k not in drop} == {
        k: v for k, v in two.start.items() if k not in drop
    }
    assert one.start != three.start or one.start.get("positions")  # Ludo begins at home, the dice differ


def test_a_game_is_replayed_to_its_end_by_the_rules(played):
    made, records = played
    game = Match(made).referee.game
    for record in records:
        scenes = list(replay(made, record))
        assert len(scenes) == record.length + 1
        assert game.dump(scenes[0].position) == record.start
        if record.ended == "rules":
            final = scenes[-2]
            step = game.step(final.position, final.moves, derive(record.chance, final.ply))
            assert step.over


def test_no_agent_of_the_registry_is_at_fault(played):
    for record in played[1]:
        assert not record.faults
        assert set(record.places) <= {1, 2}


def test_who_wins_by_the_rules_is_placed_first():
    for record in games(setup("isolation", "greedy", "random")):
        mover = record.length % 2  # placements were two plies: who cannot move has lost
        assert record.places[mover] == 2
        assert record.places[1 - mover] == 1


def test_a_game_that_is_too_long_has_no_winner():
    (record, *_) = games(setup("ludo", "greedy", "random", cap=5), 1)
    assert (record.ended, record.length, record.places) == ("cap", 5, (1, 1))


@pytest.mark.parametrize("villain", ["CRASH", "LIE"])
def test_at_isolation_a_bad_answer_loses(villain):
    kind = {"CRASH": "failed", "LIE": "illegal"}[villain]
    for record in games(setup("isolation", OURS + villain, OURS + "FIRST")):
        bad = record.seats.index(0)
        assert record.ended == "forfeit"
        assert record.places[bad] == 2
        assert getattr(record.notes[bad], kind) == 1
        assert record.faults[0].kind == kind
        assert record.faults[0].seat == bad


def test_an_answer_after_its_time_is_late():
    late = setup("isolation", OURS + "NAP:ms=40@ms=1", OURS + "FIRST", tolerance_ms=5, openings=1)
    for record in games(late):
        bad = record.seats.index(0)
        assert (record.ended, record.notes[bad].late, record.places[bad]) == ("forfeit", 1, 2)
    patient = late.model_copy(update={"tolerance_ms": 60_000.0})
    assert all(record.ended == "rules" for record in games(patient))


def test_by_the_processor_only_work_takes_time():
    made = setup("isolation", OURS + "REST:ms=60@ms=1", OURS + "FIRST", tolerance_ms=30, openings=1)
    assert all(record.ended == "forfeit" for record in games(made))
    by_processor = made.model_copy(update={"clock": "processor"})
    for record in games(by_processor):
        assert record.ended == "rules"
        assert max(record.notes[record.seats.index(0)].microseconds) < 30_000


def test_cores_are_offered_to_the_players_of_this_process():
    made = setup("isolation", OURS + "REST:ms=0@ms=100", OURS + "FIRST", openings=1, cores=3)
    for record in games(made, 1):
        total, count = record.notes[record.seats.index(0)].numbers["helpers"]
        assert total == 2 * count > 0


@pytest.mark.parametrize("game", ["ludo", "flag", "battlesnake"])
def test_elsewhere_the_game_goes_on_and_the_fault_is_counted(game):
    made = setup(game, OURS + "CRASH", "greedy", cap=12, openings=1)
    match = Match(made)
    for record in games(made):
        bad = record.seats.index(0)
        assert record.notes[bad].failed == len(record.notes[bad].microseconds) > 0
        assert len(record.faults) <= 5
        for scene in replay(made, record):
            if scene.moves is None:
                continue
            for seat, view in match.referee.turns(scene.position, 2):
                if seat == bad:
                    wanted = "up" if game == "battlesnake" else match.referee.game.fallback(view)
                    assert match.referee.moves(scene.position, {seat: wanted}).items() <= scene.moves.items()


def test_a_snake_repeats_its_last_good_word():
    umpire = Match(setup("battlesnake", "greedy", "random")).referee
    assert umpire.substitute(None, None) == "up"
    assert umpire.substitute(None, "left") == "left"


def test_memory_lasts_a_game_and_no_longer():
    made = setup("isolation", OURS + "REMEMBER", OURS + "FIRST")
    for record in games(made):
        notes = record.notes[record.seats.index(0)]
        decisions = len(notes.microseconds)
        assert notes.numbers["seen"] == (decisions * (decisions + 1) / 2, decisions)
        assert notes.flags == {"odd": (decisions + 1) // 2, "override": 1}
        assert set(notes.numbers) == {"iterations", "seen"}


def test_several_snakes_are_placed_by_how_long_they_lived():
    made = setup("battlesnake", *["random"] * 4, groups=((0, 1, 2, 3),), openings=1)
    for record in games(made):
        ended = {}
        for scene in replay(made, record):
            for event in scene.events:
                if event[0] == "eliminated":
                    ended[event[1]] = scene.ply
        lived = [ended.get(name, 10**9) for name in record.seat_names]
        assert record.places == tuple(1 + sum(other > own for other in lived) for own in lived)


def test_ludo_seats_two_opposite_and_three_as_they_come():
    assert games(setup("ludo", "greedy", "random"), 1)[0].seat_names == ("seat 0", "seat 2")
    three = setup("ludo", *["random"] * 3, groups=((0, 1, 2),), cap=30)
    assert games(three, 1)[0].seat_names == ("seat 0", "seat 1", "seat 2")
    neighbours = setup("ludo", "greedy", "random", options={"ghosts": [2, 3]}, cap=30)
    assert games(neighbours, 1)[0].seat_names == ("seat 0", "seat 1")


def test_openings_are_what_was_asked_for():
    isolation = games(setup("isolation", "random", "random", options={"width": 5, "height": 3}), 1)[0]
    assert (isolation.start["width"], isolation.start["height"]) == (5, 3)
    assert None not in isolation.start["players"]
    empty = games(setup("isolation", "random", "random", options={"opening_plies": 0}), 1)[0]
    assert empty.start["players"] == [None, None]
    tiny = games(setup("isolation", "random", "random", options={"width": 1, "height": 1}), 1)[0]
    assert tiny.start["players"] == [None, None]  # every opening would be over
    flag = games(setup("flag", "random", "random"), 1)[0]
    assert flag.start["round"] == 3
    still = games(setup("flag", "random", "random", options={"opening_rounds": 0}), 1)[0]
    assert still.start["round"] == 1


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("isolation", {"width": 99}, "--set width"),
        ("isolation", {"opening_plies": -1}, "--set opening_plies"),
        ("isolation", {"opening_plies": "2"}, "--set opening_plies"),
        ("flag", {"color": "red"}, "--set color"),
        ("flag", {"opening_rounds": True}, "--set opening_rounds"),
        ("ludo", {"ghosts": [3]}, "3 seats for 2"),
        ("ludo", {"ghosts": [0]}, "--set ghosts"),
        ("battlesnake", {"width": 1, "height": 1}, "--set snakes"),
    ],
)
def test_options_that_make_no_opening_are_refused_by_name(game, options, said):
    with pytest.raises(ArenaError, match=said):
        Match(setup(game, "random", "random", options=options)).opening(0)
