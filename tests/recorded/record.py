"""Records what the engines answer: `python -m tests.recorded.record`, from the root of a checkout.

The recorded files were made by this at commit c133b38. It speaks that commit's names and is no part of the
tests; run anywhere else it would record what is to be proven, so it refuses.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, product
from random import Random
from typing import Any

from engines.catalogue import GAMES
from engines.core.limit import Budget, Meter
from tests.recorded import form
from tests.vectors import lines as vectors

COMMIT = "c133b38"
State = dict[str, Any]
Spec = tuple[str, dict[str, Any]]
Ask = tuple[str, dict[str, Any], State, str | None, int]
"""Agent, parameters, state, side, iterations."""

SNAKE, LUDO, ISOLATION, FLAG = (GAMES[name] for name in ("battlesnake", "ludo", "isolation", "flag"))


def decide(
    game: Any, agent: str, parameters: State, position: Any, iterations: int, seed: int, memory: Any = None
) -> Any:
    chosen = game.agents[agent]
    meter = Meter(Budget(iterations=iterations))
    return chosen.decide(position, chosen.parameters(**parameters), meter, seed, memory)


def record(game: Any, asks: Sequence[Ask], keep_full: Callable[[int], bool]) -> list[State]:
    """Every question with its answer."""
    found, spent = [], {}
    for number, (agent, parameters, state, side, iterations) in enumerate(asks):
        unpacked = form.unpack_request(state) if game is SNAKE else state
        began, seed = time.process_time(), 1_000_003 * number + 17
        answer = form.full(decide(game, agent, parameters, game.parse(unpacked, side), iterations, seed))
        took = time.process_time() - began
        label = f"{agent} {parameters.get('config', '')} {'big' if iterations >= 50_000 else ''}"
        count, sum_ = spent.get(label, (0, 0.0))
        spent[label] = count + 1, sum_ + took
        question = {"agent": agent, "parameters": parameters, "state": state, "side": side}
        kept = {"answer": answer} if keep_full(number) else {"brief": form.brief(answer)}
        found.append({"id": number, **question, "iterations": iterations, "seed": seed, **kept})
    for label, (count, sum_) in spent.items():
        print(f"  {label:48}{count:6}{sum_:8.1f} s")
    return found


def varied(*specs: Spec, **ranges: Sequence[Any]) -> list[Spec]:
    """The specs, each with each parameter at each of its values, one at a time."""
    return [
        (agent, {**parameters, name: value})
        for agent, parameters in specs
        for name, values in ranges.items()
        for value in values
    ]


class Deck:
    """States in an order that goes on and on."""

    def __init__(self, states: Sequence[Any], seed: int) -> None:
        shuffled = list(states)
        Random(seed).shuffle(shuffled)
        self._next: Iterator[Any] = cycle(shuffled)
        self.size = len(shuffled)

    def take(self, count: int) -> list[Any]:
        return [next(self._next) for _ in range(count)]


# Battlesnake

WEIGHTS = {
    "space": (0.0, 20.0), "room": (0.0, 30.0), "length": (0.0, 40.0), "softness": (0.5, 9.0),
    "health": (0.0, 60.0), "food": (0.0, 25.0), "fade": (20.0, 5000.0), "hazard": (0.0, 35.0),
    "tail": (0.0, 12.0),
}  # fmt: skip
EVOLVED = {
    "population": (5, 31), "evolutions": (0, 3), "genotype": (6, 33), "tournament": (1, 5), "elite": (0, 6),
    "rivals": (0, 1, 3), "rival_population": (4, 20), "replies": (0, 2, 4), "foresight": (0, 3, 12),
    "straight": (False, True), "wariness": (0.0, 0.9), "quantile": (0.0, 0.6), "death": (10.0, 300.0),
    "draw_worth": (0.0, -100.0), "win": (0.0, 250.0), "meal": (0.0, 15.0), "keep": (0.8, 1.0),
    "stride": (1, 7),
}  # fmt: skip
SEARCHED = {
    "max_depth": (1, 3, 6), "draw": ("zero", "loss"), "draw_worth": (-100.0, 10.0),
    "caution": (0.0, 0.4, 1.0), "doubt": (0.0, 1.0), "radius": (0, 3, 40), "root": ("pairs", "words"),
    "mixed": (0, 2, 48), "late": (0, 1, 2, 3),
}  # fmt: skip
HYBRID = {
    "share": (0.0, 0.3, 1.0), "margin": (0.0, 30.0), "blend": (0.0, 1.5), "horizon": (0.0, 2.0),
    "trust": (0.0, 0.9), "learning": (0.5, 40.0),
}  # fmt: skip
BRED = {
    "population": (4, 20), "evolutions": (0, 2), "genotype": (5, 40), "mutation": (0.0, 0.9),
    "tournament": (1, 8), "elite": (0, 5), "opponents": ("smart", "straight", "random", "territorial"),
}  # fmt: skip
PUBLISHED = {"config": "published"}
WORDS = ("negamax", {"root": "words", "late": 3})
OVERRIDE = "rhea_with_negamax_override"

RULESETS = ("standard", "royale", "wrapped", "constrictor", "wrapped_constrictor", "solo")
SIZES = ((11, 11), (7, 7), (19, 19), (5, 5), (25, 25), (3, 3), (9, 13), (15, 7), (21, 21))


def seen_by(state: State, number: int) -> State:
    """The same request from another snake's view."""
    snakes = state["board"]["snakes"]
    return {**state, "you": snakes[number % len(snakes)]} if snakes else state


def packed(state: State) -> State:
    """A packed request, and the proof that nothing that matters is lost."""
    position = SNAKE.parse(state)
    short = form.pack_request(SNAKE.dump(position))
    again = form.pack_request(SNAKE.dump(SNAKE.parse(form.unpack_request(short))))
    assert again == short, (short, again)
    return short


def from_vectors() -> Iterator[State]:
    for number, line in enumerate(vectors("battlesnake.jsonl.gz")):
        if number % 6 or not line["before"]["snakes"]:
            continue
        request = {
            "game": {"id": "vector", "ruleset": line["ruleset"], "map": line.get("map", "standard")},
            "turn": line["turn"],
            "solo": line["solo"],
            "board": line["before"],
        }
        yield packed(seen_by(request, number // 6))


def played(options: State, seed: int, turns: int) -> Iterator[tuple[int, Any]]:
    """A game by greedy snakes that now and then draw their word."""
    position, rng = SNAKE.new(options, seed), Random(seed)
    for turn in range(turns):
        yield turn, position
        state, moves = SNAKE.dump(position), {}
        for number, snake in enumerate(state["board"]["snakes"]):
            view = SNAKE.parse({**state, "you": snake})
            agent = "random" if rng.random() < 0.05 else "greedy"
            parameters = {} if agent == "random" else {"replies": 6}
            moves[snake["id"]] = decide(SNAKE, agent, parameters, view, 4, 64 * turn + number).move
        step = SNAKE.step(position, moves, seed)
        position = step.position
        if step.over:
            return


def from_play() -> Iterator[State]:
    """Random games over all rulesets, boards and numbers of snakes; a third of the boards are late ones."""
    rng = Random(3)
    for number, ((width, height), ruleset) in enumerate(product(SIZES, RULESETS * 3)):
        room = min(8, width * height // 4)
        count = 1 if ruleset == "solo" else min(room, 2 if number % 2 else rng.randint(2, 8))
        options = {
            "width": width, "height": height, "snakes": max(count, 1), "ruleset": ruleset,
            "shrinkEveryNTurns": rng.choice((3, 10, 25)), "foodSpawnChance": rng.choice((15, 60)),
            "hazardDamagePerTurn": rng.choice((14, 14, 40, -5)),
        }  # fmt: skip
        boards = [SNAKE.dump(position) for _, position in played(options, 100 + number, 160)]
        for at in (0, len(boards) // 3, 2 * len(boards) // 3, len(boards) - 4, len(boards) - 2):
            state = seen_by(boards[max(0, at)], number + at)
            if number % 3 == 1:
                cells = product(range(width), range(height))
                state["board"]["hazards"] = [{"x": x, "y": y} for x, y in cells if rng.random() < 0.15]
            yield packed(state)


def snake_states() -> list[State]:
    requests = [packed(request) for request in vectors("battlesnake_requests.jsonl.gz")[::2]]
    return [*from_vectors(), *from_play(), *requests]


def snake_asks() -> list[Ask]:
    states = snake_states()
    everything = Deck(states, 1)
    duels = Deck([state for state in states if len(state["snakes"]) == 2], 2)
    crowds = Deck([state for state in states if len(state["snakes"]) > 2], 3)
    roomy = Deck([s for s in states if len(s["snakes"]) > 1 and min(s["size"]) >= 7], 4)
    rng, asks = Random(5), list[Ask]()

    def ask(specs: Sequence[Spec], count: int, deck: Deck, *iterations: int) -> None:
        for agent, parameters in specs:
            asks.extend((agent, parameters, s, None, rng.choice(iterations)) for s in deck.take(count))

    tuned, hybrid = ("negamax", {}), (OVERRIDE, {})
    ask([("random", {})], 40, everything, 1)
    ask([("greedy", {})], 60, everything, 4, 4, 2)
    greedy = dict.fromkeys(("space", "food", "length", "head_risk", "kills", "hazard", "centre"), (0.0, 90.0))
    ask(varied(("greedy", {}), replies=(1, 200), **greedy), 2, everything, 4)
    ask([tuned], 160, everything, 1, 200, 3000, 10_000)
    ask([tuned, WORDS], 40, duels, 5000, 30_000)
    ask([tuned], 40, crowds, 5000, 20_000)
    ask([WORDS], 60, everything, 500, 10_000)
    ask(varied(tuned, **SEARCHED), 5, everything, 4000)
    ask(varied(tuned, WORDS, **SEARCHED), 2, duels, 8000)
    ask(varied(tuned, **WEIGHTS), 2, everything, 3000)
    ask([tuned, WORDS], 14, roomy, 300_000)
    ask([tuned, WORDS], 4, roomy, 1_000_000)
    leaves, draws = ("territory", "health_length", "simple"), ("zero", "loss")
    published = ("negamax", PUBLISHED)
    ask([published], 60, everything, 100, 3000)
    ask(varied(published, max_depth=range(1, 9)), 3, everything, 3000)
    both = [("negamax", {**PUBLISHED, "leaf": leaf, "draw": draw}) for leaf, draw in product(leaves, draws)]
    ask(both, 5, everything, 2000)
    ask(varied(published, max_depth=(6, 8)), 12, roomy, 150_000)
    ask([("rhea", {})], 90, everything, 1, 2, 5, 12)
    ask(varied(("rhea", {}), **EVOLVED, **WEIGHTS), 2, everything, 4)
    ask([("rhea", {})], 24, roomy, 50)
    ask([("rhea", PUBLISHED)], 50, everything, 1, 5, 20)
    ask(varied(("rhea", PUBLISHED), **BRED), 3, everything, 6)
    ask([("rhea", PUBLISHED)], 24, roomy, 401)
    ask([hybrid], 150, everything, 1, 2, 4, 9)
    ask([hybrid], 60, duels, 3, 8, 25)
    ask([hybrid], 60, crowds, 3, 8, 25)
    ask([(OVERRIDE, {"root": "pairs"})], 40, duels, 4, 12)
    ask(varied(hybrid, (OVERRIDE, {"root": "pairs"}), **HYBRID), 2, duels, 12)
    ask(varied(hybrid, **HYBRID, **SEARCHED), 2, everything, 10)
    ask(varied(hybrid, **EVOLVED, **WEIGHTS), 1, everything, 30)
    ask([hybrid], 24, roomy, 90)
    ask([(OVERRIDE, {"root": "pairs"})], 6, duels, 90)
    published = (OVERRIDE, PUBLISHED)
    ask([published], 60, everything, 1, 4, 15)
    ask(varied(published, max_depth=(1, 2, 6, 8), bad_threshold=(-20_000.0, 0.0, 9000.0)), 3, everything, 10)
    ask(varied(published, leaf=leaves, draw=draws, **BRED), 2, everything, 10)
    ask([published], 24, roomy, 420)
    ask([("flood_paranoid", {})], 100, everything, 1, 300, 2000)
    flood = {
        "space": (0.0, 300.0), "steepness": (0.3, 20.0), "thirst": (0.0, 1.0), "growth": (0.0, 200.0),
        "fade": (5.0, 9000.0), "health": (0.0, 100.0), "draw": (0.0, -10_000.0), "max_depth": (1, 3),
    }  # fmt: skip
    ask(varied(("flood_paranoid", {}), **flood), 2, everything, 1000)
    ask([("flood_paranoid", {})], 24, roomy, 50_000)
    return asks


# Whole games of Battlesnake

CAST: tuple[tuple[int, tuple[str, State, int], str], ...] = (
    (60, (OVERRIDE, {}, 4), "duel"),
    (30, (OVERRIDE, {}, 3), "crowd"),
    (16, (OVERRIDE, {"root": "pairs"}, 6), "duel"),
    (24, ("rhea", {}, 2), "any"),
    (20, ("rhea", PUBLISHED, 5), "any"),
    (20, (OVERRIDE, PUBLISHED, 8), "any"),
    (10, ("negamax", {}, 1500), "duel"),
    (10, ("negamax", WORDS[1], 1500), "duel"),
    (10, ("flood_paranoid", {}, 300), "any"),
)
GAME_SIZES = ((11, 11), (7, 7), (11, 11), (19, 19), (9, 9), (5, 5), (11, 11), (15, 11), (8, 8), (25, 25))


def snake_games() -> list[State]:
    """200 games in which a snake, or two, remember; each turn's board as it was."""
    found: list[State] = []
    for count, main, players in CAST:
        for number in range(count):
            found.append(snake_game(len(found), number, main, players))
    return found


def snake_game(identity: int, number: int, main: tuple[str, State, int], players: str) -> State:
    rng = Random(9000 + identity)
    width, height = GAME_SIZES[number % len(GAME_SIZES)]
    count = {"duel": 2, "crowd": rng.choice((3, 4)), "any": rng.choice((2, 2, 3, 4))}[players]
    options = {
        "width": width, "height": height, "snakes": count, "ruleset": RULESETS[number % 5],
        "shrinkEveryNTurns": 10,
    }  # fmt: skip
    position = SNAKE.new(options, identity)
    names = [snake["id"] for snake in SNAKE.dump(position)["board"]["snakes"]]
    remembering = names[: 2 if identity % 4 == 0 else 1]
    memories: State = {}
    turns: list[State] = []
    for turn in range(45):
        state, moves, answers = SNAKE.dump(position), {}, {}
        for at, snake in enumerate(state["board"]["snakes"]):
            identity_ = snake["id"]
            short = form.pack_request({**state, "you": snake})
            view = SNAKE.parse(form.unpack_request(short, f"game-{identity}"))
            seed = 1_000_003 * identity + 64 * turn + at
            if identity_ in remembering:
                agent, parameters, iterations = main
                decision = decide(SNAKE, agent, parameters, view, iterations, seed, memories.get(identity_))
                memories[identity_] = decision.memory
                answer = form.full(decision)
                whole = (turn + identity) % 15 == 3
                answers[identity_] = {"seed": seed, **({"answer": answer} if whole else form.brief(answer))}
            else:
                decision = decide(SNAKE, "greedy", {"replies": 6}, view, 4, seed)
            moves[identity_] = decision.move
        short = form.pack_request(state)
        board = {name: short[name] for name in ("turn", "food", "hazards", "snakes")}
        turns.append({**board, "answers": answers})
        step = SNAKE.step(position, moves, identity)
        position = step.position
        if step.over or not any(snake in moves for snake in remembering):
            break
    agent, parameters, iterations = main
    first = form.pack_request(state)
    shared = {name: first[name] for name in ("size", "rules", "settings")}
    return {
        "id": identity, "agent": agent, "parameters": parameters, "iterations": iterations, **shared,
        "turns": [turn for turn in turns if turn["answers"]],
    }  # fmt: skip


# Ludo


def ludo_asks() -> list[Ask]:
    names = ("positions", "ghosts", "player", "dice", "round", "attempts")
    states = [
        {"round": 7, "attempts": 0, **{name: line[name] for name in names if name in line}}
        for file in ("ludo.jsonl.gz", "ludo-agents.jsonl.gz")
        for line in vectors(file)
    ]
    good = Deck([LUDO.dump(LUDO.parse(state)) for state in states], 6)
    rng, asks = Random(7), list[Ask]()

    def ask(specs: Sequence[Spec], count: int, *iterations: int) -> None:
        for agent, parameters in specs:
            asks.extend((agent, parameters, s, None, rng.choice(iterations)) for s in good.take(count))

    ask([("random", {})], 30, 1)
    ask([("greedy", {})], 50, 1)
    ask(varied(("greedy", {}), leave_home=(0.0, 40.0), goal=(0.0, 60.0), captures=(0.0, 3.0),
               caution=(0.0, 2.5)), 4, 1)  # fmt: skip
    readings = product(("list", "score"), ("strategy", "literal"), ("open", "safe"), (False, True))
    keys = ("rule_order", "override", "flee", "refuse_self_harm")
    ask([("rule_based", dict(zip(keys, reading, strict=True))) for reading in readings], 9, 1)
    ask([("rule_based", {})], 80, 1)
    configs = ("tuned", "documented", "documented_every_seat")
    tables = product(("potential9", "zone12", "combined17"), configs)
    ask([("q_learning", {"abstraction": view, "config": config}) for view, config in tables], 16, 1)
    ask([("td", {})], 70, 1, 5, 30, 73)
    ask(varied(("td", {}), depth=(0, 1, 2)), 15, 49)
    ask([("td", {"depth": 4})], 3, 97)
    ask([("expectimax", {})], 70, 1, 5, 30, 49)
    amounts = dict.fromkeys(("out", "goal", "corridor", "safe"), (0.0, 30.0))
    factors = dict.fromkeys(("danger", "later_danger"), (0.0, 2.0))
    ask(varied(("expectimax", {}), depth=(0, 1, 3), leader=(0.0, 1.0), **amounts, **factors), 5, 30)
    return asks


# Isolation


def isolation_asks() -> list[Ask]:
    names = ("width", "height", "blocked", "players", "toMove")
    lines = [
        {name: line[name] for name in names}
        for file in ("isolation.jsonl.gz", "isolation-endgames.jsonl.gz")
        for line in vectors(file)
    ]
    everything = Deck(lines, 8)
    playing = [s for s in lines if ISOLATION.legal(ISOLATION.parse(s)) and None not in s["players"]]
    open_ = Deck([s for s in playing if s["width"] * s["height"] - len(s["blocked"]) >= 30], 9)
    usual = Deck([s for s in playing if s["width"] == s["height"] == 7], 10)
    endgames = Deck(lines[-150::3], 15)
    rng, asks = Random(11), list[Ask]()

    def ask(specs: Sequence[Spec], count: int, deck: Deck, *iterations: int) -> None:
        for agent, parameters in specs:
            asks.extend((agent, parameters, s, None, rng.choice(iterations)) for s in deck.take(count))

    heuristics = (
        "open_move", "center", "improved", "moves_difference", "avoid_corners", "chase_opponent",
        "weighted_chase_opponent", "next_moves", "chase_fixed", "weighted_chase_fixed", "avoid_corners_fixed",
    )  # fmt: skip
    ask([("random", {})], 25, everything, 1)
    ask(varied(("greedy", {}), ("ab", {}), heuristic=heuristics), 6, everything, 400, 5000)
    ask(varied(("ab", {}), heuristic=heuristics), 3, open_, 100_000, 400_000)
    roster = [(name, {}) for name in ISOLATION.agents if name.startswith(("mm_", "ab_"))]
    ask(roster, 12, everything, 50, 2000, 10_000)
    ask(roster, 3, usual, 100_000)
    ask([("perfect", {}), ("analysis", {})], 60, everything, 1, 500, 6000, 20_000)
    ask([("perfect", {}), ("analysis", {})], 40, usual, 5000, 30_000)
    ask([("perfect", {}), ("analysis", {})], 20, open_, 300_000, 600_000)
    ask([("perfect", {}), ("analysis", {})], 20, endgames, 500_000, 1_500_000)
    ask(varied(("perfect", {}), table=(False,), distance=(False,)), 12, usual, 20_000)
    ask(varied(("analysis", {}), table=(False,), heuristic_nodes=(1, 300, 3000)), 12, everything, 30_000)
    starts = [ISOLATION.dump(position) for position in openings()]
    for agent in ("perfect", "analysis", "ab_improved", "mm_improved"):
        asks.extend((agent, {}, state, None, 3000) for state in starts)
    return asks


def openings() -> Iterator[Any]:
    """The first four positions of some games on 7x7, which the shipped table knows, and of other boards."""
    rng = Random(12)
    for height, width in ((7, 7), (7, 7), (7, 7), (6, 7), (5, 5), (3, 4), (9, 9)):
        position = ISOLATION.new({"height": height, "width": width}, 0)
        for _ in range(4):
            yield position
            legal = ISOLATION.legal(position)
            if not legal:
                break
            position = ISOLATION.step(position, rng.choice(legal), 0).position


def isolation_games() -> list[State]:
    """Games of `perfect`, which remembers how the other has answered; its budget lets it ask who that is."""
    found = []
    for number in range(16):
        rng, other = Random(50 + number), ("ab_improved", "mm_improved", "ab_center", "random")[number % 4]
        position, memory, turns = ISOLATION.new({}, 0), None, []
        for _ in range(2 + number % 2):
            position = ISOLATION.step(position, rng.choice(ISOLATION.legal(position)), 0).position
        ours = position.to_move
        budgets = cycle((20_000, 20_000, 950_000))
        while ISOLATION.legal(position) and len(turns) < 9:
            seed = 1000 * number + len(turns)
            if position.to_move == ours:
                iterations = next(budgets)
                decision = decide(ISOLATION, "perfect", {}, position, iterations, seed, memory)
                memory = decision.memory
                question = {"state": ISOLATION.dump(position), "iterations": iterations, "seed": seed}
                turns.append({**question, "answer": form.full(decision)})
            else:
                decision = decide(ISOLATION, other, {}, position, 2000, seed)
            position = ISOLATION.step(position, decision.move, 0).position
        found.append({"id": number, "agent": "perfect", "parameters": {}, "turns": turns})
    return found


# Flag


def flag_asks() -> list[Ask]:
    lines = [(line["before"], "AB"[number % 2]) for number, line in enumerate(vectors("flag.jsonl.gz")[::9])]
    lines += [(line["state"], line["side"]) for line in vectors("flag-heuristic.jsonl.gz")[::3]]
    deck, rng, asks = Deck(lines, 13), Random(14), list[Ask]()

    def ask(specs: Sequence[Spec], count: int, *iterations: int) -> None:
        for agent, parameters in specs:
            asks.extend((agent, parameters, *view, rng.choice(iterations)) for view in deck.take(count))

    ask([("random", {})], 25, 1)
    ask([("greedy", {})], 50, 1, 3, 3)
    ask([("heuristic", {})], 90, 2, 6, 6, 6)
    ask([("nash_sampling", {})], 25, 10, 25)
    ask(varied(("nash_sampling", {}), own_samples=(5, 40), enemy_samples=(3, 400)), 8, 40)
    ask([("nash_sampling", {})], 24, 300)
    ask([("equilibrium", {})], 80, 1, 4, 12, 25)
    ask(varied(("equilibrium", {}), rounds=(20, 900), tolerance=(0.0005, 0.1), least=(0.0, 0.1),
               margin=(0.0, 0.2), slip=(0.0, 0.9), tilt=(0.5, 1.0), plies=(1,)), 6, 20)  # fmt: skip
    ask([("equilibrium", {})], 24, 60)
    return asks


def at_commit() -> bool:
    """Are the engines those of the commit?"""
    told = subprocess.run(
        ["git", "diff", "--quiet", COMMIT, "--", "engines"], check=False, capture_output=True
    )
    return told.returncode == 0


def main(*chosen: str) -> None:
    if not at_commit():
        sys.exit(f"the engines are not those of {COMMIT}: nothing is recorded")
    made: dict[str, Callable[[], list[State]]] = {
        "battlesnake": lambda: record(SNAKE, snake_asks(), lambda number: number % 2 == 0),
        "battlesnake-games": snake_games,
        "ludo": lambda: record(LUDO, ludo_asks(), lambda number: True),
        "isolation": lambda: record(ISOLATION, isolation_asks(), lambda number: True),
        "isolation-games": isolation_games,
        "flag": lambda: record(FLAG, flag_asks(), lambda number: number % 2 == 0),
    }
    for name in chosen or made:
        began = time.process_time()
        records = made[name]()
        form.write(f"{name}.jsonl.gz", records)
        size = (form.HERE / f"{name}.jsonl.gz").stat().st_size
        print(f"{name}: {len(records)} records, {size / 1000:.0f} KB, {time.process_time() - began:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
