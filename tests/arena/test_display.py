"""The live line: games done, the score so far and its interval; nothing where nobody looks."""

from io import StringIO

import pytest
from rich.console import Console

from arena import display as live
from arena.sprt import Sprt
from arena.tally import Tally
from tests.arena.build import record, setup


@pytest.fixture
def tally():
    made = setup("isolation", "random#[bold]a", "random#b", openings=2, sprt=Sprt(elo0=0, elo1=10))
    counted = Tally(made)
    for one in (record(0, (0, 1), (1, 2)), record(1, (1, 0), (1, 1))):
        counted.add(one)
    return counted


def test_the_line_says_who_leads_and_how_surely(tally):
    line = live.score_line(tally.setup, tally)
    assert line.startswith("[bold]a 75.0% (20..97) LLR 0.0")
    assert line.endswith("(-2.94..2.94)")
    assert live.score_line(tally.setup, Tally(tally.setup)) == "[bold]a"


@pytest.mark.parametrize("terminal", [True, False])
def test_it_is_drawn_on_a_terminal_alone(tally, terminal, monkeypatch):
    page = StringIO()
    console = Console(file=page, force_terminal=terminal, width=120)
    monkeypatch.setattr(live, "Console", lambda stderr: console)
    with live.display(tally.setup) as watch:
        watch(tally, 2)
    assert ("2/4" in page.getvalue()) == terminal
    assert ("75.0%" in page.getvalue()) == terminal
