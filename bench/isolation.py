"""Isolation: plies of random games against the tests' plain oracle, the solver against the same search in C.

`python -m bench.isolation` measures strength instead: games against the study's roster, won and lost
sides apart.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path
from shutil import which
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory

from arena.statistics import wilson
from bench.rate import rate
from engines.core.budget import Budget, Meter
from engines.core.rng import Rng, derive, seeded
from engines.isolation.agents.perfect import SLICE, Parameters, Solver
from engines.isolation.board import UNPLACED, Knights, board_tables, full_board
from engines.isolation.game import ISOLATION
from engines.isolation.openings.book import opening
from engines.isolation.openings.solution import Pair, pairs, placed
from engines.isolation.position import Position, start
from engines.isolation.rules import legal_squares, play, random_game, winner
from engines.isolation.solver.distance import Distances
from engines.isolation.solver.proof import WAYS, NodeProof, TranspositionTable
from engines.isolation.solver.tables import solver_tables
from tests.oracles import isolation as oracle


def _compiled(knights: Knights, blank: tuple[int, int], rng: Rng) -> int:
    return sum(random_game(*blank, UNPLACED, UNPLACED, knights, rng) for _ in range(100))


def _plain(height: int, width: int, chance: random.Random) -> int:
    return len(oracle.random_game(height, width, chance)) - 1


def figures(seconds: float) -> Iterator[dict]:
    """One figure a board size; `seconds` of CPU for each side."""
    for height, width in ((7, 7), (9, 9)):
        knights = board_tables(height, width).knights
        compiled = partial(_compiled, knights, full_board(height, width), seeded(1))
        ours = rate(compiled, seconds)
        theirs = rate(partial(_plain, height, width, random.Random(1)), seconds)
        yield {
            "name": f"isolation plies, whole random games {height}x{width}",
            "value": ours,
            "unit": "plies/CPU s",
            "reference": "plain-Python oracle of the tests, same rules",
            "referenceValue": theirs,
            "ratio": ours / theirs,
            "note": "one core; the helpers timed are those the searches play with",
        }
    yield _against_c(seconds)


C_SOURCE = Path(__file__).parent / "c" / "solver.c"


def _against_c(seconds: float) -> dict:
    """The solver's nodes a second beside those of the same search in C, the same positions and nodes."""
    figure = {
        "name": "isolation solver nodes 7x7, 8 to 16 filled",
        "unit": "nodes/CPU s",
        "reference": "the same search in C, gcc -O2 -march=native",
    }
    compiler = which("gcc") or which("cc")
    if compiler is None:
        return figure | {"note": "skipped: no C compiler is at hand"}
    chance = random.Random(1)
    decided, positions = TranspositionTable(49), []
    nodes = won = 0
    spent = 0.0
    while spent < seconds:
        positions.append(_played(chance, chance.randrange(8, 17)))
        proof = NodeProof(positions[-1], decided)
        started = time.process_time()
        while proof.won is None:
            nodes += proof.run(1 << 20)
        spent += time.process_time() - started
        won += proof.won
    tables = solver_tables(7, 7)
    rows = [tables.knights, *tables.mirrors]
    text = "49\n" + "\n".join(" ".join(str(item) for item in row.tolist()) for row in rows)
    text += f"\n{WAYS}\n"
    text += "\n".join(
        f"{even} {odd} {position.mover_at} {position.other_at}"
        for position in positions
        for even, odd in [position.blank]
    )
    with TemporaryDirectory() as directory:
        program = str(Path(directory) / "solver")
        made = run(
            [compiler, "-O2", "-march=native", "-o", program, str(C_SOURCE)], check=False, capture_output=True
        )
        if made.returncode:
            return figure | {"note": "skipped: the C compiler refused the reference"}
        answer = run([program], input=text, capture_output=True, text=True, check=True).stdout.split()
    same = (int(answer[0]), int(answer[1])) == (nodes, won)
    theirs = int(answer[0]) / float(answer[2])
    return figure | {
        "value": nodes / spent,
        "referenceValue": theirs,
        "ratio": nodes / spent / theirs,
        "note": f"{len(positions)} positions, {nodes} nodes; "
        + ("nodes and winners are the same" if same else f"NOT the same: C has {answer[0]}, {answer[1]}"),
    }


def _played(chance: random.Random, filled: int, height: int = 7, width: int = 7) -> Position:
    """A position of random play with so many cells filled, not over."""
    while True:
        first, second = chance.sample(range(height * width), 2)
        position = start(height, width)
        for square in (first, second)[:filled]:
            position = play(position, square)
        for _ in range(filled - 2):
            if squares := legal_squares(position):
                position = play(position, chance.choice(squares))
        blank = sum(mask.bit_count() for mask in position.blank)
        if legal_squares(position) and height * width - blank == filled:
            return position


def proofs(
    filled: int, positions: int, seed: int, height: int, width: int, shipped: bool, far: bool = False
) -> dict:
    """CPU time until `perfect` has proved every move's value, estimates and traps on the way included.

    With `far` until it also has the distance to the end and a line of best play.
    """
    chance = random.Random(seed)
    spent, nodes = [], []
    for _ in range(positions):
        position = _played(chance, filled, height, width)
        meter = Meter(Budget(iterations=10**9))
        started = time.process_time()
        solver = Solver(position, Parameters(table=shipped), meter, seed)
        solver.resolve()
        if far:
            distances = Distances(position, solver.proof.values, solver.table)
            while not distances.reported:
                distances.run(SLICE)
        spent.append(1000 * (time.process_time() - started))
        nodes.append(solver.nodes)
    return {
        "board": f"{height}x{width}",
        "filled": filled,
        "positions": positions,
        "table": shipped,
        "distance": far,
        "ms": {"median": round(median(spent), 1)}
        | {f"p{share}": round(_at(spent, share), 1) for share in (95, 99, 100)},
        "within 20 ms": sum(ms <= 20 for ms in spent),
        "within 150 ms": sum(ms <= 150 for ms in spent),
        "nodes, median": median(nodes),
    }


def _at(values: Sequence[float], share: int) -> float:
    """The least value that so many per cent do not exceed."""
    return sorted(values)[max(0, -(-share * len(values) // 100) - 1)]


ROSTER = ("random", "mm_open", "mm_center", "mm_improved", "ab_open", "ab_center", "ab_improved")
DEFENDER = "analysis"
"""Where it is lost it plays the longest defence, as soon as that is proved."""
NODES = 9_000_000
"""What `perfect` comes to in its 150 ms, on one core that it has for itself."""


def _game(position: Position, agents: Sequence[tuple[str, int]], seed: int, remember: bool = False) -> int:
    """Who wins from the position; `agents` are names and nodes a move of player 0 and player 1."""
    memory = [None, None]
    while True:
        if (victor := winner(position)) is not None:
            return victor
        mover = position.to_move
        name, nodes = agents[mover]
        agent = ISOLATION.agents[name]
        meter = Meter(Budget(iterations=nodes))
        found = agent.decide(position, agent.parameters(), meter, derive(seed, mover), memory[mover])
        if remember:
            memory[mover] = found.memory
        position = ISOLATION.step(position, found.move, 0).position
        seed = derive(seed, 2)


def strength(
    agent: str,
    nodes: int,
    openings: int,
    seed: int,
    effort: int = 10_000,
    roster: Sequence[str] = ROSTER,
    sides: Sequence[str] = ("won", "lost"),
    remember: bool = False,
) -> Iterator[dict]:
    """An agent against the study's seven from random placements, both orders; won and lost sides apart.

    In every opening it has the won side once and the lost side once; `effort` is what the opponents have.
    With `remember` it is handed what it remembers of the game, as the arena does.
    """
    chance = random.Random(seed)
    sums = {side: [0, 0] for side in sides}
    for opponent in roster:
        tally = {side: [0, 0] for side in sums}
        for number in range(openings):
            first, second = chance.sample(range(49), 2)
            position = placed(7, 7, (first, second))
            favoured = 0 if any(opening(position).values()) else 1
            for seat in (0, 1):
                pair = [(opponent, effort)] * 2
                pair[seat] = (agent, nodes)
                side = "won" if seat == favoured else "lost"
                if side not in sides:
                    continue
                victory = _game(position, pair, derive(seed, 2 * number + seat), remember) == seat
                for record in (tally[side], sums[side]):
                    record[0] += victory
                    record[1] += 1
        yield {"opponent": opponent, **{side: _share(*record) for side, record in tally.items()}}
    games = [sum(column) for column in zip(*sums.values(), strict=True)]
    yield {
        "opponent": "all",
        **{side: _share(*record) for side, record in sums.items()},
        "both": _share(*games),
    }


def _share(wins: int, games: int) -> str:
    low, high = wilson(wins, games)
    return f"{wins} of {games} = {wins / games:.0%} ({low:.0%} to {high:.0%})"


def sides(games: Path) -> Iterator[dict]:
    """A gauntlet of the arena from placements: won and lost sides of the first contestant apart."""
    head, *lines = map(json.loads, games.read_text().splitlines())
    names = [contestant["label"] for contestant in head["setup"]["contestants"]]
    sums = {name: {"won": [0, 0], "lost": [0, 0]} for name in [*names[1:], "all"]}
    for game in lines:
        seat = game["seats"].index(0)
        favoured = 0 if any(opening(ISOLATION.parse(game["start"])).values()) else 1
        for name in (names[game["seats"][1 - seat]], "all"):
            record = sums[name]["won" if seat == favoured else "lost"]
            record[0] += game["places"][seat] == 1
            record[1] += 1
    for name, found in sums.items():
        whole = [sum(column) for column in zip(*found.values(), strict=True)]
        shares = {side: _share(*record) for side, record in found.items() if record[1]}
        yield {"opponent": name, **shares, "both": _share(*whole) if whole[1] else None}


def won_game(agent: str, nodes: int, pair: Pair, seed: int) -> bool:
    """Does an agent win from the won side of a pair of placements, against the longest defence?"""
    position = placed(7, 7, pair)
    favoured = 0 if any(opening(position).values()) else 1
    agents = [(DEFENDER, nodes)] * 2
    agents[favoured] = (agent, nodes)
    return _game(position, agents, derive(seed, *pair)) == favoured


def conversion(agent: str, nodes: int, drawn: Sequence[Pair], seed: int, out: Path | None) -> Iterator[dict]:
    """An agent on the won side of pairs of placements. Each has one, which moves first or second.

    A game is a line of `out`; the pairs that stand there already are not played again.
    """
    lines = out.read_text().splitlines() if out is not None and out.exists() else []
    played = {tuple(proof["pair"]): proof for proof in map(json.loads, lines)}
    for pair in drawn:
        if pair not in played:
            played[pair] = {
                "pair": pair,
                "won": won_game(agent, nodes, pair, seed),
            }
            if out is not None:
                with out.open("a") as file:
                    file.write(json.dumps(played[pair]) + "\n")
    wins = sum(played[pair]["won"] for pair in drawn)
    yield {"pairs": len(drawn), "won": _share(wins, len(drawn))}


def _command() -> Iterator[dict]:
    command = argparse.ArgumentParser(description=strength.__doc__)
    command.add_argument("--agent", default="perfect")
    command.add_argument("--nodes", type=int, default=NODES, help="of the agent, a move")
    command.add_argument("--openings", type=int, default=5, help="for each opponent")
    command.add_argument("--opponents", nargs="+", default=ROSTER)
    command.add_argument("--sides", nargs="+", choices=("won", "lost"), default=("won", "lost"))
    command.add_argument("--effort", type=int, default=10_000, help="the opponents' nodes a move")
    command.add_argument("--remember", action="store_true", help="with the agent's memory, as in the arena")
    command.add_argument("--pairs", type=int, help="only so many won placements, against the longest defence")
    command.add_argument("--classes", action="store_true", help="the same with the 315 pairs up to symmetry")
    command.add_argument("--out", type=Path, help="where the games of pairs stand; those there are kept")
    command.add_argument("--games", type=Path, help="only the sides of an arena's games (.games.jsonl)")
    command.add_argument("--proofs", type=int, nargs="+", help="only proofs, with so many cells filled")
    command.add_argument("--positions", type=int, default=40, help="for each filling")
    command.add_argument("--board", type=int, nargs=2, default=(7, 7), help="rows and columns")
    command.add_argument("--far", action="store_true", help="with the distance to the end")
    command.add_argument("--no-table", action="store_true", help="without the shipped solution")
    command.add_argument("--seed", type=int, default=1)
    given = command.parse_args()
    if given.games:
        yield from sides(given.games)
        return
    if given.proofs:
        for filled in given.proofs:
            yield proofs(filled, given.positions, given.seed, *given.board, not given.no_table, given.far)
        return
    if given.pairs or given.classes:
        every = list(pairs(7, 7) if given.classes else permutations(range(49), 2))
        drawn = random.Random(given.seed).sample(every, min(given.pairs or len(every), len(every)))
        yield from conversion(given.agent, given.nodes, drawn, given.seed, given.out)
        return
    yield from strength(
        given.agent,
        given.nodes,
        given.openings,
        given.seed,
        given.effort,
        given.opponents,
        given.sides,
        given.remember,
    )


if __name__ == "__main__":
    for row in _command():
        print(json.dumps(row), flush=True)  # noqa: T201
