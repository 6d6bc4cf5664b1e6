"""A second engine of Flag, in plain Python, written for clarity from the rules alone.

States are the JSON states of the vector files; nothing here is shared with the engine under test.
"""

from __future__ import annotations

import copy
import itertools
import random
from typing import Any

SIZE = 11
STEP = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
ENEMY = {"A": "B", "B": "A"}
START = {"A1": (4, 8), "A2": (5, 8), "A3": (6, 8), "B1": (4, 2), "B2": (5, 2), "B3": (6, 2)}
HOME = {"A": (5, 10), "B": (5, 0)}
KEY = {"A": (9, 1), "B": (1, 9)}


def territory(cell: tuple[int, int]) -> str | None:
    """Whose land a cell is; None on the neutral row."""
    return "A" if cell[1] >= 6 else "B" if cell[1] <= 4 else None


def zone(cell: tuple[int, int]) -> str | None:
    """In whose no-guard zone a cell lies."""
    if cell[0] not in (4, 5, 6):
        return None
    return "A" if cell[1] >= 9 else "B" if cell[1] <= 1 else None


class Board:
    """A state unpacked: cells and lives by piece name, carriers, zones, pending rescuers, winner."""

    def __init__(self, state: dict[str, Any]) -> None:
        entries = {f"{team}{entry[0]}": entry for team in "AB" for entry in state["pieces"][team]}
        self.cell = {name: (entries[name][1], entries[name][2]) for name in sorted(entries)}
        self.alive = {name: entries[name][3] == 1 for name in sorted(entries)}
        self.carrier = {team: state["flags"][team][2] for team in "AB"}
        self.zone_on = dict(state["zones"])
        self.pending = {team: [f"{team}{number}" for number in state["rescuers"][team]] for team in "AB"}
        self.round = state["round"]
        self.winner = state["winner"]

    def living(self, team: str) -> list[str]:
        return [name for name in self.cell if name[0] == team and self.alive[name]]

    def copy(self) -> Board:
        other = copy.copy(self)
        for field in ("cell", "alive", "carrier", "zone_on"):
            setattr(other, field, dict(getattr(self, field)))
        other.pending = {team: list(names) for team, names in self.pending.items()}
        return other

    def state(self) -> dict[str, Any]:
        jailed = {team: len(self.living(team)) < 3 for team in "AB"}
        return {
            "round": self.round,
            "status": "playing" if self.winner is None else "finished",
            "winner": self.winner,
            "pieces": {
                team: [
                    [int(name[1]), *self.cell[name], int(self.alive[name])]
                    for name in self.cell
                    if name[0] == team
                ]
                for team in "AB"
            },
            "flags": {
                team: [*(self.cell[carrier] if carrier else HOME[team]), carrier]
                for team, carrier in self.carrier.items()
            },
            "zones": dict(self.zone_on),
            "keys": {team: list(KEY[team]) if jailed[team] else None for team in "AB"},
            "rescuers": {team: [int(name[1]) for name in self.pending[team]] for team in "AB"},
        }


Orders = dict[str, tuple[str, int]]
"""Piece name to direction and distance."""


def read_orders(commands: dict[str, list[dict[str, Any]]]) -> Orders:
    return {
        f"{team}{order['piece']}": (order["direction"], order["distance"])
        for team, given in commands.items()
        for order in given
    }


def path_of(board: Board, name: str, direction: str, distance: int) -> list[tuple[int, int]]:
    """Every cell of a piece's way, its own first."""
    team = name[0]
    cells = [board.cell[name]]
    for _ in range(distance):
        x, y = cells[-1][0] + STEP[direction][0], cells[-1][1] + STEP[direction][1]
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            break
        if zone((x, y)) == team and board.zone_on[team] and board.carrier[ENEMY[team]] != name:
            break
        cells.append((x, y))
    return cells


def collisions(paths: dict[str, list[tuple[int, int]]]) -> list[tuple[str, tuple[int, int]]]:
    """The records in the order in which they are made."""
    records: dict[str, tuple[int, int]] = {}

    def at(name: str, step: int) -> tuple[int, int]:
        return paths[name][min(step, len(paths[name]) - 1)]

    pairs = list(itertools.combinations(paths, 2))
    for one, two in pairs:
        for step in range(SIZE):
            if at(one, step) == at(two, step):
                records.setdefault(one, at(one, step))
                records.setdefault(two, at(two, step))
                break
    for one, two in pairs:
        for step in range(min(len(paths[one]), len(paths[two])) - 1):
            if paths[one][step] == paths[two][step + 1] and paths[two][step] == paths[one][step + 1]:
                records.setdefault(one, paths[one][step + 1])
                records.setdefault(two, paths[two][step + 1])
                break
    return list(records.items())


def exchange(board: Board, orders: Orders, events: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    """Steps 2 to 6, on the board itself; the paths and the collision records."""
    paths = {
        name: path_of(board, name, *orders.get(name, ("up", 0)))
        for team in "AB"
        for name in board.living(team)
    }
    records = collisions(paths)
    for name, cells in paths.items():
        board.cell[name] = cells[-1]
    for name, cell in records:
        team = name[0]
        partners = [other for other, where in records if other[0] != team and where == cell]
        if not partners or territory(cell) == team:
            continue
        board.alive[name] = False
        events.append(["jailed", name])
        flag = ENEMY[team]
        if board.carrier[flag] == name:
            board.carrier[flag] = None
            board.zone_on[flag] = True
            events.append(["flag_home", flag])
            for guard in board.living(flag):
                if zone(board.cell[guard]) == flag:
                    board.cell[guard] = START[guard]
                    events.append(["zone_reset", guard])
    check_flags(board, events)
    return paths, records


def check_flags(board: Board, events: list[Any]) -> None:
    for team in "AB":
        flag = ENEMY[team]
        for name in board.living(team):
            if board.carrier[flag] is None and board.cell[name] == HOME[flag]:
                board.carrier[flag] = name
                events.append(["pickup", name, flag])
            if board.carrier[flag] == name and territory(board.cell[name]) == team:
                board.winner = team
                events.append(["score", team])


def play(state: dict[str, Any], commands: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """One complete round: every result field of a vector line."""
    events: list[Any] = []
    board = Board(state)
    send_home(board, events)
    before = board.copy()
    paths, records = exchange(board, read_orders(commands), events)
    board.round += 1
    rescue(board, events)
    check_flags(board, events)  # the reference tells a win a second time here
    for team in "AB":
        board.zone_on[team] = board.carrier[team] is None
    return {
        "after": board.state(),
        "winner": board.winner,
        "paths": {name: [*cells[0], *cells[-1], len(cells) - 1] for name, cells in paths.items()},
        "collisions": [[name, *cell] for name, cell in records],
        "events": events,
        "score": {side: quick(board, side) for side in "AB"},
        "scoreWithCaptures": {side: full(board, side, before) for side in "AB"},
    }


def send_home(board: Board, events: list[Any]) -> None:
    for team in "AB":
        for name in board.pending[team]:
            board.cell[name] = START[name]
            events.append(["rescuer_reset", name])
        board.pending[team] = []


def rescue(board: Board, events: list[Any]) -> None:
    for team in "AB":
        if len(board.living(team)) == 3:
            continue
        for name in board.living(team):
            if board.cell[name] == KEY[team]:
                prisoners = [other for other in board.cell if other[0] == team and not board.alive[other]]
                for other in prisoners:
                    board.alive[other], board.cell[other] = True, START[other]
                board.pending[team] = [name]
                events.append(["rescue", name, prisoners])


def quick_terms(board: Board, side: str) -> dict[str, int]:
    """The terms that are not zero."""
    if board.winner is not None:
        return {"win": 10000 if board.winner == side else -10000}
    us, them = side, ENEMY[side]
    terms: dict[str, int] = {}
    for mine, other, sign, names in (
        (us, them, 1, ("we_carry", "on_their_flag", "in_their_zone", "on_their_back_row")),
        (them, us, -1, ("they_carry", "on_our_flag", "in_our_zone", "on_our_back_row")),
    ):
        carry, on_flag, in_zone, back_row = names
        cells = [board.cell[name] for name in board.living(mine)]
        if board.carrier[other] is not None:
            terms[carry] = 8000 * sign
        else:
            terms[on_flag] = 3000 * sign * cells.count(HOME[other])
        if board.zone_on[other] and board.carrier[mine] is None:
            terms[in_zone] = 1000 * sign * sum(zone(cell) == other for cell in cells)
        terms[back_row] = 500 * sign * sum(cell[1] == HOME[other][1] for cell in cells)
    terms["piece_lead"] = 200 * (len(board.living(us)) - len(board.living(them)))
    return {name: value for name, value in terms.items() if value}


def quick(board: Board, side: str) -> int:
    return sum(quick_terms(board, side).values())


def full(board: Board, side: str, before: Board) -> int:
    if board.winner is not None:
        return quick(board, side)
    lost = {team: len(before.living(team)) - len(board.living(team)) for team in "AB"}
    return quick(board, side) + 1000 * (lost[ENEMY[side]] - lost[side])


# The design document's heuristic.


def best_move(board: Board, name: str, fixed: Orders) -> dict[str, Any]:
    """The plain loop over 41 orders, as the document has it."""

    def value(direction: str, distance: int) -> int:
        after = board.copy()
        exchange(after, {**fixed, name: (direction, distance)}, [])
        return quick(after, name[0])

    still = value("up", 0)
    best, delta = ("up", 0), 0
    ends = {board.cell[name]}
    for direction in STEP:
        for distance in range(1, 11):
            ends.add(path_of(board, name, direction, distance)[-1])
            gain = value(direction, distance) - still
            if gain > delta:
                best, delta = (direction, distance), gain
    return {
        "piece": int(name[1]),
        "direction": best[0],
        "distance": best[1],
        "delta": delta,
        "still": still,
        "end": list(path_of(board, name, *best)[-1]),
        "distinct": len(ends),
    }


def heuristic(state: dict[str, Any], side: str) -> dict[str, Any]:
    """Every result field of a decision line."""
    board = Board(state)
    enemy = [best_move(board, name, {}) for name in board.living(ENEMY[side])]
    fixed = read_orders({ENEMY[side]: enemy})
    own = [best_move(board, name, fixed) for name in board.living(side)]
    return {
        "current": {team: quick(board, team) for team in "AB"},
        "enemy": enemy,
        "own": own,
        "evaluations": {
            "all": 41 * len(enemy + own),
            "distinct": sum(entry["distinct"] for entry in enemy + own),
        },
    }


def nash_sampling(state: dict[str, Any], side: str, own: int, enemy: int, rng: random.Random) -> Orders:
    """The own joint order that the best of random answers leaves the most."""
    board = Board(state)

    def draw(team: str) -> Orders:
        return {name: (rng.choice(list(STEP)), rng.randint(1, 5)) for name in board.living(team)}

    best: Orders = {}
    best_value: int | None = None
    for _ in range(own):
        mine = draw(side)
        values = []
        for _ in range(enemy):
            after = board.copy()
            exchange(after, mine | draw(ENEMY[side]), [])
            values.append((quick(after, ENEMY[side]), quick(after, side)))
        value = max(values, key=lambda pair: pair[0])[1]
        if best_value is None or value > best_value:
            best, best_value = mine, value
    return best


def new() -> dict[str, Any]:
    """The start of a game."""
    return {
        "round": 1,
        "status": "playing",
        "winner": None,
        "pieces": {
            team: [[int(name[1]), *cell, 1] for name, cell in START.items() if name[0] == team]
            for team in "AB"
        },
        "flags": {team: [*HOME[team], None] for team in "AB"},
        "zones": {"A": True, "B": True},
        "keys": {"A": None, "B": None},
        "rescuers": {"A": [], "B": []},
    }


def random_commands(rng: random.Random) -> dict[str, list[dict[str, Any]]]:
    """Orders for all six pieces: any direction, 1 to 5 steps."""
    return {
        team: [
            {"piece": number, "direction": rng.choice(list(STEP)), "distance": rng.randint(1, 5)}
            for number in (1, 2, 3)
        ]
        for team in "AB"
    }


def random_game(rng: random.Random, cap: int = 100) -> int:
    """Play one game of random orders to its end or to the cap; the rounds that it took."""
    state = new()
    while state["winner"] is None and state["round"] <= cap:
        state = play(state, random_commands(rng))["after"]
    return state["round"] - 1
