"""The official board viewer's two routes, asked as its page asks them."""

import json
import threading
import urllib.error
import urllib.request

import pytest
from websockets.sync.client import connect

from arena.viewer import COLORS, Viewing
from tests.arena.build import games, setup


@pytest.fixture(scope="module")
def viewed():
    made = setup("battlesnake", *["random"] * 4, groups=((0, 1, 2, 3),), openings=1)
    record = games(made, 1)[0]
    viewing = Viewing(made, record)
    thread = threading.Thread(target=viewing.server.serve_forever, daemon=True)
    thread.start()
    yield viewing, record
    viewing.server.shutdown()
    thread.join()


def test_the_game_is_told(viewed):
    viewing, record = viewed
    identity = record.start["game"]["id"]
    with urllib.request.urlopen(f"{viewing.engine}/games/{identity}") as reply:
        assert reply.headers["access-control-allow-origin"] == "*"
        game = json.loads(reply.read())["Game"]
    assert (game["ID"], game["Width"], game["RulesetName"]) == (identity, 11, "standard")
    assert viewing.url.startswith("https://board.battlesnake.com?engine=http%3A%2F%2F127.0.0.1%3A")
    assert f"game={identity}" in viewing.url
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        urllib.request.urlopen(f"{viewing.engine}/games/another")
    refused.value.close()


def test_every_turn_is_a_frame_and_the_dead_stay_where_they_died(viewed):
    viewing, record = viewed
    with connect(f"{viewing.engine.replace('http', 'ws')}{viewing._path}/events") as socket:
        events = [json.loads(message) for message in socket]
    *frames, end = events
    assert end["Type"] == "game_end"
    assert [frame["Data"]["Turn"] for frame in frames] == list(range(record.length + 1))
    assert all(len(frame["Data"]["Snakes"]) == 4 for frame in frames)
    assert {snake["Color"] for snake in frames[0]["Data"]["Snakes"]} == set(COLORS[:4])
    assert all(snake["Death"] is None for snake in frames[0]["Data"]["Snakes"])
    last = {snake["ID"]: snake for snake in frames[-1]["Data"]["Snakes"]}
    for name, place in zip(record.seat_names, record.places, strict=True):
        alive = place == 1 and record.places.count(1) == 1
        assert (last[name]["Death"] is None) == alive
        if not alive:
            assert last[name]["Death"]["Cause"]
            assert 1 <= last[name]["Death"]["Turn"] <= record.length
