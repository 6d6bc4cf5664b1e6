"""One turn, exactly: every ruleset, any number of snakes, stacked hazards; in place, on a `World`.

The stages and their order are the official ones (docs/games/battlesnake.md). No stage walks a
body, but for a snake that is being removed or judged.
"""

from __future__ import annotations

from engines.battlesnake.world import (
    BODY,
    BY,
    CAUSE,
    CHANGING,
    CONSTRICTOR,
    DAMAGE,
    FOOD,
    HAZARD,
    HEAD,
    HEAD_ON,
    HEALTH,
    LENGTH,
    LIVING,
    MARGIN,
    OUT_OF_HEALTH,
    SELF,
    SIGNATURE,
    SOLO,
    STRANDED,
    STRIDE,
    TOP,
    VERDICT,
    WALL,
    Bytes,
    Ints,
    Shorts,
)
from engines.core.jit import inline, kernel

CONTINUE = -1
"""The word of a snake whose move is no word: straight on."""


@inline
def is_over(tally: Ints, rules: Ints) -> bool:
    """Has the game ended?"""
    return tally[LIVING] <= 1 - rules[SOLO]


@inline
def turn(
    snakes: Ints,
    rings: Shorts,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    hazards: Shorts,
    exits: Shorts,
    outside: Bytes,
    rules: Ints,
    words: Ints,
) -> bool:
    """Play `words` (index into WORDS or CONTINUE for each row of `snakes`; the dead's are not read).

    False, and nothing happens, where the game was over before.
    """
    if is_over(tally, rules):
        return False
    count = snakes.shape[0]
    mask = rings.shape[1] - 1
    eaten = False
    for i in range(count):
        if snakes[i, CAUSE] != 0:
            continue
        word = words[i]
        if word < 0:
            word = _onward(snakes, rings, rules, i)
        head = exits[snakes[i, HEAD], word]
        top = (snakes[i, TOP] + 1) & mask
        length = snakes[i, LENGTH]
        rings[i, top] = head
        snakes[i, HEAD] = head
        snakes[i, TOP] = top
        health = snakes[i, HEALTH] - 1
        cause = 0
        servings = food[head]
        if servings != 0:
            # Food is cleared away when all have moved; until then its sign tells that it goes.
            eaten = True
            servings = abs(servings)
            food[head] = -servings
            last = rings[i, (top - length + 1) & mask]
            for k in range(servings):
                rings[i, (top - length - k) & mask] = last
            taken[last] += servings
            length += servings
            snakes[i, LENGTH] = length
            health = 100
        elif hazards[head] != 0:
            health, burnt = _burn(health, hazards[head], rules[DAMAGE])
            if burnt:
                cause = HAZARD
        snakes[i, HEALTH] = health
        if cause == 0:
            if health <= 0:
                cause = OUT_OF_HEALTH
            elif outside[head] != 0 or snakes[i, STRANDED] != 0:
                cause = WALL
        if cause == 0:
            taken[head] += 1
        else:
            snakes[i, CAUSE] = cause
            tally[LIVING] -= 1
            for k in range(1, length):
                taken[rings[i, (top - k) & mask]] -= 1
    if eaten:
        for i in range(count):
            head = snakes[i, HEAD]
            if food[head] < 0:
                tally[FOOD] += food[head]
                food[head] = 0
    # `taken` now counts every segment of every snake still in: a head that is alone counts one.
    judged = False
    for i in range(count):
        if snakes[i, CAUSE] == 0 and taken[snakes[i, HEAD]] != 1:
            judged |= _judge(snakes, rings, i)
    for i in range(count):
        if snakes[i, CAUSE] != 0:
            continue
        top = snakes[i, TOP]
        if judged and snakes[i, VERDICT] != 0:
            snakes[i, CAUSE] = snakes[i, VERDICT]
            tally[LIVING] -= 1
            for k in range(snakes[i, LENGTH]):
                taken[rings[i, (top - k) & mask]] -= 1
        else:
            taken[rings[i, (top - snakes[i, LENGTH] + 1) & mask]] -= 1
    if rules[CONSTRICTOR] != 0:
        _constrict(snakes, rings, taken, food, tally)
    return True


@inline
def _onward(snakes: Ints, rings: Shorts, rules: Ints, i: int) -> int:
    """The word that carries on from neck to head; over an edge the axis that stands at zero decides."""
    if snakes[i, LENGTH] < 2:
        return 0
    stride, margin = rules[STRIDE], rules[MARGIN]
    head = snakes[i, HEAD]
    neck = int(rings[i, (snakes[i, TOP] - 1) & (rings.shape[1] - 1)])
    head_x, head_y = head % stride - margin, head // stride - margin
    neck_x, neck_y = neck % stride - margin, neck // stride - margin
    if head_x == neck_x + 1:
        return 3
    if head_x == neck_x - 1:
        return 2
    if head_y == neck_y + 1:
        return 0
    if head_y == neck_y - 1:
        return 1
    if head_x == 0 and neck_x > 0:
        return 3
    if neck_x == 0 and head_x > 0:
        return 2
    if head_y == 0 and neck_y > 0:
        return 0
    if neck_y == 0 and head_y > 0:
        return 1
    return 0


@inline
def _burn(health: int, layers: int, damage: int) -> tuple[int, bool]:
    """Health after every layer, and whether one of them killed.

    The first layer brings health into 0..100; from there on the layers only add up.
    """
    health = max(0, min(100, health - damage))
    dead = health == 0
    health = max(0, min(100, health - (int(layers) - 1) * damage))
    return health, dead or health == 0


@inline
def _judge(snakes: Ints, rings: Shorts, i: int) -> bool:
    """Set VERDICT and BY of a snake whose head meets something; False where it comes through."""
    snakes[i, VERDICT] = 0
    if _bites(snakes, rings, i, i):
        snakes[i, VERDICT] = SELF
        snakes[i, BY] = i
        return True
    by = -1
    for j in range(snakes.shape[0]):
        if j == i or snakes[j, CAUSE] != 0 or (by >= 0 and snakes[j, LENGTH] <= snakes[by, LENGTH]):
            continue
        if _bites(snakes, rings, i, j):
            by = j
    if by >= 0:
        snakes[i, VERDICT] = BODY
        snakes[i, BY] = by
        return True
    for j in range(snakes.shape[0]):
        if j == i or snakes[j, CAUSE] != 0 or snakes[j, HEAD] != snakes[i, HEAD]:
            continue
        if snakes[j, LENGTH] >= snakes[i, LENGTH] and (by < 0 or snakes[j, LENGTH] > snakes[by, LENGTH]):
            by = j
    if by >= 0:
        snakes[i, VERDICT] = HEAD_ON
        snakes[i, BY] = by
        return True
    return False


@inline
def _bites(snakes: Ints, rings: Shorts, i: int, j: int) -> bool:
    """Is the head of `i` on the body of `j`, its head left out?"""
    mask = rings.shape[1] - 1
    head, top = snakes[i, HEAD], snakes[j, TOP]
    for k in range(1, snakes[j, LENGTH]):
        if rings[j, (top - k) & mask] == head:
            return True
    return False


@inline
def _constrict(snakes: Ints, rings: Shorts, taken: Shorts, food: Shorts, tally: Ints) -> None:
    """No food, full health, and a doubled last segment for every snake, the dead included."""
    mask = rings.shape[1] - 1
    if tally[FOOD] != 0:
        tally[FOOD] = 0
        food[:] = 0
    for i in range(snakes.shape[0]):
        snakes[i, HEALTH] = 100
        top, length = snakes[i, TOP], snakes[i, LENGTH]
        last = rings[i, (top - length + 1) & mask]
        if length > 1 and rings[i, (top - length + 2) & mask] == last:
            continue
        rings[i, (top - length) & mask] = last
        snakes[i, LENGTH] = length + 1
        if snakes[i, CAUSE] == 0:
            taken[last] += 1


@inline
def restore(
    snakes: Ints,
    rings: Shorts,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    old_snakes: Ints,
    old_rings: Shorts,
    old_taken: Shorts,
    old_food: Shorts,
    old_tally: Ints,
) -> None:
    """Make the first world's changing arrays as the second's; only the used part of a ring is copied."""
    mask = rings.shape[1] - 1
    for i in range(snakes.shape[0]):
        for column in range(snakes.shape[1]):
            snakes[i, column] = old_snakes[i, column]
        top, length = old_snakes[i, TOP], old_snakes[i, LENGTH]
        if length <= top + 1:
            for k in range(top - length + 1, top + 1):
                rings[i, k] = old_rings[i, k]
        else:
            for k in range(length):
                rings[i, (top - k) & mask] = old_rings[i, (top - k) & mask]
    for cell in range(taken.shape[0]):
        taken[cell] = old_taken[cell]
        food[cell] = old_food[cell]
    tally[0] = old_tally[0]
    tally[1] = old_tally[1]


@kernel(f"boolean({SIGNATURE}, int64[::1])")
def play(
    snakes: Ints,
    rings: Shorts,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    hazards: Shorts,
    exits: Shorts,
    outside: Bytes,
    rules: Ints,
    words: Ints,
) -> bool:
    """`turn`, to be called from Python."""
    return turn(snakes, rings, taken, food, tally, hazards, exits, outside, rules, words)


@kernel(f"void({CHANGING}, {CHANGING})")
def reset(
    snakes: Ints,
    rings: Shorts,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    old_snakes: Ints,
    old_rings: Shorts,
    old_taken: Shorts,
    old_food: Shorts,
    old_tally: Ints,
) -> None:
    """`restore`, to be called from Python."""
    restore(
        snakes, rings, taken, food, tally, old_snakes, old_rings, old_taken, old_food, old_tally
    )
