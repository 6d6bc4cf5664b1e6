"""One game from its number, anywhere: the same answer in this process, in a pool, on a cluster."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal
from uuid import NAMESPACE_OID, uuid5

from arena.contestants import Local, resolve
from arena.players import Answer, Fault, LocalPlayer, Player
from arena.records import FaultNote, Record, SeatNotes
from arena.referees import NO_MOVE, Referee, referee
from arena.setup import GAME, OPENING, Pairing, Setup
from engines.core.budget import Clock
from engines.core.rng import derive

NOTED_FAULTS = 5
"""Faults recorded in detail per game; all are counted."""

DETAIL = 200

CLOCKS: Mapping[str, Clock] = {"wall": time.perf_counter, "processor": time.thread_time}
"""What milliseconds of thinking are counted by."""


class Match:
    """A set-up ready to be played: referee at hand, contestants resolved."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.referee: Referee[Any] = referee(setup.game)
        self.sources = tuple(resolve(contestant, self.referee.game) for contestant in setup.contestants)
        self.cap = setup.cap or self.referee.cap

    def opening(self, number: int) -> Any:
        """The position from which every game of that opening begins."""
        seed = derive(self.setup.seed, OPENING, number)
        return self.referee.opening(self.setup.options, self.setup.seats, seed)

    def players(self, pairing: Pairing, names: Sequence[str], title: str) -> list[Player]:
        """Fresh players: memories begin empty."""
        table = {
            name: {"name": self.setup.contestants[who].label, "latency": "0"}
            for name, who in zip(names, pairing.seats, strict=True)
        }
        found: list[Player] = []
        for name, who in zip(names, pairing.seats, strict=True):
            source = self.sources[who]
            if isinstance(source, Local):
                clock = CLOCKS[self.setup.clock]
                found.append(LocalPlayer(source, self.setup.tolerance_ms, clock, self.setup.cores))
            else:
                from arena.endpoints import RoutePlayer, SnakePlayer

                game = self.referee.game
                if game.name == "battlesnake":
                    found.append(SnakePlayer(source, game, name, table))
                else:
                    side = name if game.name == "flag" else None
                    found.append(RoutePlayer(source, game, side, title, self.setup.tolerance_ms))
        return found


@dataclass
class _Notes:
    """What is being noted of one seat."""

    microseconds: list[int] = field(default_factory=list)
    faults: dict[Fault, int] = field(default_factory=lambda: {"late": 0, "failed": 0, "illegal": 0})
    numbers: dict[str, tuple[float, int]] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)

    def answer(self, answer: Answer) -> None:
        self.microseconds.append(answer.microseconds)
        for name, value in answer.numbers.items():
            total, count = self.numbers.get(name, (0.0, 0))
            self.numbers[name] = (total + value, count + 1)
        for name in sorted(answer.flags):
            self.flags[name] = self.flags.get(name, 0) + 1

    def written(self) -> SeatNotes:
        return SeatNotes(
            microseconds=tuple(self.microseconds), numbers=self.numbers, flags=self.flags, **self.faults
        )


class _Board:
    """A game under way."""

    def __init__(self, match: Match, pairing: Pairing) -> None:
        self.match = match
        self.referee = match.referee
        self.seed = derive(match.setup.seed, GAME, pairing.number)
        title = str(uuid5(NAMESPACE_OID, f"{match.setup.seed}/{pairing.number}/{pairing.seats}"))
        self.position = self.referee.titled(match.opening(pairing.opening), title)
        seats = len(pairing.seats)
        self.names = tuple(self.referee.seat_names(self.position, seats))
        self.players = match.players(pairing, self.names, title)
        self.notes = [_Notes() for _ in range(seats)]
        self.last: list[Any] = [None] * seats
        self.faults: list[FaultNote] = []
        self.gone: dict[int, int] = {}
        self.seen: dict[int, Any] = {}
        self.ply = 0

    def tell(self, what: Literal["begin", "end"]) -> None:
        """Notify every player of the start or end; each gets the position as its seat sees it."""
        for seat, view in self.referee.views(self.position, self.seen, len(self.players)):
            getattr(self.players[seat], what)(view)

    def choose(self, seat: int, view: Any) -> Any:
        """The seat's move, by its player or by the convention; `NO_MOVE` loses."""
        self.seen[seat] = view
        if not self.referee.asks(view):
            return self.referee.game.fallback(view)
        answer = self.players[seat].decide(view, derive(self.seed, self.ply, seat))
        self.notes[seat].answer(answer)
        fault, detail = answer.fault, answer.detail
        if fault is None:
            objection = self.referee.objection(view, answer.move)
            if objection is None:
                self.last[seat] = answer.move
                return answer.move
            fault, detail = "illegal", f"{objection}: {answer.move!r}"
        self.notes[seat].faults[fault] += 1
        if len(self.faults) < NOTED_FAULTS:
            note = FaultNote(ply=self.ply, seat=seat, kind=fault, detail=_plain(detail))
            self.faults.append(note)
        return self.referee.substitute(view, self.last[seat])


def _plain(text: str) -> str:
    """A reply's excerpt that any file and terminal can take."""
    return text[:DETAIL].encode("ascii", "backslashreplace").decode()


def play(match: Match, pairing: Pairing) -> Record:
    """Play one game. Its chance comes from the opening, its decisions' seeds from its own number."""
    began = time.perf_counter()
    board = _Board(match, pairing)
    umpire, seats = match.referee, len(pairing.seats)
    chance = derive(match.setup.seed, OPENING, pairing.opening, 1)
    start = umpire.game.dump(board.position)
    plies: list[Any] = []
    winner: int | None = None
    ended = "cap"
    board.tell("begin")
    while board.ply < match.cap and ended == "cap":
        chosen = {seat: board.choose(seat, view) for seat, view in umpire.turns(board.position, seats)}
        losers = [seat for seat, move in chosen.items() if move is NO_MOVE]
        if losers:
            ended, winner = "forfeit", 1 - losers[0]
            break
        moves = umpire.moves(board.position, chosen)
        step = umpire.game.step(board.position, moves, derive(chance, board.ply))
        plies.append(moves)
        board.ply += 1
        left = set(umpire.alive(step.position, seats))
        for seat in range(seats):
            if seat not in left:
                board.gone.setdefault(seat, board.ply)
        board.position = step.position
        if step.over:
            ended, winner = "rules", umpire.winner_seat(step, seats)
    board.tell("end")
    return Record(
        number=pairing.number,
        opening=pairing.opening,
        seats=pairing.seats,
        seat_names=board.names,
        chance=chance,
        start=start,
        plies=tuple(plies),
        places=umpire.places(winner, board.gone, seats),
        ended=ended,
        length=board.ply,
        faults=tuple(board.faults),
        notes=tuple(note.written() for note in board.notes),
        seconds=round(time.perf_counter() - began, 6),
    )


@lru_cache(maxsize=4)
def _match(setup_json: str) -> Match:
    return Match(Setup.model_validate_json(setup_json))


def play_numbers(setup_json: str, numbers: Sequence[int]) -> list[str]:
    """The games of those numbers, as lines of a games file: what a worker is asked for."""
    match = _match(setup_json)
    return [play(match, match.setup.pairing(number)).model_dump_json() for number in numbers]
