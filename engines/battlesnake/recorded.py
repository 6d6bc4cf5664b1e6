"""Replays of whole games that the official program recorded (`battlesnake_games`).

A line `{"recorded": {…}}`, the header, describes a game; its frames follow, one a turn, with the living
snakes alone. Moves and causes of elimination are not recorded, so each turn is played with moves that are
inferred from the frames. Food and hazards are the map's, and taken from each frame as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from engines.battlesnake import fields
from engines.battlesnake.maps import newborn
from engines.battlesnake.position import (
    FULL_HEALTH,
    MAX_SIDE,
    MAX_SNAKES,
    MOVES,
    OFFSETS,
    Position,
    Settings,
    Snake,
    points,
)
from engines.battlesnake.render import render
from engines.battlesnake.turn import Outcome, play
from engines.core.vectors import DamagedLineError, Difference, Replay, differences

MOST_TRIES = 4**6
"""Joint moves tried for a turn; all of them, where at most six snakes' moves are unknown."""


def recognises_game(record: Mapping[str, Any]) -> bool:
    """Is it a game's header, or one of its frames?"""
    return "recorded" in record or ("board" in record and "you" not in record and "game" not in record)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game's header. `frames` follow it; the last one is the end of the game if it is `whole`."""

    width: int
    height: int
    ruleset: str
    map: str
    snakes: int
    damage: int
    frames: int
    whole: bool
    result: Mapping[str, Any] | None
    """`winnerId` and `isDraw`."""

    def position(self, record: Mapping[str, Any]) -> Position:
        """The board of a frame, under the game's rules."""
        return replace(
            fields.board(record, "board"),
            ruleset=self.ruleset,
            map=self.map,
            settings=Settings(hazard_damage=self.damage),
            solo=self.ruleset == "solo" or self.snakes == 1,
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn by the rules: the snakes that survive it, and the moves that it was played with."""

    snakes: tuple[Snake, ...]
    over: bool
    moves: Mapping[str, str]


class RecordedGames:
    """The replay of one file; a `Replayer`.

    Compared are of each frame: its turn, the board's size, whether the game is over, which snakes live, and
    their health, body, head and length; of a whole game's last frame also winner and draw. The first frame
    has as many snakes as the header says, each of them new (on every map but solo_maze, which begins with
    other bodies).

    A snake that lives in the next frame has made the move that leads to its head there; the move of one that
    was eliminated is unknown. The rules agree if with some moves of those exactly they are eliminated, and
    the others are as in the frame. Nearly every snake could have run into itself, so one that is missing too
    early is noticed only when it is seen again, or when the game should have ended.
    """

    def __init__(self) -> None:
        self._game: _Game | None = None
        self._before: Position | None = None
        self._seen = 0

    def replay(self, record: Mapping[str, Any]) -> Replay:
        return self._begin(record) if "recorded" in record else self._frame(record)

    def skip(self) -> None:
        """Leave out a damaged frame: the one after it cannot be played from it."""
        self._before = None
        self._seen += 1

    def finish(self) -> None:
        if self._game is not None and self._seen < self._game.frames:
            raise DamagedLineError(
                f"the file ends here, after {self._seen} of the {self._game.frames} frames of its last game"
            )

    def _begin(self, record: Mapping[str, Any]) -> Replay:
        last, seen = self._game, self._seen
        self._game, self._before, self._seen = None, None, 0
        game = self._game = _game(record)
        wrong: tuple[Difference, ...] = ()
        if last is not None and seen < last.frames:
            wrong = (Difference("frames of the game before", last.frames, seen),)
        description = f"{game.ruleset} on {game.map}, {game.width}x{game.height}, {game.snakes} snakes"
        return Replay(wrong, lambda: description, lambda: "none", steps=0)

    def _frame(self, record: Mapping[str, Any]) -> Replay:
        game = self._game
        if game is None:
            raise DamagedLineError("a frame without a game: its game's line is missing or damaged")
        if self._seen >= game.frames:
            raise DamagedLineError(f"a frame more than the {game.frames} that its game's line tells of")
        after = game.position(record)
        expected = _recorded(record, game, last=self._seen == game.frames - 1)
        before, number = self._before, self._seen
        self._before, self._seen = after, number + 1
        if before is None:
            snakes = after.snakes
            if number == 0 and game.map != "solo_maze":
                snakes = tuple(newborn(snake.id, snake.head) for snake in snakes)
            got = _computed(_Turn(snakes, after.over, {}), game, number, expected)
            found = [*differences(expected, got)]
            if number == 0:
                found += differences(game.snakes, len(after.snakes), "board.snakes")
            return Replay(tuple(found), lambda: render(after), lambda: "none", steps=0 if number == 0 else 1)
        turn, wrong = _nearest(before, after, game, number, expected)
        return Replay(
            wrong,
            lambda: render(before),
            lambda: " ".join(f"{identity}:{move}" for identity, move in turn.moves.items()),
        )


def _game(record: Mapping[str, Any]) -> _Game:
    header = fields.mapping(record, "recorded", "")
    settings = fields.mapping(header, "settings", "recorded")
    ruleset = fields.mapping(settings, "ruleset", "recorded.settings")
    rules = fields.mapping(ruleset, "settings", "recorded.settings.ruleset")
    result = None
    if fields.get(header, "result", "recorded") is not None:
        outcome = fields.mapping(header, "result", "recorded")
        result = {
            "winnerId": fields.string(outcome, "winnerId", "recorded.result"),
            "isDraw": fields.boolean(outcome, "isDraw", "recorded.result"),
        }
    return _Game(
        width=fields.integer(header, "width", "recorded", 1, MAX_SIDE),
        height=fields.integer(header, "height", "recorded", 1, MAX_SIDE),
        ruleset=fields.string(header, "ruleset", "recorded"),
        map=fields.string(header, "map", "recorded"),
        snakes=fields.integer(header, "snakes", "recorded", 1, MAX_SNAKES),
        damage=fields.integer(rules, "hazardDamagePerTurn", "recorded.settings.ruleset.settings"),
        frames=fields.integer(header, "frames", "recorded", 1),
        whole=fields.boolean(header, "whole", "recorded"),
        result=result,
    )


def _recorded(record: Mapping[str, Any], game: _Game, last: bool) -> dict[str, Any]:
    """What is compared, as in a frame and its game's header."""
    raw = record["board"]
    shown: dict[str, Any] = {
        "turn": fields.get(record, "turn", ""),
        "width": raw["width"],
        "height": raw["height"],
        "over": game.whole and last,
        "snakes": {
            one["id"]: {
                key: fields.get(one, key, f"board.snakes[{index}]")
                for key in ("health", "body", "head", "length")
            }
            for index, one in enumerate(raw["snakes"])
        },
    }
    if game.whole and last and game.result is not None:
        shown["result"] = game.result
    return shown


def _computed(turn: _Turn, game: _Game, number: int, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The same by the rules."""
    got: dict[str, Any] = {
        "turn": number,
        "width": game.width,
        "height": game.height,
        "over": turn.over,
        "snakes": {
            snake.id: {
                "health": snake.health,
                "body": points(snake.body),
                "head": points((snake.head,))[0],
                "length": len(snake.body),
            }
            for snake in turn.snakes
        },
    }
    if "result" in expected:
        got["result"] = {
            "winnerId": turn.snakes[-1].id if turn.snakes else "",
            "isDraw": game.snakes > 1 and not turn.snakes,
        }
    return got


def _nearest(
    before: Position, after: Position, game: _Game, number: int, expected: Mapping[str, Any]
) -> tuple[_Turn, tuple[Difference, ...]]:
    """The turn that agrees with the frame, or of all possible ones that with the fewest differences."""
    best: tuple[_Turn, tuple[Difference, ...]] | None = None
    for turn in _turns(before, after):
        wrong = tuple(differences(expected, _computed(turn, game, number, expected)))
        if best is None or len(wrong) < len(best[1]):
            best = turn, wrong
        if not wrong:
            break
    assert best is not None
    return best


def _turns(before: Position, after: Position) -> Iterator[_Turn]:
    """The turns that can have led to a frame, the most likely first."""
    there = {snake.id: snake for snake in after.snakes}
    choices = [_moves(before, snake, there.get(snake.id)) for snake in before.snakes]
    for chosen in islice(product(*choices), MOST_TRIES):
        moves = {snake.id: move for snake, move in zip(before.snakes, chosen, strict=True)}
        outcome = play(before, moves)
        living = tuple(fate.snake for fate in outcome.fates if not fate.cause)
        if _next_maze(before, outcome):
            living = tuple(replace(there.get(snake.id, snake), health=FULL_HEALTH) for snake in living)
        yield _Turn(living, outcome.over, moves)


def _moves(before: Position, snake: Snake, after: Snake | None) -> list[str]:
    """The moves that a snake can have made.

    For an eliminated one first those by which it dies alone: then it blocks nobody and meets no head. Next
    a move onto its own body, since any other occupies the same cells and one more. So the first choices of
    all eliminated snakes explain a frame if any choices do, but for snakes that can do neither, as on turn 0.
    """
    if after is None:
        alone = replace(before, snakes=(snake,), solo=True)
        causes = {move: play(alone, {snake.id: move}).fates[0].cause for move in MOVES}
        rank = {"": 2, "snake-self-collision": 1}
        return sorted(MOVES, key=lambda move: rank.get(causes[move], 0))
    shown = [
        move
        for move, step in zip(MOVES, OFFSETS, strict=True)
        if before.destination(snake.head, step) == after.head
    ]
    if before.map == "solo_maze":  # a new maze moves the head away
        shown += [move for move in MOVES if move not in shown]
    return shown or list(MOVES)


def _next_maze(before: Position, outcome: Outcome) -> bool:
    """Has the last food of a `solo_maze` been eaten? Then the map puts the snake into a new maze."""
    return before.map == "solo_maze" and outcome.played and not outcome.food
