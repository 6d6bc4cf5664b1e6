"""The published tables: who meets whom as in the study, in its layout, its figures beside ours."""

from io import StringIO

import pytest
from rich.console import Console

from arena.contestants import resolve
from arena.games import load_game
from arena.presets import PRESETS, preset
from arena.presets.battlesnake_override import CELLS
from arena.records import SeatNotes
from arena.report import results
from arena.run import Outcome
from arena.tally import Tally
from arena.workforce import Inline
from tests.arena.build import record

STEADMAN = preset("isolation-steadman")


@pytest.mark.parametrize("name", PRESETS)
def test_everybody_of_a_preset_is_in_the_registry(name):
    study = preset(name)
    made = study.setup(study.games, 0, study.ms, study.iterations)
    game = load_game(made.game)
    assert made.format == name
    for contestant in made.contestants:
        resolve(contestant, game)


def test_the_study_is_five_agents_against_the_same_seven():
    made = STEADMAN.setup(100, 0, None, 10_000)
    labels = [contestant.label for contestant in made.contestants]
    assert len(labels) == len(set(labels)) == 12
    assert len(made.groups) == 35
    assert all(head < 5 <= other for head, other in made.groups)
    assert made.games == 5 * 7 * 100  # 50 matches of two games against each opponent
    assert {contestant.iterations for contestant in made.contestants} == {10_000}
    openings = {made.pairing(number).opening for number in range(70)}
    assert openings == {0}  # the same placements for all five
    assert STEADMAN.setup(2, 0, 150, None).contestants[0].ms == 150


def test_its_table_stands_in_the_published_layout_beside_the_published_figures(tmp_path):
    made = STEADMAN.setup(2, 0, None, 1)
    tally = Tally(made)
    for number in range(made.games):
        pairing = made.pairing(number)
        head = min(pairing.seats)  # AB_next_moves wins everything, the others their first seat
        wins = head == 4 or pairing.seats[0] == head
        places = tuple(1 if (who == head) == wins else 2 for who in pairing.seats)
        tally.add(record(number, pairing.seats, places, pairing.opening))
    outcome = Outcome(tally, True, False, "", 70, 1.0, None)
    found = results(made, outcome, Inline(), tmp_path / "x.games.jsonl")
    published = STEADMAN.published(found)
    assert {label: entry["published"] for label, entry in published.items()} == {
        "AB_Improved": 65.88,
        "AB_avoid_corners": 66.37,
        "AB_chase_opponent": 60.7,
        "AB_weighted_chase_opponent": 62.9,
        "AB_next_moves": 71.2,
    }
    assert [entry["measured"] for entry in published.values()] == [50, 50, 50, 50, 100]
    page = StringIO()
    console = Console(file=page, width=160)
    for part in STEADMAN.tables(found):
        console.print(part)
    lines = [line.split() for line in page.getvalue().splitlines()]
    assert ["1", "Random", "1", "1", "1", "1", "1", "1", "1", "1", "2", "0"] in lines
    assert ["7", "AB_Improved", "1", "1", "1", "1", "1", "1", "1", "1", "2", "0"] in lines
    assert ["Win", "Rate:", "50.0%", "50.0%", "50.0%", "50.0%", "100.0%"] in lines
    assert ["AB_next_moves", "71.2%", "100.0%", "78.5..100.0", "14"] in lines
    assert page.getvalue().index("published order: AB_next_moves > AB_avoid_corners > AB_Improved") > 0


def printed(study, found):
    page = StringIO()
    console = Console(file=page, width=160)
    for part in study.tables(found):
        console.print(part)
    return [" ".join(line.split()) for line in page.getvalue().splitlines()]


def test_the_override_study_stands_beside_the_ten_games(tmp_path):
    study = preset("battlesnake-override")
    made = study.setup(400, 0, None, None)
    assert made.games == 3 * 400
    assert all(contestant.spec.startswith("published_") for contestant in made.contestants)
    assert all(contestant.ms is None and contestant.iterations for contestant in made.contestants)
    assert {contestant.ms for contestant in study.setup(2, 0, 50, None).contestants} == {50}

    made = study.setup(2, 0, None, None)
    told = {"generations": (1604.0, 4), "override_nodes": (4000.0, 4), "overrides": (1.0, 4)}
    hybrid = SeatNotes(microseconds=(1,) * 4, numbers=told)
    tally = Tally(made)
    for number in range(made.games):
        seats = made.pairing(number).seats
        places = (1, 2) if 2 in seats else (1, 1)  # with the hybrid the first seat wins
        notes = tuple(hybrid if who == 2 else SeatNotes() for who in seats)
        tally.add(record(number, seats, places, length=40, notes=notes))
    found = results(made, Outcome(tally, True, False, "", 6, 1.0, None), Inline(), tmp_path / "x.games.jsonl")
    row = study.published(found)["RHEA+Override : RHEA"]
    assert (row["published"], row["games"], row["wins"], row["losses"]) == ("3 : 7", 2, 1, 1)
    assert (row["rate"], row["overridden"], row["length"]) == (0.5, 0.25, 40)
    assert row["overrideEffort"] == 1000 / (1000 + 401_000)
    rates = {row.label: (row.rate, row.published) for row in study.rates(found)}
    assert rates["RHEA+Override : RHEA"] == (0.5, 0.3)
    assert rates["RHEA : RHEA (itself)"] == (0.5, None)
    lines = printed(study, found)
    assert "RHEA+Override : Negamax 0 : 10 50.0% 9.5..90.5 1 0 1 25.00% 40 0.2%" in lines
    assert "RHEA : RHEA (itself) - 50.0% 9.5..90.5 0 2 0 - 40 -" in lines


def test_a_studys_rates_are_drawn_from_its_results_file(quadriga, tmp_path):
    quick = ("--games", 2, "--iterations", 1, "--cap", 3, "--executor", "inline")
    assert quadriga("arena", "preset", "battlesnake-override", *quick, "--out", tmp_path / "a.json").code == 0
    assert quadriga("arena", "show", tmp_path / "a.json", "--plots", tmp_path / "drawn").code == 0
    assert "RHEA+Override : Negamax" in (tmp_path / "drawn" / "rates.svg").read_text()


def test_each_cell_of_the_ablation_meets_the_plain_evolution(tmp_path):
    study = preset("battlesnake-ablation")
    made = study.setup(2, 0, None, None)
    labels = [contestant.label for contestant in made.contestants]
    assert labels == ["RHEA", *CELLS]
    assert made.groups == tuple((cell, 0) for cell in range(1, len(labels)))
    tally = Tally(made)
    for number in range(made.games):
        seats = made.pairing(number).seats
        tally.add(record(number, seats, tuple(2 if who == 0 else 1 for who in seats), length=12))
    found = results(made, Outcome(tally, True, False, "", 6, 1.0, None), Inline(), tmp_path / "x.games.jsonl")
    assert {cell: row["rate"] for cell, row in study.published(found).items()} == dict.fromkeys(CELLS, 1)
    assert "negamax 100.0% 34.2..100.0 2 0 0 - 12 its leaf counts territory" in printed(study, found)


def test_the_flag_roster_tells_the_sides_apart_and_counts_standstills(tmp_path):
    study, from_start = preset("flag-roster"), preset("flag-roster-start")
    made = study.setup(4, 0, None, None)
    assert [contestant.iterations for contestant in made.contestants] == [40, 6, 300, 3, 1]
    assert made.games == 10 * 4
    assert made.options == {"opening_rounds": 2}
    assert from_start.setup(4, 0, None, None).options == {"opening_rounds": 0}
    assert {contestant.ms for contestant in study.setup(2, 0, 50, None).contestants} == {50}
    tally = Tally(made)
    for number in range(made.games):
        pairing = made.pairing(number)
        places = (1, 2)  # A wins, but heuristic and greedy (1 and 3) stand for ever
        if set(pairing.seats) == {1, 3}:
            places = (1, 1)
        names, length = ("A", "B"), 100 if places == (1, 1) else 6
        tally.add(record(number, pairing.seats, places, pairing.opening, seat_names=names, length=length))
    outcome = Outcome(tally, True, False, "", 40, 1.0, None)
    found = results(made, outcome, Inline(), tmp_path / "x.games.jsonl")
    row = study.published(found)["heuristic : greedy"]
    assert (row["rate"], row["capped"], row["rounds"]) == (0.5, 4, 100)
    row = study.published(found)["equilibrium : random"]
    assert (row["capped"], row["asA"], row["asB"]) == (0, {"games": 2, "rate": 1}, {"games": 2, "rate": 0})
    lines = printed(study, found)
    assert "A, against B: equilibrium heuristic nash_sampling greedy random" in lines
    assert "heuristic 100.0% - 100.0% 50.0% 100.0%" in lines
    assert "equilibrium : random 50.0% 15.0..85.0 100.0% 0.0% 0 6.0" in lines
