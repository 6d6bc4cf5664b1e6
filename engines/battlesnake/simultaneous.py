"""The tuned search: deepening over moves that are made at once.

With one rival left, a node where both heads can enter one cell is a matrix game: it is worth what best
mixed play makes of all pairs of words. Elsewhere the order of moving changes little, and the rival
chooses after you (which costs a fraction of the pairs). With more rivals, one of those near you
at a time deviates from a plain habit that all others follow. A draw has a worth of its own.

At the root all pairs are valued, and a word by what the others may plausibly do: `Findings.scores`. Or, in
half the turns, a duel's words by their worst reply alone, and only the best of them exactly (`by_word`).

Words and replies that are not the likely best of a node may be looked at less deep (`Tuning.late`): what is
expected of them is that they change nothing, and where one would it is looked at again in full.

The tree is walked by a machine with an explicit stack, so a search rests and goes on after any turn.
Tables remember what was best at nodes seen before, in this search alone, though their arrays serve the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines.battlesnake.board import WORDS, Position
from engines.battlesnake.chart import CELLS, CHART, KEPT, Chart, chart, findings, quick, quickest
from engines.battlesnake.keys import key_numbers, plain_key, quick_key
from engines.battlesnake.matrix import ROOM as TABLEAU
from engines.battlesnake.matrix import equilibrium, solve
from engines.battlesnake.rules import NATURAL, adopt, is_over, play, rewind, turn
from engines.battlesnake.trails import enter, kept
from engines.battlesnake.world import (
    CAUSE,
    HEAD,
    HEALTH,
    LENGTH,
    LEVELS,
    LIVING,
    SIGNATURE,
    SOLO,
    STRIDE,
    Cells,
    Floats,
    Ints,
    Shorts,
    World,
    levelled,
    pack,
    scratch,
)
from engines.battlesnake.worth import SURE, TERMS, Weights, factors, worth
from engines.core.jit import borrowed, fused, inline, kernel
from engines.core.rng import derive

MAX_DEPTH: Final = 48
_BEYOND: Final = 1e9
_STEP: Final = 1 / 64
"""What a turn more counts in a win that comes later, or a loss."""
_SLACK: Final = 3.0
"""By word: before the best of a depth is known, others are asked whether they beat that of the depth before
less this."""
_HAIR: Final = 1 / 1024
"""What a value counts less that is a bound: who is only known to be no better comes after who is."""
_RIVALS: Final = 4
"""So many of the nearest may deviate."""
_REPLIES: Final = 16
"""Room for replies: none or 4 words each, and the habit."""
_HABIT: Final = 0
"""The reply in which nobody deviates; else 4 * (1 + snake) + word."""

# Columns of a level's controls.
_KIND: Final = 0
_PHASE: Final = 1
_I: Final = 2
"""Place in your words, and in the replies."""
_J: Final = 3
_MINE: Final = 4
"""How many words of yours, and how many replies."""
_THEIRS: Final = 5
_WORD: Final = 6
"""The best so far, or the best at last: your word and the reply to it."""
_REPLY: Final = 7
_ROW: Final = 8
"""The best reply to the present word."""
_SCOUT: Final = 9
_KEY: Final = 10
_FLAG: Final = 11
_LEFT: Final = 12
"""Turns from the node to the leaves, along the first pair of each node."""
_LATE: Final = 13
"""Of the present pair: 0, _SHORTER while it is looked at less deep, _IN_FULL when that was a surprise."""
_COPIED: Final = 14
"""1 once the level below has held this node's world: what the turn since has changed is set back then."""
_WORDS: Final = 16
_ANSWERS: Final = 20
_KNOWN: Final = 36
_PLAN: Final = 52
"""From here on the word of each snake by habit."""

_ALPHA: Final = 0
_BETA: Final = 1
_BEST: Final = 2
_LEAST: Final = 3
_LOW: Final = 4
"""The window of the present child."""
_HIGH: Final = 5
_VALUE: Final = 6
_BOUNDS: Final = 7

_SERIAL: Final = 0
_MATRIX: Final = 1
_SHORTER: Final = 1
_IN_FULL: Final = 2
_AT_ONCE: Final = 3
"""A tuning that goes so far values late boards one turn before the leaves as they stand."""
_LATE_FROM: Final = 2
"""With so many turns or more left after it a late pair is looked at a turn less deep."""
_LATER_FROM: Final = 5
"""With so many two turns, and with so many as follow three, where the tuning goes that far."""
_LATEST_FROM: Final = 8
_UNKNOWN: Final = 0
_EXACT: Final = 1
_AT_LEAST: Final = 2
_AT_MOST: Final = 3

_TABLE = "int64[::1], int64[::1], int64[::1], float64[::1]"


@fused
def _apart(world: World, i: int, j: int) -> int:
    """Steps between two heads, over no edge."""
    stride = world.rules[STRIDE]
    one, two = world.snakes[i, HEAD], world.snakes[j, HEAD]
    return int(abs(one % stride - two % stride) + abs(one // stride - two // stride))


@inline
def _habit(world: World, i: int) -> int:
    """What a snake does that nobody watches: away from stronger heads, to food, to where it is open."""
    head = world.snakes[i, HEAD] & NATURAL
    best = 0
    most = -1_000
    for word in range(4):
        cell = world.exits[head, word] & NATURAL
        if world.taken[cell] != 0:
            continue
        score = 0
        for beyond in range(4):
            beside = world.exits[cell, beyond] & NATURAL
            if world.taken[beside] == 0:
                score += 2
            for j in range(world.snakes.shape[0]):
                if (
                    j != i
                    and world.snakes[j, CAUSE] <= 0
                    and world.snakes[j, HEAD] == beside
                    and world.snakes[j, LENGTH] >= world.snakes[i, LENGTH]
                ):
                    score -= 12
        if world.food[cell] != 0:
            score += 3 if world.snakes[i, HEALTH] > 40 else 9
        elif world.ground[cell] > 0:
            score -= 5
        if score > most:
            best, most = word, score
    return best


@fused
def _enter(
    world: World, me: int, duel: bool, radius: int, plain: bool, control: Ints, past: Ints, first: int
) -> None:
    """List the words and replies to try at a node, the likely best first; `first` is what was best before."""
    snakes, exits, taken = world.snakes, world.exits, world.taken
    head = snakes[me, HEAD] & NATURAL
    count = 0
    for word in range(4):
        if taken[exits[head, word]] == 0:
            at = count
            value = past[0, head, word]
            if first >= 0 and first & 3 == word:
                value = 1 << 60
            while at > 0:
                other = control[_WORDS + at - 1]
                if (first >= 0 and first & 3 == other) or past[0, head, other] >= value:
                    break
                control[_WORDS + at] = other
                at -= 1
            control[_WORDS + at] = word
            count += 1
    if count == 0:
        control[_WORDS] = 0
        count = 1
    control[_MINE] = count
    count = 0
    if not duel:
        for i in range(snakes.shape[0]):
            if i != me and snakes[i, CAUSE] <= 0:
                control[_PLAN + i] = _habit(world, i)
        control[_ANSWERS] = _HABIT
        count = 1
    rivals = 0
    for i in range(snakes.shape[0]):
        if i == me or snakes[i, CAUSE] > 0:
            continue
        if not duel:
            apart = _apart(world, me, i)
            if apart > radius:
                continue
            nearer = 0
            for j in range(snakes.shape[0]):
                if j != me and j != i and snakes[j, CAUSE] <= 0:
                    other = _apart(world, me, j)
                    nearer += other < apart or (other == apart and j < i)
            if nearer >= _RIVALS:
                continue
        rivals += 1
        place = snakes[i, HEAD] & NATURAL
        tried = 0
        for word in range(4):
            if taken[exits[place, word]] != 0:
                continue
            tried += 1
            if not duel and word == control[_PLAN + i]:
                continue
            if count < _REPLIES:
                control[_ANSWERS + count] = 4 * (1 + i) + word
                count += 1
        if duel and tried == 0:
            control[_ANSWERS] = 4 * (1 + i)
            count = 1
    if count == 0:
        control[_ANSWERS] = _HABIT
        count = 1
    control[_THEIRS] = count
    reply = first >> 2 if first >= 0 else -1
    for j in range(1, count):
        moved = control[_ANSWERS + j]
        value = _liked(world, past, moved, reply)
        at = j
        while at > 0 and _liked(world, past, control[_ANSWERS + at - 1], reply) < value:
            control[_ANSWERS + at] = control[_ANSWERS + at - 1]
            at -= 1
        control[_ANSWERS + at] = moved
    control[_KIND] = _SERIAL
    if duel and not plain and control[_MINE] > 1 and count > 1:
        for i in range(control[_MINE]):
            for j in range(count):
                answer = control[_ANSWERS + j]
                rival = snakes[(answer >> 2) - 1, HEAD] & NATURAL
                if exits[head, control[_WORDS + i]] == exits[rival, answer & 3]:
                    control[_KIND] = _MATRIX
    control[_PHASE] = 0
    control[_COPIED] = 0
    control[_LATE] = 0
    control[_I] = 0
    control[_J] = 0
    control[_ROW] = control[_ANSWERS]
    control[_WORD] = control[_WORDS]
    control[_REPLY] = control[_ANSWERS]
    if control[_KIND] == _MATRIX:
        for entry in range(16):
            control[_KNOWN + entry] = _UNKNOWN


@fused
def _liked(world: World, past: Ints, answer: int, reply: int) -> int:
    if answer == reply:
        return 1 << 60
    if answer == _HABIT:
        return 1 << 30
    return int(past[1, world.snakes[(answer >> 2) - 1, HEAD] & NATURAL, answer & 3])


@fused
def _choose(control: Ints, bounds: Floats, payoffs: Floats, table: Floats, names: Ints) -> bool:
    """Set the next pair to try and its window; or, where there is none, the node's value: then True."""
    if control[_KIND] == _SERIAL:
        if control[_I] >= control[_MINE] or bounds[_BEST] >= bounds[_BETA]:
            bounds[_VALUE] = bounds[_BEST]
            control[_FLAG] = _EXACT
            if bounds[_BEST] >= bounds[_BETA]:
                control[_FLAG] = _AT_LEAST
            elif bounds[_BEST] <= bounds[_ALPHA]:
                control[_FLAG] = _AT_MOST
            return True
        bounds[_LOW] = max(bounds[_ALPHA], bounds[_BEST])
        bounds[_HIGH] = min(bounds[_BETA], bounds[_LEAST])
        return False
    bounds[_LOW], bounds[_HIGH] = bounds[_ALPHA], bounds[_BETA]
    if control[_PHASE] == 0:
        # Is there a reply that holds every word below the window?
        if bounds[_ALPHA] <= -_BEYOND:
            control[_PHASE] = 1
            control[_SCOUT] = 0
        elif control[_I] < control[_MINE]:
            return False
        else:
            best = 0
            for i in range(1, control[_MINE]):
                if payoffs[i, 0] > payoffs[best, 0]:
                    best = i
            bounds[_VALUE] = payoffs[best, 0]
            control[_WORD] = control[_WORDS + best]
            control[_REPLY] = control[_ANSWERS]
            control[_FLAG] = _AT_MOST
            return True
    if control[_PHASE] == 1:
        # Is there a word that no reply holds below the upper end?
        if bounds[_BETA] >= _BEYOND:
            control[_PHASE] = 2
        else:
            i = control[_SCOUT]
            worst = 0
            for j in range(control[_THEIRS]):
                if control[_KNOWN + 4 * i + j] == _UNKNOWN:
                    control[_I] = i
                    control[_J] = j
                    return False
                if payoffs[i, j] < bounds[_BETA]:
                    control[_PHASE] = 2
                    break
                if payoffs[i, j] < payoffs[i, worst]:
                    worst = j
            if control[_PHASE] == 1:
                bounds[_VALUE] = payoffs[i, worst]
                control[_WORD] = control[_WORDS + i]
                control[_REPLY] = control[_ANSWERS + worst]
                control[_FLAG] = _AT_LEAST
                return True
    bounds[_LOW], bounds[_HIGH] = -_BEYOND, _BEYOND
    for i in range(control[_MINE]):
        for j in range(control[_THEIRS]):
            if control[_KNOWN + 4 * i + j] != _EXACT:
                control[_I] = i
                control[_J] = j
                return False
    control[_FLAG] = _EXACT
    most = -_BEYOND
    for i in range(control[_MINE]):
        least = _BEYOND
        for j in range(control[_THEIRS]):
            least = min(least, payoffs[i, j])
        if least > most:
            most = least
            control[_WORD] = control[_WORDS + i]
    least = _BEYOND
    for j in range(control[_THEIRS]):
        largest = -_BEYOND
        for i in range(control[_MINE]):
            largest = max(largest, payoffs[i, j])
        if largest < least:
            least = largest
            control[_REPLY] = control[_ANSWERS + j]
    bounds[_VALUE] = most
    if least > most:
        bounds[_VALUE] = solve(payoffs, control[_MINE], control[_THEIRS], table, names)
    return True


@fused
def _turns_less(control: Ints, left: int, late: int) -> int:
    """How many turns of those left the present pair is not looked at, for now."""
    if late == 0 or left < (1 if late == _AT_ONCE else _LATE_FROM):
        return 0
    if control[_KIND] == _MATRIX or control[_LATE] == _IN_FULL:
        return 0
    if control[_I] == 0 and control[_J] == 0:
        return 0
    return int(min(late, 3 if left >= _LATEST_FROM else 2 if left >= _LATER_FROM else 1))


@fused
def _receive(control: Ints, bounds: Floats, payoffs: Floats, value: float) -> None:
    """The present pair has been valued; or it is to be valued in full, having surprised."""
    i, j = control[_I], control[_J]
    # A later word's first reply should hold it at LOW or below; a later reply, of any word, leave it at
    # HIGH or above.
    if control[_LATE] == _SHORTER and (value > bounds[_LOW] if j == 0 else value < bounds[_HIGH]):
        control[_LATE] = _IN_FULL
        return
    control[_LATE] = 0
    if control[_KIND] == _MATRIX:
        payoffs[i, j] = value
        known = _EXACT
        if value <= bounds[_LOW]:
            known = _AT_MOST
        elif value >= bounds[_HIGH]:
            known = _AT_LEAST
        control[_KNOWN + 4 * i + j] = known
        if control[_PHASE] == 0:
            if value > bounds[_ALPHA]:
                control[_SCOUT] = i
                control[_PHASE] = 1
            else:
                control[_I] += 1
        return
    if value < bounds[_LEAST]:
        bounds[_LEAST] = value
        control[_ROW] = control[_ANSWERS + j]
    control[_J] += 1
    if control[_J] < control[_THEIRS] and bounds[_LEAST] > max(bounds[_ALPHA], bounds[_BEST]):
        return
    if bounds[_LEAST] > bounds[_BEST]:
        bounds[_BEST] = bounds[_LEAST]
        control[_WORD] = control[_WORDS + i]
        control[_REPLY] = control[_ROW]
    bounds[_LEAST] = _BEYOND
    # What answered this word is tried first against the next.
    for at in range(1, control[_THEIRS]):
        if control[_ANSWERS + at] == control[_ROW]:
            for before in range(at, 0, -1):
                control[_ANSWERS + before] = control[_ANSWERS + before - 1]
            control[_ANSWERS] = control[_ROW]
            break
    control[_I] += 1
    control[_J] = 0


@fused
def _speak(control: Ints, words: Ints, me: int, word: int, reply: int) -> None:
    for i in range(words.shape[0]):
        words[i] = control[_PLAN + i]
    if reply >= 4:
        words[(reply >> 2) - 1] = reply & 3
    words[me] = word


@kernel(
    f"UniTuple(int64, 2)({LEVELS}, {CHART}, {_TABLE},"
    " int64, int64, int64, float64, int64, int64, int64, float64[::1], int64[:,::1], float64[:,::1],"
    " float64[:,:,::1], float64[:,::1], int64[:,::1], int64[:,:,::1], int64[::1], int64[:,::1], float64[::1])"
)
def walk(
    snakes: NDArray[np.int64],
    rings: NDArray[np.uint16],
    taken: NDArray[np.int16],
    food: NDArray[np.int16],
    tally: NDArray[np.int64],
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    places: Ints,
    plan: Ints,
    meals: Ints,
    blocked: Ints,
    notes: Ints,
    marks: Ints,
    trails: Ints,
    numbers: Ints,
    keys: Ints,
    entries: Ints,
    values: Floats,
    me: int,
    level: int,
    quota: int,
    draw: float,
    radius: int,
    mixed: int,
    late: int,
    factors: Floats,
    controls: Ints,
    bounds: Floats,
    payoffs: Floats,
    table: Floats,
    names: Ints,
    past: Ints,
    words: Ints,
    found: Ints,
    terms: Floats,
) -> tuple[int, int]:
    """Walk the tree from `level` on for up to `quota` turns; the level reached (-1: done) and the turns.

    The first five arrays hold a world for each level. When done, `bounds[0, _VALUE]` is the value.
    """
    map_ = borrowed(Chart(places, plan, meals, blocked, notes, marks, trails))
    # Counting references to these for every helper would cost as much as the rest of a turn.
    numbers, past, words, found, names = borrowed((numbers, past, words, found, names))
    controls, bounds, payoffs, table = borrowed((controls, bounds, payoffs, table))
    factors, terms = borrowed((factors, terms))
    slots = keys.shape[0] - 1
    mark = numbers[numbers.shape[0] - 1]
    trailing = map_.plan[KEPT] != 0
    played = 0
    while level >= 0:
        control, bound = controls[level], bounds[level]
        if _choose(control, bound, payoffs[level], table, names):
            value = bound[_VALUE]
            if level > 0:
                slot = control[_KEY] & slots
                best = control[_REPLY] * 4 + control[_WORD]
                keys[slot] = control[_KEY] ^ mark
                entries[slot] = (best << 16) | (control[_LEFT] << 2) | control[_FLAG]
                values[slot] = value
                gain = control[_LEFT] * control[_LEFT]
                if control[_FLAG] != _AT_MOST:
                    past[0, snakes[level, me, HEAD] & NATURAL, control[_WORD]] += gain
                if control[_FLAG] != _AT_LEAST and control[_REPLY] >= 4:
                    rival = (control[_REPLY] >> 2) - 1
                    past[1, snakes[level, rival, HEAD] & NATURAL, control[_REPLY] & 3] += gain
            level -= 1
            if level >= 0:
                _receive(controls[level], bounds[level], payoffs[level], value)
            continue
        if played >= quota:
            break
        below = level + 1
        world = borrowed(
            World(snakes[level], rings[level], taken[level], food[level], tally[level], ground, exits, rules)
        )
        after = borrowed(
            World(snakes[below], rings[below], taken[below], food[below], tally[below], ground, exits, rules)
        )
        _speak(control, words, me, control[_WORDS + control[_I]], control[_ANSWERS + control[_J]])
        if control[_COPIED] == 0:
            control[_COPIED] = 1
            adopt(after, world)
        else:
            rewind(after, world)
        turn(after, words)
        if trailing:
            for i in range(after.snakes.shape[0]):
                if after.snakes[i, CAUSE] <= 0:
                    enter(after, map_, i, numbers)
        played += 1
        if after.snakes[me, CAUSE] > 0:
            value = below * _STEP - SURE - 1.0
            if after.tally[LIVING] == 0 and rules[SOLO] == 0:
                value = draw
        elif is_over(after):
            value = SURE + 1.0 - below * _STEP
        else:
            left = control[_LEFT] - 1
            less = _turns_less(control, left, late)
            if less > 0:
                control[_LATE] = _SHORTER
                left -= less
            if left == 0:
                value = worth(after, map_, me, factors, found, terms)
                _receive(control, bound, payoffs[level], value)
                continue
            key = quick_key(after, map_, numbers) if trailing else plain_key(after, map_.meals, numbers)
            first = -1
            if keys[key & slots] == key ^ mark:
                entry = entries[key & slots]
                first = entry >> 16
                if (entry >> 2) & 0x3FFF == left:
                    value = values[key & slots]
                    flag = entry & 3
                    if (
                        flag == _EXACT
                        or (flag == _AT_LEAST and value >= bound[_HIGH])
                        or (flag == _AT_MOST and value <= bound[_LOW])
                    ):
                        _receive(control, bound, payoffs[level], value)
                        continue
            control = controls[below]
            control[_KEY] = key
            control[_LEFT] = left
            duel = after.tally[LIVING] == 2
            _enter(after, me, duel, radius, below > mixed, control, past, first)
            bounds[below, _ALPHA] = bound[_LOW]
            bounds[below, _BETA] = bound[_HIGH]
            bounds[below, _BEST] = -_BEYOND
            bounds[below, _LEAST] = _BEYOND
            level = below
            continue
        _receive(control, bound, payoffs[level], value)
    return level, played


@kernel(
    f"void({SIGNATURE}, int64, int64, int64[::1], int64[:,:,::1])",
)
def list_words(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    me: int,
    radius: int,
    control: Ints,
    past: Ints,
) -> None:
    """Fill a row of controls with the words and replies of a node."""
    world = borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules))
    _enter(world, me, world.tally[LIVING] == 2, radius, True, control, past, -1)


@kernel(f"int64({SIGNATURE}, int64[::1], {_TABLE}, int64, int64, int64[::1], int64[:,:,::1], int64[::1])")
def follow(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    meals: Ints,
    numbers: Ints,
    keys: Ints,
    entries: Ints,
    values: Floats,
    me: int,
    radius: int,
    control: Ints,
    past: Ints,
    words: Ints,
) -> int:
    """Play what the table says is best, for all; your word, or -1 where it says nothing."""
    world = borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules))
    key = plain_key(world, meals, numbers)
    slot = key & (keys.shape[0] - 1)
    if keys[slot] != key ^ numbers[numbers.shape[0] - 1]:
        return -1
    best = entries[slot] >> 16
    _enter(world, me, world.tally[LIVING] == 2, radius, True, control, past, best)
    _speak(control, words, me, best & 3, best >> 2)
    turn(world, words)
    return int(best & 3)


@kernel(f"float64({SIGNATURE}, {CHART}, int64, float64[::1], int64[:,::1], float64[::1])")
def weigh(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    places: Ints,
    plan: Ints,
    meals: Ints,
    blocked: Ints,
    notes: Ints,
    marks: Ints,
    trails: Ints,
    me: int,
    factors: Floats,
    found: Ints,
    terms: Floats,
) -> float:
    """`worth`, to be called from Python."""
    world = borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules))
    return worth(
        world, borrowed(Chart(places, plan, meals, blocked, notes, marks, trails)), me, factors, found, terms
    )


@dataclass(frozen=True, slots=True)
class Tuning:
    """How the tuned search takes draws, doubt and distance, and how it spends its turns."""

    draw: float = -60.0
    """What it is worth when all that are left die at once: worse than most boards, better than a loss (-100).
    At 0 two equals walk into each other on the first food that they share."""
    caution: float = 0.7
    """How much of a word's value is its worst case; the rest is its mean over plausible replies."""
    doubt: float = 0.3
    """How much of that plausibility goes to all replies alike; the rest to the rival's best mixed play."""
    radius: int = 14
    """With more than one rival: steps within which one may deviate from its habit. Who may not is taken
    to blunder: of all that was varied, this counts most with four at a board."""
    mixed: int = 1
    """Turns from the root on in which nodes where heads can meet are matrix games; later the rival sees your
    word. Without pruning between pairs they cost too much depth to be had everywhere."""
    late: int = 0
    """Turns less, at most and at each node, that later words and replies are looked ahead (0 to 3), unless
    they surprise: late move reductions. At 3 also one turn before the leaves."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What each of your words is worth against each reply, `depth` turns deep (nothing at 0; less deep along
    late words and replies, if the tuning says so).

    In a duel the replies are the rival's words, or by word `worst` alone. With more rivals they are `habit`,
    in which nobody deviates, and `worst`, the worst of all replies. Alone there is one, `habit`.
    """

    depth: int = 0
    words: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    payoffs: tuple[tuple[float, ...], ...] = ()
    at_most: frozenset[str] = frozenset()
    """By word: those only shown to be no better than the best; their values are bounds from above."""

    @property
    def by_word(self) -> bool:
        """Is a word valued by its worst reply alone?"""
        return self.replies == ("worst",)

    def lost(self, word: str) -> bool:
        """Is it proven that a word loses, by word against the right reply, else against every one?"""
        return max(self.payoffs[self.words.index(word)]) <= -SURE

    @property
    def defeat(self) -> str:
        """What is told of a word that is lost."""
        return "loses to the right reply" if self.by_word else "loses against every reply"

    def plausible(self, doubt: float) -> tuple[float, ...]:
        """How likely each reply is taken to be."""
        if self.replies == ("habit", "worst"):
            return (1.0, 0.0)
        even = 1 / len(self.replies)
        by_column = equilibrium([list(row) for row in self.payoffs])[2]
        return tuple((1 - doubt) * chance + doubt * even for chance in by_column)

    def scores(self, tuning: Tuning) -> dict[str, float]:
        """What each word is worth, between its worst case and its mean."""
        if not self.words:
            return {}
        chances = self.plausible(tuning.doubt)
        return {
            word: tuning.caution * min(row)
            + (1 - tuning.caution) * sum(c * value for c, value in zip(chances, row, strict=True))
            - (_HAIR if word in self.at_most else 0.0)
            for word, row in zip(self.words, self.payoffs, strict=True)
        }


@dataclass(frozen=True, slots=True)
class Line:
    """Your words of a principal variation, and the terms of the leaf at its end (none if it ends a game)."""

    words: tuple[str, ...]
    terms: dict[str, float]
    territory: dict[str, int]
    """At that leaf, the cells that each living snake is the first to reach."""


Pair = tuple[int, str, int]
"""A depth, a word of yours, and the number of a reply."""


class Valued(NamedTuple):
    """What a walker has found of a pair."""

    pair: Pair
    value: float
    at_most: bool
    """Is it a bound from above?"""
    reply: int
    """The worst of the pair's replies."""
    walker: int


class Places:
    """The arrays of a table of nodes. They serve one search after the other, each with a mark of its own on
    its keys, so that what earlier ones have left is as good as nothing: new arrays cost a millisecond.
    """

    def __init__(self, slots: int) -> None:
        self.keys = np.zeros(1 << slots, np.int64)
        self.entries = np.zeros(1 << slots, np.int64)
        self.values = np.zeros(1 << slots, np.float64)
        self.searches = 0


_SPARE: Final[deque[Places]] = deque(maxlen=16)
"""Of searches that are over."""


def _places(slots: int) -> Places:
    try:
        found = _SPARE.pop()
    except IndexError:
        return Places(slots)
    return found if len(found.keys) == 1 << slots else Places(slots)


class Walker:
    """A place in the tree, the room to work there, and a table of its own of what was best at nodes seen."""

    def __init__(self, number: int, world: World, map_: Chart, levels: int, slots: int) -> None:
        cells, snakes = len(world.taken), len(world.snakes)
        self.number = number
        self.stack = levelled(world, levels)
        self.chart = map_._replace(
            blocked=np.zeros_like(map_.blocked),
            notes=np.zeros_like(map_.notes),
            marks=np.zeros_like(map_.marks),
            trails=np.zeros_like(map_.trails),
        )
        self.places = _places(slots)
        self.places.searches += 1
        self.table = (
            np.append(key_numbers(cells, snakes), derive(0xA6E, self.places.searches) >> 2),
            self.places.keys,
            self.places.entries,
            self.places.values,
        )
        self.kept = kept(self.chart, world, levels, self.table[0])
        """The chart to walk with; what is left of its trails is good for no other world."""
        self.controls = np.zeros((levels, _PLAN + snakes), np.int64)
        self.bounds = np.zeros((levels, _BOUNDS), np.float64)
        self.room = (
            np.zeros((levels, 4, 4), np.float64),
            np.zeros(TABLEAU, np.float64),
            np.zeros((2, TABLEAU[0]), np.int64),
        )
        self.past = np.zeros((2, cells, 4), np.int64)
        self.spoken = np.zeros(snakes, np.int64)
        self.found = findings(world)
        self.terms = np.zeros(len(TERMS), np.float64)
        self.level = -1
        self.depth = 0
        """Of the pairs in hand."""
        self.todo: list[Pair] = []
        self.pair: Pair | None = None
        """What is being valued; none between two pairs."""
        self.valued: list[Valued] = []
        """What has been found and is not counted yet."""
        self.orders: dict[str, list[int]] = {}
        """By word: the replies as they were last found to be worst."""
        self.listed = False
        """Has it gone on to another depth since it was last counted?"""

    def __del__(self) -> None:
        _SPARE.append(self.places)

    def begin(self, row: Ints, word: str, depth: int, answers: Sequence[int], floor: float) -> None:
        """Set out from the root, a node of one word, which is not looked into further once it is known to be
        worth no more than `floor`."""
        control, bounds = self.controls[0], self.bounds[0]
        control[:] = row
        control[_KIND], control[_LEFT] = _SERIAL, depth
        control[_I] = control[_J] = control[_COPIED] = 0
        control[_MINE], control[_THEIRS] = 1, len(answers)
        control[_WORDS] = WORDS.index(word)
        control[_ANSWERS : _ANSWERS + len(answers)] = answers
        bounds[_ALPHA], bounds[_BETA] = floor, _BEYOND
        bounds[_BEST], bounds[_LEAST] = -_BEYOND, _BEYOND
        self.level = 0

    def valuation(self) -> Valued:
        """What has come of the pair in hand."""
        assert self.pair is not None
        control = self.controls[0]
        self.orders[self.pair[1]] = control[_ANSWERS : _ANSWERS + control[_THEIRS]].tolist()
        value, at_most = float(self.bounds[0, _VALUE]), int(control[_FLAG]) == _AT_MOST
        return Valued(self.pair, value, at_most, int(control[_REPLY]), self.number)


class Search:
    """Iterative deepening over your `words`, within memory for `max_depth` levels and, for each walker,
    `2**slots` nodes.

    `found` holds the deepest complete depth, with what has been proven since. The position must have
    you on the board and not be over.

    The pairs of words and replies are dealt out to the walkers, who share nothing that changes: they may
    `step` at the same time. Whoever has valued all of its pairs goes on to those of the next depth. What they
    find counts from `settle` on, which is for when all stand still, and then who is ahead takes over what
    another has not begun. So what is found depends on how often each has stepped, not on who was quicker.

    `by_word` a duel's word is one pair with all replies. The best word of the depth before is valued first,
    the others are asked whether they are better. If all are seen to lose to the right reply the search begins
    anew by pairs: which of the rival's replies they lose to is then all that is left to know.
    """

    def __init__(
        self,
        position: Position,
        words: Sequence[str],
        weights: Weights,
        tuning: Tuning = Tuning(),
        max_depth: int = MAX_DEPTH,
        slots: int = 17,
        walkers: int = 1,
        by_word: bool = False,
    ) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to search")
        self._world = world = pack(position)
        self._me = position.snakes.index(me)
        self._names = tuple(snake.id for snake in position.snakes)
        self._tuning = tuning
        self._max_depth = max_depth if len(words) > 1 else min(max_depth, 4)
        self._factors = factors(weights, position)
        map_ = chart(world)
        self._walkers = tuple(Walker(which, world, map_, max_depth + 1, slots) for which in range(walkers))
        self._row = np.zeros(_PLAN + len(position.snakes), np.int64)
        list_words(*world, self._me, tuning.radius, self._row, self._walkers[0].past)
        answers = self._row[_ANSWERS : _ANSWERS + int(self._row[_THEIRS])].tolist()
        self._duel = len(position.snakes) == 2
        self._by_word = by_word and self._duel
        columns: list[tuple[str, list[int]]]
        if self._by_word:
            columns = [("worst", answers)]
        elif self._duel:
            columns = _by_pairs(answers)
        else:
            columns = [("habit", [_HABIT])]
            if len(answers) > 1:
                columns.append(("worst", answers))
        self._columns = columns
        self._words = tuple(words)
        self.quick = quick(map_, starving=not _well_fed(position))
        """Are leaves counted by words of bits, now and on all the boards to come?"""
        work = 16_384 if not self.quick else 262_144 if quickest(map_) else 65_536
        self.slice = max(32, work // len(world.taken))
        """Turns after which a clock should be looked at again, about half a millisecond."""
        self._lost: set[int] = set()
        self._last: dict[tuple[str, int], Valued] = {}
        self._values: dict[Pair, Valued] = {}
        self._complete = Findings()
        self._given_up = Findings()
        """By word, before the search began anew."""
        self._refuted: dict[tuple[str, int], Valued] = {}
        """What each word lost to then."""

    @property
    def walkers(self) -> int:
        """How many there are."""
        return len(self._walkers)

    @property
    def finished(self) -> bool:
        """Is the greatest depth complete, or the outcome proven?"""
        complete = self._complete
        if complete.depth >= self._max_depth or not self._words:
            return True
        worst = [min(row) for row in complete.payoffs]
        return bool(worst) and (max(worst) >= SURE or max(max(row) for row in complete.payoffs) <= -SURE)

    @property
    def found(self) -> Findings:
        """What is known of the words by now."""
        complete = self._complete if self._complete.depth else self._given_up
        if not self._complete.depth or not self._values:
            return complete
        proven = {
            valued.pair[1:]: valued.value
            for valued in self._values.values()
            if valued.pair[0] == complete.depth + 1
            and (valued.value <= -SURE or (valued.value >= SURE and not valued.at_most))
        }
        won = {word for (word, _), value in proven.items() if value >= SURE}
        payoffs = tuple(
            tuple(proven.get((word, column), old) for column, old in enumerate(row))
            for word, row in zip(complete.words, complete.payoffs, strict=True)
        )
        return replace(complete, payoffs=payoffs, at_most=complete.at_most - won)

    def advance(self, turns: int) -> int:
        """Search on for up to so many turns; how many it took (fewer only when finished). For one walker."""
        own = self._walkers[0]
        played = 0
        while played < turns and not self.finished and self._ready(own):
            played += self._walk(own, turns - played)
            if own.pair is None:
                self.settle()
        return played

    def step(self, which: int, turns: int) -> int:
        """One walker goes on for up to so many turns; how many it took."""
        own = self._walkers[which]
        played = 0
        while played < turns and self._ready(own):
            played += self._walk(own, turns - played)
        return played

    def settle(self) -> None:
        """Count what has been valued; where the last pair of a depth was, that depth is complete."""
        if not any(walker.valued or walker.listed for walker in self._walkers):
            return  # nobody has come to the end of anything: most rounds
        for walker in self._walkers:
            for valued in walker.valued:
                self._values[valued.pair] = valued
                self._last[valued.pair[1:]] = valued
            walker.valued.clear()
            walker.listed = False
        self._count()
        self._share_out()

    def _count(self) -> None:
        replies = tuple(name for name, _ in self._columns)
        while True:
            depth = self._complete.depth + 1
            pairs = [[(depth, word, column) for column in range(len(replies))] for word in self._words]
            if not pairs or any(pair not in self._values for row in pairs for pair in row):
                return
            if self._by_word and self._ask_again([pair for (pair,) in pairs]):
                return
            at_most = frozenset(row[0][1] for row in pairs if any(self._values[pair].at_most for pair in row))
            payoffs = tuple(tuple(self._values.pop(pair).value for pair in row) for row in pairs)
            self._complete = Findings(depth, self._words, replies, payoffs, at_most)
            if self._by_word and all(self._complete.lost(word) for word in self._words):
                self._begin_anew()
                return

    def _ask_again(self, pairs: list[Pair]) -> bool:
        """Words are better than the best, for all that is known: they are still to be valued against it."""
        exact = [self._values[pair].value for pair in pairs if not self._values[pair].at_most]
        if exact:
            best = max(exact)
            again = [pair for pair in pairs if self._values[pair].at_most and self._values[pair].value > best]
        else:
            # The best of the depth before has changed since they were asked.
            again = [pair for pair in pairs if self._floor(pair) == -_BEYOND]
        for pair in again:
            del self._values[pair]
            self._walkers[self._dealt(*pair[1:])].todo.insert(0, pair)
        return bool(again)

    def _begin_anew(self) -> None:
        """From now on by pairs."""
        self._given_up = self._complete
        self._by_word, self._complete = False, Findings()
        self._columns = _by_pairs(self._columns[0][1])
        self._refuted, self._last = self._last, {}
        self._values.clear()
        for walker in self._walkers:
            walker.depth, walker.level, walker.pair = 0, -1, None
            walker.todo.clear()

    def _share_out(self) -> None:
        """Who is beyond the depth that is to be completed takes over a pair of it that nobody has begun."""
        depth = self._complete.depth + 1
        for own in self._walkers:
            in_hand = own.todo if own.pair is None else [own.pair, *own.todo]
            if any(pair[0] == depth for pair in in_hand):
                continue
            for other in self._walkers:
                left = [pair for pair in other.todo if pair[0] == depth]
                if left and other is not own:
                    other.todo.remove(left[-1])
                    if own.pair is not None:
                        own.todo.insert(0, own.pair)
                        own.pair = None
                    own.todo.insert(0, left[-1])
                    break

    def lose(self, which: int) -> None:
        """A walker is on its way and will not be waited for: nothing of it is looked at any more."""
        self._lost.add(which)

    def line(self, word: str) -> Line:
        """The line that the search expects after a word, answered by what is worst for it."""
        found = self.found
        if word not in found.words:
            return Line((word,), {}, {})
        row = found.payoffs[found.words.index(word)]
        # With more rivals the habit is the reply that is known by name.
        column = row.index(min(row)) if self._duel else 0
        last = (self._refuted if found.by_word and not self._by_word else self._last).get((word, column))
        answer = self._columns[column][1][0] if last is None or not self._duel else last.reply
        own = self._walkers[0 if last is None else last.walker]
        if own.number in self._lost:
            return Line((word,), {}, {})
        world = scratch(self._world)
        control = self._row.copy()
        own.spoken[:] = control[_PLAN:]
        if answer != _HABIT:
            own.spoken[(answer >> 2) - 1] = answer & 3
        own.spoken[self._me] = WORDS.index(word)
        play(*world, own.spoken)
        spoken = [word]
        over = 1 - int(world.rules[SOLO])
        while len(spoken) < found.depth and world.tally[LIVING] > over and not world.snakes[self._me, CAUSE]:
            said = follow(
                *world,
                own.chart.meals,
                *own.table,
                self._me,
                self._tuning.radius,
                control,
                own.past,
                own.spoken,
            )
            if said < 0:
                break
            spoken.append(WORDS[said])
        if world.snakes[self._me, CAUSE] > 0 or world.tally[LIVING] <= over:
            return Line(tuple(spoken), {}, {})
        weigh(*world, *own.chart, self._me, self._factors, own.found, own.terms)
        territory = {
            name: int(own.found[index, CELLS])
            for index, name in enumerate(self._names)
            if world.snakes[index, CAUSE] <= 0
        }
        return Line(tuple(spoken), dict(zip(TERMS, own.terms.tolist(), strict=True)), territory)

    def _dealt(self, word: str, column: int) -> int:
        """Whose pair it is: the same walker's at every depth, whose table knows what was best there."""
        return (self._words.index(word) + column) % len(self._walkers)

    def _ready(self, own: Walker) -> bool:
        """Has a walker a pair in hand? It takes the next: of its depth, the most promising words first, or of
        the one after."""
        if own.pair is not None:
            return True
        while not own.todo:
            if own.depth >= self._max_depth:
                return False
            own.depth += 1
            own.listed = True
            scores = self._complete.scores(self._tuning)
            own.todo = [
                (own.depth, word, column)
                for word in sorted(self._words, key=lambda word: -scores.get(word, 0.0))
                for column in range(len(self._columns))
                if self._dealt(word, column) == own.number
            ]
        own.pair = own.todo.pop(0)
        answers = self._columns[own.pair[2]][1]
        if self._by_word:
            answers = own.orders.get(own.pair[1], answers)
        own.begin(self._row, own.pair[1], own.pair[0], answers, self._floor(own.pair))
        return True

    def _floor(self, pair: Pair) -> float:
        """What a word must be worth more than to be of interest, by all that has been counted."""
        if not self._by_word:
            return -_BEYOND
        counted = (valued for valued in self._values.values() if valued.pair[0] == pair[0])
        known = [valued.value for valued in counted if not valued.at_most]
        if known:
            return max(known)
        before = self._complete.scores(self._tuning)
        best = max(before, key=lambda word: before[word], default=pair[1])
        return -_BEYOND if pair[1] == best else before[best] - _SLACK

    def _walk(self, own: Walker, turns: int) -> int:
        """Value the pair in hand, for up to so many turns; how many it took."""
        if own.pair is None:
            return 0
        own.level, played = walk(
            *own.stack,
            *own.kept,
            *own.table,
            self._me,
            own.level,
            turns,
            self._tuning.draw,
            self._tuning.radius,
            self._tuning.mixed,
            self._tuning.late,
            self._factors,
            own.controls,
            own.bounds,
            *own.room,
            own.past,
            own.spoken,
            own.found,
            own.terms,
        )
        if own.level < 0:
            own.valued.append(own.valuation())
            own.pair = None
        return int(played)


def _by_pairs(answers: list[int]) -> list[tuple[str, list[int]]]:
    """A column for each of the only rival's words."""
    return [(WORDS[answer & 3], [answer]) for answer in answers]


def _well_fed(position: Position) -> bool:
    """Is nobody near starving? Else leaves fall back to the slow form of counting."""
    return min(snake.health for snake in position.snakes) > _WELL_FED


_WELL_FED: Final = 60
"""Steps that a flood and a line before it take, on all but the largest boards."""
