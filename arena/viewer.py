"""A Battlesnake game in the official board viewer: the two routes that its page asks an engine for.

`GET /games/{id}` tells of the game, the WebSocket `/games/{id}/events` sends a frame a turn and the
end. The page is the official one, of its own site; the game comes from here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from arena.errors import ArenaError
from arena.records import Record
from arena.setup import Setup
from arena.show import replay
from engines.battlesnake import turn as outcome
from engines.battlesnake.position import Position, Snake, points

BOARD = "https://board.battlesnake.com"
COLORS = ("#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#17becf")


def game_of(position: Position) -> dict[str, Any]:
    """What the viewer wants to know of a game."""
    return {
        "ID": position.game,
        "Status": "complete",
        "Width": position.width,
        "Height": position.height,
        "Ruleset": {"name": position.ruleset},
        "SnakeTimeout": position.timeout,
        "Source": "",
        "RulesetName": position.ruleset,
        "RulesStages": [],
        "Map": position.map,
    }


def frames(setup: Setup, record: Record) -> Iterator[dict[str, Any]]:
    """A frame for each turn; who died is shown where it died, from then on."""
    names = dict(zip(record.seat_names, (setup.contestants[who].label for who in record.seats), strict=True))
    colors = dict(zip(record.seat_names, COLORS, strict=False))
    dead: list[dict[str, Any]] = []

    def shown(snake: Snake, death: dict[str, Any] | None = None) -> dict[str, Any]:
        return {
            "ID": snake.id,
            "Name": names[snake.id],
            "Body": points(snake.body),
            "Health": snake.health,
            "Death": death,
            "Color": colors[snake.id],
            "HeadType": "default",
            "TailType": "default",
            "Latency": "1",  # the viewer takes 0 for an error
            "Shout": "",
            "Squad": "",
            "Author": "",
            "StatusCode": 200,
            "Error": "",
            "IsBot": False,
            "IsEnvironment": False,
        }

    for scene in replay(setup, record):
        position: Position = scene.position
        yield {
            "Turn": position.turn,
            "Snakes": [*map(shown, position.snakes), *dead],
            "Food": points(position.food),
            "Hazards": points(position.hazards),
        }
        if scene.moves is not None:
            for fate in outcome.play(position, scene.moves).fates:
                if fate.cause:
                    death = {"Cause": fate.cause, "Turn": position.turn + 1, "EliminatedBy": fate.by}
                    dead.append(shown(fate.snake, death))


class Viewing:
    """A server for one game; `url` opens it in the board viewer."""

    def __init__(self, setup: Setup, record: Record, board: str = BOARD, port: int = 0) -> None:
        if setup.game != "battlesnake":
            raise ArenaError("the board viewer is for Battlesnake: other games are shown in the terminal")
        position: Position = next(replay(setup, record)).position
        self._game = game_of(position)
        self._path = f"/games/{position.game}"
        self._events = [
            *({"Type": "frame", "Data": frame} for frame in frames(setup, record)),
            {"Type": "game_end", "Data": self._game},
        ]
        try:
            self.server: Server = serve(self._stream, "127.0.0.1", port, process_request=self._respond)
        except OSError as error:
            raise ArenaError(f"port {port} cannot be used: {error.strerror}") from None
        self.engine = f"http://127.0.0.1:{self.server.socket.getsockname()[1]}"
        query = urlencode({"engine": self.engine, "game": position.game, "autoplay": "true"})
        self.url = f"{board}?{query}"

    def _respond(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path == f"{self._path}/events":
            return None
        found = request.path == self._path
        body = json.dumps({"Game": self._game} if found else {"error": "no such game"}).encode()
        headers = Headers(
            {
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
                "Access-Control-Allow-Origin": "*",
                "Connection": "close",
            }
        )
        return Response(200 if found else 404, "OK" if found else "Not Found", headers, body)

    def _stream(self, connection: ServerConnection) -> None:
        try:
            for event in self._events:
                connection.send(json.dumps(event))
        except ConnectionClosed:
            return
