"""`quadriga isolation solve`: progress, stop, resume, and the table it writes."""

import pytest

from app.cli import isolation as command
from engines.isolation.openings import book, solution
from tests.app.cli.conftest import quadriga  # noqa: F401 - a fixture


@pytest.fixture(autouse=True)
def small_tables(monkeypatch):
    monkeypatch.setattr(solution, "WAYS", 4)


def table(height, width):
    return solution.encode(height, width, dict(solution.solutions(height, width, {}, ways=4)))


def test_a_board_is_solved_and_its_table_written(quadriga, tmp_path):  # noqa: F811
    out = tmp_path / "new" / "3x4.txt"
    ran = quadriga("isolation", "solve", "--board", "3x4", "--out", out)
    assert ran.code == 0, ran.err
    assert out.read_text() == table(3, 4)
    assert "36 pairs" in ran.out
    assert "36/36 pairs" in ran.err
    assert [path.name for path in out.parent.iterdir()] == ["3x4.txt"]


def test_it_goes_on_with_what_is_kept(quadriga, tmp_path, monkeypatch):  # noqa: F811
    out = tmp_path / "3x3.txt"
    part = tmp_path / "3x3.txt.part"
    solved = command._solved

    def interrupted(*arguments):
        for number, found in enumerate(solved(*arguments)):
            if number == 3:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(command, "_solved", interrupted)
    ran = quadriga("isolation", "solve", "--board", "3x3", "--out", out)
    assert ran.code == command.BROKEN_OFF
    assert "--resume" in ran.err
    assert not out.exists()
    assert len(part.read_text().splitlines()) == 3
    monkeypatch.setattr(command, "_solved", solved)
    # a line that a crash cut short is solved again
    part.write_text(part.read_text() + "0 1")
    ran = quadriga("isolation", "solve", "--board", "3x3", "--out", out, "--resume", "--json")
    assert ran.code == 0, ran.err
    assert '"shipped": null' in ran.out
    assert out.read_text() == table(3, 3)


@pytest.mark.parametrize("line", ["0 0 1", "0 1 256", "0 1", "a b c", "99 1 0"])
def test_a_file_of_something_else_is_refused(quadriga, tmp_path, line):  # noqa: F811
    (tmp_path / "x.part").write_text(line + "\n")
    ran = quadriga("isolation", "solve", "--board", "3x3", "--out", tmp_path / "x", "--resume")
    assert ran.code == 2
    assert "line 1" in ran.err


@pytest.mark.parametrize("board", ["7", "0x7", "10x7", "7x"])
def test_a_board_that_is_none_is_refused(quadriga, board):  # noqa: F811
    assert quadriga("isolation", "solve", "--board", board).code == 2


def test_a_table_that_differs_from_the_shipped_one_fails(quadriga, tmp_path, monkeypatch):  # noqa: F811
    for shipped, code in ((table(3, 3), 0), ("00", 1)):
        monkeypatch.setitem(book.SOLVED, (3, 3), shipped)
        ran = quadriga("isolation", "solve", "--board", "3x3", "--out", tmp_path / "3x3.txt")
        assert ran.code == code
        assert ("different" in ran.out) == bool(code)
