"""Ludo in plain Python, written for clarity and apart from the engine, to judge it by.

A state is a list of four lists of own numbers. Nothing here is fast.
"""

import random

STARS = [5, 12, 18, 25, 31, 38, 44, 51]
GLOBES = [9, 22, 35, 48]
EVERYONE = range(4)


def spot(player, number):
    """The place on the ring of 52; the collision table still takes number 52 for the last of them."""
    return (number - 1 + 13 * player) % 52


def start_of(player, seat):
    """The number under which `player` knows the start square of `seat`."""
    return 1 + 13 * ((seat - player) % 4)


def movable(pieces, dice):
    return [i for i, n in enumerate(pieces) if n != 57 and (n != 0 or dice == 6)]


def enemies_on(positions, player, number):
    """The first enemy with pieces on the square, and which pieces: (None, []) where nobody is."""
    if 1 <= number <= 52:
        for enemy in ((player + k) % 4 for k in (1, 2, 3)):
            on_its_start = number == start_of(player, enemy)
            found = [
                i
                for i, n in enumerate(positions[enemy])
                if 1 <= n <= 52 and (spot(enemy, n) == spot(player, number) or (on_its_start and n == 52))
            ]
            if found:
                return enemy, found
    return None, []


def play(positions, player, piece, dice):
    """The positions after the move, the captured (enemy, piece) pairs, and whether the mover went home."""
    after = [list(row) for row in positions]
    captured = []
    at = positions[player][piece]
    to = at + dice

    def clash(number):
        """True where the mover is refused."""
        enemy, there = enemies_on(after, player, number)
        if len(there) == 1:
            after[enemy][there[0]] = 0
            captured.append((enemy, there[0]))
        return len(there) > 1

    if 52 <= at <= 56:
        after[player][piece] = to if to <= 57 else 57 - dice
        return after, captured, False
    enemy, _ = enemies_on(positions, player, to)
    if at == 0:
        to = 1
        refused = clash(1)
    elif to == 51:
        to = 57
        refused = clash(51)
    elif to in STARS:
        beyond = STARS[STARS.index(to) + 1]
        refusals = [clash(to), clash(beyond)]
        refused = any(refusals)
        to = beyond
    elif to in GLOBES:
        refused = enemy is not None
    elif to in (14, 27, 40) and enemy is not None and to == start_of(player, enemy):
        refused = True
    else:
        refused = clash(to)
    after[player][piece] = 0 if refused else to
    return after, captured, refused


def finished(positions):
    return [player for player in EVERYONE if positions[player] == [57] * 4]


def next_turn(after, ghosts, player, dice, round_, attempts):
    """(player, round, attempts) of the next throw."""
    if round_ == 1 and after[player] == [0] * 4 and attempts < 3:
        return player, 1, attempts + 1
    if round_ != 1 and dice == 6:
        return player, round_, 0
    player += 1
    while player in ghosts:
        player += 1
    return (player, round_, 0) if player <= 3 else (0, round_ + 1, 0)


def random_game(ghosts, rng: random.Random):
    """One game of random moves: the winner and the number of throws."""
    positions = [[0] * 4 for _ in EVERYONE]
    player, round_, attempts, throws = 0, 1, 0, 0
    while True:
        dice = rng.randint(1, 6)
        throws += 1
        choices = movable(positions[player], dice)
        if choices:
            positions, _, _ = play(positions, player, rng.choice(choices), dice)
            if positions[player] == [57] * 4:
                return player, throws
        player, round_, attempts = next_turn(positions, ghosts, player, dice, round_, attempts)


# --- The rule-based player and the abstractions, as the documents have them ---------------------------------

SAFE = {0, 1, 9, 22, 35, 48, *range(52, 58)}
RULES = [
    ("WIN_MOVE", 1_000_000),
    ("CAPTURE_MOVE", 50_000),
    ("FLEE_MOVE", 50_000),
    ("HOME_BASE_PROGRESS", 10_000),
    ("BLOCKADE_CLUSTER", 4_000),
    ("FORM_BLOCKADE_MOVE", 3_500),
    ("GET_OUT_OF_HOME", 7_000),
    ("STRATEGY", 0),
]
MULTIPLIERS = {
    ("opening", "GET_OUT_OF_HOME"): 5.0,
    ("closing", "HOME_BASE_PROGRESS"): 5.0,
    ("closing", "WIN_MOVE"): 2.0,
    ("critical", "CAPTURE_MOVE"): 1.5,
    ("critical", "BLOCKADE_CLUSTER"): 2.0,
}


def land(number, dice):
    """Where a piece ends, other pieces ignored."""
    empty = [[0] * 4 for _ in EVERYONE]
    empty[0][0] = number
    return play(empty, 0, 0, dice)[0][0][0]


def others(player):
    return [(player + k) % 4 for k in (1, 2, 3)]


def risk(positions, player, number):
    if number in SAFE:
        return 0.0
    total = 0.0
    for enemy in others(player):
        for n in positions[enemy]:
            if 1 <= n <= 51:
                steps = (spot(player, number) - spot(enemy, n)) % 52
                if 1 <= steps <= 6:
                    total += (7 - steps) * 800
    return total


def clustered(positions, player, number):
    """Does one enemy have two ring pieces within six squares of `number`, on either side?"""
    for enemy in others(player):
        near = 0
        for n in positions[enemy]:
            if 1 <= n <= 51:
                steps = (spot(player, number) - spot(enemy, n)) % 52
                near += min(steps, 52 - steps) <= 6
        if near >= 2:
            return True
    return False


def phases(positions, player):
    """All phases that hold, in their order of precedence; midgame where none does."""
    own = positions[player]
    held = {
        "opening": own.count(0) >= 2,
        "closing": sum(n >= 52 for n in own) >= 2,
        "critical": any(positions[enemy].count(57) >= 2 for enemy in others(player)),
    }
    return [name for name, holds in held.items() if holds] or ["midgame"]


def judge(positions, player, dice, piece, phase, rule_order="list", override="strategy", flee="open"):
    """The documented score of one move, with its parts, under the given readings."""
    own = positions[player]
    at = own[piece]
    to = land(at, dice)
    _, captured, sent_home = play(positions, player, piece, dice)
    rest = own[:piece] + own[piece + 1 :]
    breaks = at not in (0, 57) and at in rest and to != at
    threat = risk(positions, player, at) > 0
    holds = {
        "WIN_MOVE": to == 57,
        "CAPTURE_MOVE": bool(captured) and not sent_home,
        "FLEE_MOVE": threat and risk(positions, player, to) == 0 and (to in SAFE or flee == "open"),
        "HOME_BASE_PROGRESS": 52 <= to <= 56,
        "BLOCKADE_CLUSTER": to not in SAFE and clustered(positions, player, to),
        "FORM_BLOCKADE_MOVE": to in rest and to not in (0, 57),
        "GET_OUT_OF_HOME": at == 0,
        "STRATEGY": True,
    }
    order = RULES if rule_order == "list" else sorted(RULES, key=lambda entry: -entry[1])
    rule, base = next((name, value) for name, value in order if holds[name])
    bonus = {}
    if rule == "STRATEGY":
        if to > at:
            bonus["PROGRESS_SCORE"] = 1000
        if at + dice in STARS:
            bonus["STAR_JUMP"] = 5500
        if to in GLOBES:
            bonus["GLOBE_HOP"] = 500
        if at == min(n for n in own if n not in (0, 57)):
            bonus["BALANCED_FRONT"] = 350
        if breaks:
            bonus["SPLIT_BLOCKADE"] = 250
    multiplier = MULTIPLIERS.get((phase, rule), 1.0)
    danger = risk(positions, player, to)
    final = base * multiplier + sum(bonus.values()) - danger - 500 * breaks
    if threat and (rule == "STRATEGY" or (override == "literal" and rule != "FLEE_MOVE")):
        final = -danger
    return {
        "piece": piece,
        "land": to,
        "rule": rule,
        "base": base,
        "mult": multiplier,
        "bonus": bonus,
        "risk": danger,
        "break": 500 * breaks,
        "final": final,
        "captures": len(captured),
        "sent_home": sent_home,
    }


def equity(pieces):
    return sum(
        100 if n == 57 else 50 + n if n >= 52 else 10 + n if n in (1, 9, 22, 35, 48) else n for n in pieces
    )


def potential(positions, player, dice, piece):
    own = positions[player]
    if piece not in movable(own, dice):
        return 0
    to = land(own[piece], dice)
    _, captured, sent_home = play(positions, player, piece, dice)
    if to == 57:
        return 6
    if captured and not sent_home:
        return 5
    if to in SAFE - {0, 57}:
        return 4
    if own[piece] + dice in STARS and own[piece] != 0 and own[piece] < 52:
        return 3
    return 2 if risk(positions, player, to) > 0 else 1


def decision(positions, player, dice, **readings):
    """Every result field of a line of the decision vectors but the `why` lists."""
    own = positions[player]
    able = movable(own, dice)
    held = phases(positions, player)
    moves = [judge(positions, player, dice, piece, held[0], **readings) for piece in able]
    worth = [equity(positions[(player + k) % 4]) for k in EVERYONE]
    gap = worth[0] - max(worth[1:])
    context = 0 if gap < -20 else 2 if gap > 20 else 1
    potentials = [potential(positions, player, dice, piece) for piece in EVERYONE]
    threats = [int(risk(positions, player, n) > 0) for n in own]
    index = 0
    for value, radix in zip([*potentials, context, *threats], [7] * 4 + [3] + [2] * 4, strict=True):
        index = index * radix + value
    safe = sum(n in SAFE - {0, 57} for n in own)
    zone = [own.count(0), 4 - own.count(0) - own.count(57) - safe, safe, own.count(57)]
    kills = []
    for piece, n in enumerate(own):
        _, captured, sent_home = play(positions, player, piece, dice) if piece in able else (0, [], True)
        kills.append(int(1 <= n <= 56 and bool(captured) and not sent_home))
    top = max((move["final"] for move in moves), default=None)
    return {
        "movable": able,
        "phase": held[0],
        "phases": held,
        "moves": moves,
        "best": [move["piece"] for move in moves if move["final"] == top],
        "tuple9": [*potentials, context, *threats],
        "index9": index,
        "equity": worth,
        "zone12": [*zone, *kills, *threats],
        "combined17": [*zone, *potentials, *threats, context, *(potentials.count(p) for p in (5, 2, 4, 3))],
    }
