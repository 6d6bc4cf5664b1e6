"""Runs that stop, break and go on: nothing lost, nothing counted twice, the very same table."""

import json
import os
import signal
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool

import pytest

import arena.run as running
from arena.archive import Archive, games_path, write_whole
from arena.errors import ArenaError
from arena.play import play_numbers
from arena.results import read_results
from arena.run import run
from arena.sprt import Sprt
from arena.workforce import Inline, Local, Workforce, workforce
from tests.arena.build import OURS, setup, tournament

ROSTER = (OURS + "FIRST", OURS + "LAST", "random", "greedy")


@pytest.fixture(scope="module")
def made():
    return setup("isolation", *ROSTER, openings=3)


@pytest.fixture(scope="module")
def whole(made, tmp_path_factory):
    """The results and the games file of an undisturbed run in this process."""
    path = tmp_path_factory.mktemp("whole") / "t.games.jsonl"
    found, outcome = tournament(path, made)
    assert outcome.complete
    return found, path


def test_everything_is_played_once(made, whole):
    found, path = whole
    assert found.played == found.planned == made.games == 36
    numbers = [json.loads(line)["number"] for line in path.read_text().splitlines()[1:]]
    assert numbers == list(range(36))
    assert {(row.games, row.late + row.failed + row.illegal) for row in found.standings} == {(18, 0)}


def test_two_workers_make_the_same_table_and_a_lost_one_changes_nothing(made, whole, tmp_path):
    path = tmp_path / "t.games.jsonl"
    force = Local(2)
    killed = []
    archive = Archive.create(path, made)

    def watch(tally, games):
        if games >= 4 and not killed:
            killed.append(next(iter(force.executor._processes)))
            os.kill(killed[0], signal.SIGKILL)

    try:
        outcome = run(made, archive, force, watch)
    finally:
        force.close()
        archive.close()
    assert killed
    assert outcome.complete
    found, _ = tournament(path, made)
    assert found.table() == whole[0].table()
    numbers = [json.loads(line)["number"] for line in path.read_text().splitlines()[1:]]
    assert sorted(numbers) == list(range(36))


class Interrupted(Inline):
    """Ctrl-C after so many games."""

    def __init__(self, after: int) -> None:
        super().__init__()
        inner = self.executor

        class Counting(Executor):
            left = after

            def submit(self, fn, /, *args, **kwargs):
                if self.left <= 0:
                    raise KeyboardInterrupt
                self.left -= len(args[1])
                return inner.submit(fn, *args, **kwargs)

        self.executor = Counting()


def test_a_game_is_counted_once_when_ctrl_c_comes_while_it_is_counted(made, tmp_path, monkeypatch):
    """Seen in a run of the checks: one game more in the table than in the file."""
    path = tmp_path / "t.games.jsonl"

    strikes = [KeyboardInterrupt()]

    class Struck(running.Tally):
        def add(self, record):
            super().add(record)
            if record.number == 2 and strikes:
                raise strikes.pop()

    monkeypatch.setattr(running, "Tally", Struck)
    found, outcome = tournament(path, made)
    assert outcome.interrupted
    assert found.played == len(path.read_text().splitlines()) - 1 > 0


def test_a_run_stopped_at_half_and_resumed_is_the_same(made, whole, tmp_path):
    path = tmp_path / "t.games.jsonl"
    half, outcome = tournament(path, made, Interrupted(18))
    assert outcome.interrupted
    assert not outcome.complete
    assert 0 < half.played < 36
    assert half.played == len(path.read_text().splitlines()) - 1
    found, outcome = tournament(path, made)
    assert outcome.complete
    assert outcome.played == 36 - half.played
    assert found.table() == whole[0].table()


@pytest.mark.parametrize("share", [0.3, 0.62, 0.999])
def test_a_games_file_cut_anywhere_keeps_its_whole_games(made, whole, tmp_path, share):
    path = tmp_path / "t.games.jsonl"
    raw = whole[1].read_bytes()
    # In the middle of a line: lines differ in length from run to run, by the times they tell.
    start = raw.rfind(b"\n", 0, int(share * len(raw))) + 1
    cut = (start + raw.index(b"\n", start)) // 2
    path.write_bytes(raw[:cut])
    kept = raw[:cut].count(b"\n") - 1
    archive = Archive.open(path)
    assert (len(archive), archive.damaged) == (kept, 1)
    found, outcome = tournament(path, made)
    assert outcome.played == 36 - kept
    assert found.table() == whole[0].table()
    assert Archive.open(path).damaged == 0


def test_damaged_lines_repeated_games_and_strangers_do_not_count(made, whole, tmp_path):
    lines = whole[1].read_bytes().splitlines(keepends=True)
    stranger = lines[5].replace(b'"seats":[', b'"seats":[3,', 1)
    path = tmp_path / "t.games.jsonl"
    noise = [b"\xff\xfe{\n", b"null\n", lines[6].replace(b'"number":5', b'"number":-1'), stranger, lines[7]]
    path.write_bytes(b"".join([*lines[:8], *noise, *lines[8:20]]))
    archive = Archive.open(path)
    assert archive.numbers() == list(range(19))
    assert archive.damaged == 4
    found, _ = tournament(path, made)
    assert found.table() == whole[0].table()


def test_more_games_go_on_from_fewer(made, whole, tmp_path):
    path = tmp_path / "t.games.jsonl"
    tournament(path, made.model_copy(update={"openings": 1}))
    found, outcome = tournament(path, made)
    assert outcome.played == 24
    assert found.table() == whole[0].table()


class Breaking(Workforce):
    """Loses calls as a pool that lost a process does: all at once, `times` times."""

    kind = "local"
    workers = 2

    def __init__(self, times: int) -> None:
        self.times, self.renewed = times, 0
        self.renew()

    def renew(self) -> None:
        self.renewed += 1
        outer = self

        class Pool(Executor):
            def submit(self, fn, /, *args, **kwargs):
                future: Future[list[str]] = Future()
                if outer.times > 0:
                    outer.times -= 1
                    future.set_exception(BrokenProcessPool("a process ended"))
                else:
                    future.set_result(fn(*args, **kwargs))
                return future

        self.executor = Pool()

    def close(self, at_once: bool = False) -> None:
        pass


def test_broken_pools_are_renewed(made, whole, tmp_path):
    force = Breaking(5)
    found, outcome = tournament(tmp_path / "t.games.jsonl", made, force)
    assert outcome.complete
    assert force.renewed > 1
    assert found.table() == whole[0].table()


def test_a_pool_that_breaks_again_and_again_is_given_up(made, tmp_path):
    _, outcome = tournament(tmp_path / "t.games.jsonl", made, Breaking(10**6))
    assert "again and again" in outcome.trouble
    assert not outcome.complete


def test_a_sequential_test_stops_at_the_same_pair_on_any_number_of_workers(tmp_path):
    made = setup("isolation", "greedy", "random", openings=200, sprt=Sprt(elo0=0, elo1=100))
    one, outcome = tournament(tmp_path / "one.games.jsonl", made)
    assert outcome.complete
    assert one.sprt.accepted == "H1"
    assert one.sprt.llr >= one.sprt.upper
    assert one.played < made.games
    assert one.played % 2 == 0

    class Two(Inline):
        """Hands batches back in another order, and beyond the answer."""

        kind = "local"
        workers = 3

    two, _ = tournament(tmp_path / "two.games.jsonl", made, Two())
    assert len(Archive.open(tmp_path / "two.games.jsonl")) >= two.played
    assert two.table() == one.table()
    again, outcome = tournament(tmp_path / "two.games.jsonl", made)
    assert outcome.played == 0
    assert again.table() == one.table()


def test_batches_grow_with_quick_games_and_shrink_towards_the_end(made, tmp_path):
    archive = Archive.create(tmp_path / "t.games.jsonl", made.model_copy(update={"openings": 1000}))
    batches = running._Batches(archive.setup, archive, Breaking(0))
    assert batches.next() == [0]
    quick = [json.loads(play_numbers(made.model_dump_json(), [0])[0]) | {"seconds": 0.01}]
    batches.learn([type("R", (), one)() for one in quick])
    assert len(batches.next()) == 50
    sizes = []
    while batch := batches.next():
        sizes.append(len(batch))
    assert sum(sizes) == 12_000 - 51
    assert sizes[-1] == 1
    batches.give_back([7])
    assert batches.next() == [7]
    archive.close()


def test_nothing_is_overwritten_by_accident(made, tmp_path):
    path = tmp_path / "t.games.jsonl"
    Archive.create(path, made)
    with pytest.raises(ArenaError, match="--resume"):
        Archive.create(path, made)
    Archive.create(path, made, replace=True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "first line"),
        (b"hello\n", "first line"),
        (b'{"quadrigaArena": 2}\n', "version 2"),
        (b'{"quadrigaArena": 1, "setup": {"game": "ludo"}}\n', "damaged"),
        (b"[" * 10_000 + b"\n", "first line"),
    ],
)
def test_what_is_no_games_file_is_refused(tmp_path, content, said):
    path = tmp_path / "t.games.jsonl"
    path.write_bytes(content)
    with pytest.raises(ArenaError, match=said):
        Archive.open(path)


def test_results_are_read_back_and_half_of_them_are_refused(whole, tmp_path):
    found, _ = whole
    path = tmp_path / "t.json"
    write_whole(path, found.model_dump_json())
    assert read_results(path) == found
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(ArenaError, match="cut off; the games beside it are kept"):
        read_results(path)
    path.write_text('{"format": "quadriga-arena-results", "version": 1}')
    with pytest.raises(ArenaError, match="damaged"):
        read_results(path)
    path.write_text("{}")
    with pytest.raises(ArenaError, match="no results file"):
        read_results(path)
    with pytest.raises(ArenaError, match="cannot be read"):
        read_results(tmp_path / "nowhere.json")


def test_the_games_file_stands_beside_the_results(tmp_path):
    assert games_path(tmp_path / "a.json") == tmp_path / "a.games.jsonl"
    assert games_path(tmp_path / "a.games.jsonl") == tmp_path / "a.games.jsonl"


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "cloud"}, {"kind": "local", "workers": 0}, {"kind": "inline", "scheduler": "tcp://x:1"}],
)
def test_a_workforce_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(ArenaError):
        workforce(**wrong)
