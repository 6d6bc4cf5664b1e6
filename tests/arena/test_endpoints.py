"""Contestants over HTTP: the wire they see, and what garbage costs them."""

import json
import socket

import pytest

from arena.compliance import check, reachable
from arena.contestants import read
from arena.endpoints import MAX_REPLY
from arena.play import Match, play
from tests.arena.build import games, gist, setup
from tests.arena.servers import always, engine, ok, serving, slow


@pytest.mark.parametrize("game", ["isolation", "ludo", "flag"])
def test_an_agent_over_http_plays_the_same_games_as_at_home(game):
    made = setup(game, "greedy#one", "random#two", openings=1, cap=40)
    home = games(made)
    with serving(engine) as server:
        away = games(setup(game, f"{server.url}#one", "random#two", openings=1, cap=40))
    for one, two in zip(home, away, strict=True):
        assert one.plies == two.plies
        assert one.places == two.places
        notes = two.notes[two.seats.index(0)]
        assert set(notes.numbers) == {"iterations", "depth"}  # what the service adds is not the agent's


def test_our_own_route_is_asked_by_its_contract():
    with serving(engine) as server:
        made = setup("flag", f"{server.url}/?agent=greedy@ms=90,iterations=2", "random", openings=1, cap=1)
        games(made)
        asked = [entry for entry in server.asked if entry[0] == "POST"]
    paths = {path for _, path, _ in asked}
    assert paths == {"/flag/move"}
    for _, _, body in asked:
        fixed = {name: body[name] for name in ("agent", "budgetMs", "budgetIterations")}
        assert fixed == {"agent": "greedy", "budgetMs": 90.0, "budgetIterations": 2}
        assert body["side"] in ("A", "B")
        assert 0 <= body["seed"] < 2**63
        assert body["state"]["status"] == "playing"
    assert {body["side"] for _, _, body in asked} == {"A", "B"}


def snake(method, path, body):
    if method == "GET":
        return ok({"apiversion": "1", "color": "#123456"})
    return ok({"move": "left", "shout": "ha"}) if "/move" in path else (200, b"")


def test_a_snake_sees_the_official_api():
    with serving(snake) as server:
        made = setup("battlesnake", f"{server.url}/base@ms=300#bob", "greedy@iterations=1", openings=1, cap=4)
        records = games(made)
        asked = server.asked
    assert [path for _, path, _ in asked[:2]] == ["/base/start", "/base/move"]
    assert asked[-1][1] == "/base/end"
    moves = [body for _, path, body in asked if path == "/base/move"]
    assert {body["game"]["timeout"] for body in moves} == {300}
    assert len({body["game"]["id"] for body in moves}) == 2  # two games from one opening
    first, second = moves[0], moves[1]
    assert first["you"]["latency"] == "0"
    assert first["you"]["name"] == "bob"
    assert int(second["you"]["latency"]) >= 1
    assert second["you"]["shout"] == "ha"
    assert second["you"] in second["board"]["snakes"]
    assert {other["name"] for other in first["board"]["snakes"]} == {"bob", "greedy@iterations=1"}
    assert "solo" not in first
    assert all(record.notes[record.seats.index(0)].illegal == 0 for record in records)
    ends = [body for _, path, body in asked if path == "/base/end"]
    assert len(ends) == 2
    assert all(body["you"]["body"] for body in ends)


def test_iterations_and_seeds_reach_our_own_snakes_by_the_query():
    with serving(snake) as server:
        games(setup("battlesnake", f"{server.url}@iterations=9", "greedy", openings=1, cap=2))
        asked = [path for _, path, _ in server.asked if path.startswith("/move")]
    assert asked
    assert all(path.startswith("/move?budgetIterations=9&seed=") for path in asked)
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize(
    ("script", "kind", "said"),
    [
        (always(200, b"not json"), "failed", "not JSON"),
        (always(200, b"[1, 2]"), "failed", "not a JSON object"),
        (always(200, b"[" * 100_000), "failed", "not JSON"),
        (always(200, b"{}"), "failed", "no `move`"),
        (always(500, b"boom \x1b[2J"), "failed", "status 500"),
        (always(301, b""), "failed", "status 301"),
        (always(200, b"{" + b" " * MAX_REPLY + b"}"), "failed", "more than"),
        (always(200, b'{"move": "sideways"}'), "illegal", "sideways"),
        (always(200, b'{"move": {"a": [1, null]}, "stats": 7}'), "illegal", ""),
        (always(200, json.dumps({"move": "\ud800"}).encode()), "illegal", ""),
        (always(200, b'{"move": 1e400, "stats": {"x": NaN, "y": 1e400}}'), "illegal", ""),
    ],
)
@pytest.mark.parametrize("game", ["isolation", "ludo", "flag", "battlesnake"])
def test_garbage_is_counted_and_the_game_ends_all_the_same(script, kind, said, game):
    with serving(script) as server:
        made = setup(game, f"{server.url}@ms=60000#bad", "greedy@iterations=1", openings=1, cap=6)
        record = play(Match(made), made.pairing(0))
    notes = record.notes[record.seats.index(0)]
    counts = {name: getattr(notes, name) for name in ("late", "failed", "illegal")}
    assert counts == {"late": 0, "failed": 0, "illegal": 0} | {kind: len(notes.microseconds)}
    assert record.faults[0].kind == kind
    assert said in record.faults[0].detail
    assert record.faults[0].detail.isprintable()
    json.loads(record.model_dump_json())


@pytest.mark.parametrize("game", ["isolation", "battlesnake"])
def test_an_endpoint_that_takes_too_long_is_late(game):
    with serving(slow(0.5)) as server:
        made = setup(game, f"{server.url}@ms=50", "greedy", openings=1, cap=1, tolerance_ms=20.0)
        notes = games(made, 1)[0].notes[0]
    assert (notes.late, notes.failed, notes.illegal) == (1, 0, 0)
    assert notes.microseconds[0] >= 50_000


def test_nobody_there():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert "cannot be reached" in reachable(read(url), "ludo")
        record = games(setup("isolation", f"{url}@ms=200", "greedy", openings=1), 1)[0]
    assert record.notes[record.seats.index(0)].failed == 1
    assert reachable(read("greedy"), "ludo") is None
    with serving(always(404, b"")) as server:
        assert reachable(read(server.url), "ludo") is None


def verdicts(game, text, **options):
    return {found.name: found.passed for found in check(game, read(text, iterations=1), 0, options)}


def test_compliance_passes_who_complies():
    assert set(verdicts("ludo", "greedy").values()) == {True}
    assert len(verdicts("ludo", "greedy")) == 2
    with serving(engine) as server:
        assert set(verdicts("flag", server.url).values()) == {True}
    with serving(snake) as server:
        found = verdicts("battlesnake", f"{server.url}@ms=5000")
    assert set(found.values()) == {True}
    assert len(found) == 4


def test_compliance_names_what_is_wrong():
    assert not verdicts("isolation", "python:tests.arena.agents.LIE")["every answer is legal and in time"]

    def old(method, path, body):
        return ok({"apiversion": "0", "color": "red"}) if method == "GET" else ok({"move": "north"})

    with serving(old) as server:
        assert set(verdicts("battlesnake", f"{server.url}@ms=5000").values()) == {True, False}
    turns = iter(range(10**6))

    def moody(method, path, body):
        if method == "GET":
            return ok({})
        cells = [
            cell
            for cell in ([r, c] for r in range(7) for c in range(7))
            if cell not in body["state"]["blocked"]
        ]
        return ok({"move": cells[next(turns) % len(cells)]})

    with serving(moody) as server:
        found = verdicts("isolation", server.url, opening_plies=0)
    assert not found["the same position, seed and iterations get the same move"]


def test_the_same_games_are_played_again_over_http():
    with serving(engine) as server:
        made = setup("isolation", server.url, "random", openings=1)
        assert [gist(record) for record in games(made)] == [gist(record) for record in games(made)]
