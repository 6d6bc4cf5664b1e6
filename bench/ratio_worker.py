"""The work that `bench.ratio` compares, done by the checkout that is on the path.

    python -P bench/ratio_worker.py base|ours < requests

Run by file, with the path and the folder of either checkout, so it imports nothing of its own one. Agents are
asked through the catalogue; one that was renamed, or has a renamed parameter, under the first of its names
that is there. Kernels that no agent reaches are called through two small adapters. A request is a line of
JSON, `{"workload": name, "times": n}`; its answer `{"seconds": CPU time of this process, "answers": digest of
what was found}`.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

BOARDS = json.loads((Path(__file__).parent / "boards.json").read_text())
"""States by kind: of games between greedy or rule-based agents, some moves after the start."""

Work = Callable[[int], Any]
"""Do it with a seed; what was found, the same on both sides."""


@dataclass(frozen=True)
class Decisions:
    """An agent's decisions on some boards with exact iterations."""

    game: str
    specs: tuple[str, ...]
    """`agent:name=value,…`: the first that the checkout knows is asked."""
    boards: tuple[str, ...]
    iterations: int
    """As many as a move of some tens of milliseconds has: with few, what is made once a move counts most."""


SNAKES = ("two", "four", "small", "royale")
DECISIONS = {
    "battlesnake/negamax": Decisions("battlesnake", ("negamax",), SNAKES, 40_000),
    "battlesnake/negamax, maximin root, reductions": Decisions(
        "battlesnake",
        tuple(
            f"negamax:root={root},{reductions}=3"
            for root in ("words", "moves", "maximin")
            for reductions in ("lmr", "late")
        ),
        (*SNAKES, "large"),
        40_000,
    ),
    "battlesnake/hybrid slices": Decisions("battlesnake", ("rhea_with_negamax_override",), SNAKES, 40),
    "battlesnake/rhea generations": Decisions("battlesnake", ("rhea",), SNAKES, 40),
    "battlesnake/published evolution": Decisions(
        "battlesnake", ("published_rhea", "rhea:config=published"), SNAKES, 80
    ),
    "battlesnake/published search": Decisions(
        "battlesnake", ("published_negamax", "negamax:config=published"), SNAKES, 20_000
    ),
    "battlesnake/flood_paranoid": Decisions("battlesnake", ("flood_paranoid",), SNAKES, 20_000),
    "ludo/expectimax": Decisions("ludo", ("expectimax",), ("ludo",), 1_000),
    "ludo/td": Decisions("ludo", ("td",), ("ludo",), 1_000),
    "isolation/alpha-beta": Decisions(
        "isolation", ("ab_improved",), ("isolation early", "isolation middle"), 20_000
    ),
    "isolation/solver": Decisions("isolation", ("perfect:table=false",), ("isolation middle",), 50_000),
    "flag/equilibrium": Decisions("flag", ("equilibrium",), ("flag",), 20),
}


class Kernels(NamedTuple):
    """Entry points that no agent reaches."""

    random_turns: Callable[[Any, int, int], int]
    """Turns of so many random Battlesnake games from a position of 11x11; with a seed."""
    leaf_evaluation: Callable[[Any], Callable[[int], list[float]]]
    """Evaluates a Battlesnake position's leaf so many times; the terms."""
    random_ludo: Callable[[tuple[int, ...], int, Any], list[int]]
    """Wins by seat of so many games without the seats named; with a generator."""
    rule_ludo: Callable[[tuple[int, ...], int, Any], tuple[int, int]]
    """Wins and decisions of one rule-based player in so many games."""
    random_flag: Callable[[int, Any], int]
    """Rounds of so many games of random orders."""


def kernels() -> Kernels:
    """Those of this checkout: its benches know how they are called."""
    from bench import battlesnake, flag, ludo

    return Kernels(
        battlesnake.random_turns,
        battlesnake.leaf_evaluation,
        ludo.wins_of_random_games,
        ludo.wins_of_rules,
        flag.random_rounds,
    )


def budget_types() -> tuple[Any, Any]:
    """`Budget` and `Meter`, whatever their module is called in the tree."""
    try:
        module = import_module("engines.core.budget")
    except ModuleNotFoundError:
        module = import_module("engines.core.limit")
    return module.Budget, module.Meter


def kernels_of_base() -> Kernels:
    """Those of commit c133b38."""
    from dataclasses import replace

    import numpy as np

    from bench import battlesnake as snakes
    from engines.core.rng import seeded
    from engines.flag import playout, position, rules
    from engines.ludo import simulate
    from engines.ludo.rules import mask_of

    def random_turns(start: Any, count: int, seed: int) -> int:
        world = snakes.pack(start)
        moves, own = np.zeros(len(start.snakes), np.int64), snakes.scratch(world)[:5]
        return snakes.games(count, seeded(1, seed), moves, *world, *own)

    def leaf_evaluation(start: Any) -> Callable[[int], list[float]]:
        start = replace(start, you=start.snakes[0].id)
        world, terms = snakes.pack(start), np.zeros(len(snakes.TERMS), np.float64)
        weights = snakes.factors(snakes.tuned_leaves()[snakes.mode(start)], start)
        given = (weights, terms, *world, *snakes.chart(world), snakes.findings(world))

        def evaluate(count: int) -> list[float]:
            snakes.leaves(count, *given)
            return terms.tolist()

        return evaluate

    def random_ludo(empty: tuple[int, ...], games: int, rng: Any) -> list[int]:
        wins = np.zeros(4, np.int64)
        simulate.random_games(games, np.zeros((4, 4), np.int64), mask_of(empty), rng, 100_000, wins)
        return wins.tolist()

    def rule_ludo(empty: tuple[int, ...], games: int, rng: Any) -> tuple[int, int]:
        return simulate.lone_rule_player(games, mask_of(empty), np.zeros(4, np.int64), rng, 100_000)

    def random_flag(games: int, rng: Any) -> int:
        return playout.random_games(rng, rules.table_of(position.start()), games, 100)

    return Kernels(random_turns, leaf_evaluation, random_ludo, rule_ludo, random_flag)


def positions(game: str, *kinds: str) -> list[Any]:
    """The boards of some kinds; Flag's as both sides see them."""
    from engines.catalogue import GAMES

    sides = ("A", "B") if game == "flag" else (None,)
    return [GAMES[game].parse(state, side) for kind in kinds for state in BOARDS[kind] for side in sides]


def asked(decisions: Decisions) -> Work:
    """Decide on every board; moves and scores."""
    from engines.catalogue import GAMES

    make_budget, make_meter = budget_types()

    agents = GAMES[decisions.game].agents
    agent, parameters = next(
        (agents[name], given)
        for name, given in map(read, decisions.specs)
        if name in agents and accepts(agents[name].parameters, given)
    )
    boards, made = positions(decisions.game, *decisions.boards), agent.parameters(**parameters)

    def work(seed: int) -> Any:
        found = []
        for position in boards:
            meter = make_meter(make_budget(iterations=decisions.iterations))
            decision = agent.decide(position, made, meter, seed, None)
            found.append((decision.move, decision.score))
        return found

    return work


def read(spec: str) -> tuple[str, dict[str, Any]]:
    """An agent's name and its parameters."""
    name, _, rest = spec.partition(":")
    given = dict(part.split("=") for part in rest.split(",") if part)
    return name, {key: _scalar(value) for key, value in given.items()}


def _scalar(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def accepts(parameters: type[Any], given: dict[str, Any]) -> bool:
    """Has it parameters of these names, with these values among its choices?"""
    hints = get_type_hints(parameters)
    known = {field.name for field in fields(parameters)}
    return all(
        name in known and (get_origin(hints[name]) is not Literal or value in get_args(hints[name]))
        for name, value in given.items()
    )


def simulated(name: str, made: Kernels) -> Work:
    """The work of a kernel."""
    from engines.core.rng import seeded

    kind, _, what = name.partition("/")
    if kind == "flag":
        return lambda seed: made.random_flag(2_000, seeded(1, seed))
    if kind == "ludo":
        play = made.random_ludo if what == "random games" else made.rule_ludo
        return lambda seed: [play(empty, 500, seeded(1, seed)) for empty in ((1, 3), (3,), ())]
    what, _, board = what.partition(", ")
    found = positions("battlesnake", board.split(" ")[0])
    if what == "exact steps":
        return lambda seed: [made.random_turns(position, 2_000, seed) for position in found]
    evaluations = [made.leaf_evaluation(position) for position in found]
    return lambda seed: [sorted(evaluate(20_000)) for evaluate in evaluations]


SIMULATED = (
    "battlesnake/leaves, two snakes",
    "battlesnake/leaves, four snakes",
    "battlesnake/leaves, small board",
    "battlesnake/leaves, large board",
    "battlesnake/exact steps, two snakes",
    "battlesnake/exact steps, four snakes",
    "ludo/random games",
    "ludo/rule-based games",
    "flag/rounds",
)


class Service:
    """The application in this process, asked without a network."""

    def __init__(self) -> None:
        from app.main import create_app

        self._app = create_app()
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self._begin())

    async def _begin(self) -> None:
        begun = asyncio.Event()

        async def send(message: dict[str, Any]) -> None:
            if message["type"] != "lifespan.startup.complete":
                raise RuntimeError(f"the service did not start: {message}")
            begun.set()

        first = iter([{"type": "lifespan.startup"}])
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._lifespan = asyncio.ensure_future(self._app(scope, partial(_received, first), send))
        await begun.wait()
        while (await self._ask("GET", "/health/ready", b""))[0] != 200:
            await asyncio.sleep(0.05)

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        route, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": route,
            "raw_path": route.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"test"), (b"content-type", b"application/json")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        status, parts = 0, []

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)
            parts.append(message.get("body", b""))

        await self._app(scope, partial(_received, iter([{"type": "http.request", "body": body}])), send)
        return status, b"".join(parts)

    def moves(self, path: str, body: Any, requests: int) -> list[Any]:
        """The moves of so many answers."""
        raw = json.dumps(body).encode()

        async def ask_all() -> list[Any]:
            found = []
            for _ in range(requests):
                status, answer = await self._ask("POST", path, raw)
                if status != 200:
                    raise RuntimeError(f"{path} answered {status}: {answer[:200]!r}")
                found.append(json.loads(answer)["move"])
            return found

        return self._loop.run_until_complete(ask_all())


async def _received(messages: Any) -> Any:
    """The next message; the client stays and says nothing more."""
    for message in messages:
        return message
    return await asyncio.Event().wait()


def requested(name: str, service: Service) -> Work:
    """Requests of an agent that is nearly nothing but overhead."""
    if name == "http/battlesnake":
        path, body = "/snakes/random/move?budgetIterations=1&seed=1", BOARDS["two"][0]
    else:
        path = "/ludo/move"
        body = {"state": BOARDS["ludo"][0], "agent": "random", "budgetIterations": 1, "seed": 1}
    return lambda seed: service.moves(path, body, 50)


REQUESTED = ("http/battlesnake", "http/ludo")
WORKLOADS = (*DECISIONS, *SIMULATED, *REQUESTED)


class Checkout:
    """The workloads as this checkout does them, each prepared when it is first asked for."""

    def __init__(self, side: str) -> None:
        self._side = side
        self._works: dict[str, Work] = {}
        self._kernels: Kernels | None = None
        self._service: Service | None = None

    def run(self, name: str, times: int) -> tuple[float, str]:
        """CPU seconds of so much work, and a digest of what it found."""
        if name not in self._works:
            self._works[name] = self._prepared(name)
            self._works[name](0)
        work = self._works[name]
        gc.collect()
        gc.disable()
        started = time.process_time()
        found = [work(seed) for seed in range(times)]
        seconds = time.process_time() - started
        gc.enable()
        return seconds, hashlib.sha256(json.dumps(found, default=float).encode()).hexdigest()

    def _prepared(self, name: str) -> Work:
        if name in DECISIONS:
            return asked(DECISIONS[name])
        if name in REQUESTED:
            self._service = self._service or Service()
            return requested(name, self._service)
        self._kernels = self._kernels or (kernels_of_base() if self._side == "base" else kernels())
        return simulated(name, self._kernels)


def main() -> None:
    """Answer requests until there are no more."""
    checkout = Checkout(sys.argv[1])
    import engines

    if Path(engines.__file__).resolve().parents[1] != Path.cwd().resolve():
        raise SystemExit(f"the engines are those of {engines.__file__}")
    # What the service or a kernel prints must not stand between the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        seconds, digest = checkout.run(request["workload"], request["times"])
        print(json.dumps({"seconds": seconds, "answers": digest}), file=answers, flush=True)


if __name__ == "__main__":
    main()
