"""One turn, exactly: every ruleset, any number of snakes, stacked hazards; in place, on a `World`.

The stages and their order are the official ones (docs/games/battlesnake.md). No stage walks a
body, but for a snake that is being removed or judged.
"""

from __future__ import annotations

from typing import Final

from engines.battlesnake.state import (
    BODY,
    BY,
    CAUSE,
    COLUMNS,
    CONSTRICTOR,
    DAMAGE,
    FOOD,
    HAZARD,
    HEAD,
    HEAD_ON,
    HEALTH,
    LENGTH,
    LIVING,
    OUT_OF_HEALTH,
    SELF,
    SIGNATURE,
    SOLO,
    STRANDED,
    TOP,
    VERDICT,
    WALL,
    Cells,
    Ints,
    Shorts,
    World,
)
from engines.core.jit import borrowed, fused, kernel

NATURAL: Final = 0x7FFF
"""Masks an index that is never negative, which the compiler can't know: it saves a look at the sign."""


@fused
def is_over(world: World) -> bool:
    """Has the game ended?"""
    return bool(world.tally[LIVING] <= 1 - world.rules[SOLO])


@fused
def turn(world: World, words: Ints) -> bool:
    """Play `words` (an index into WORDS for each row of `snakes`; the dead's are not read).

    False, and nothing happens, where the game was over before.
    """
    if is_over(world):
        return False
    snakes, rings, taken, food, tally = world.snakes, world.rings, world.taken, world.food, world.tally
    ground, exits, rules = world.ground, world.exits, world.rules
    count = snakes.shape[0]
    mask = rings.shape[1] - 1
    eaten = False
    for i in range(count):
        state = snakes[i, CAUSE]
        if state > 0:
            continue
        head = exits[snakes[i, HEAD] & NATURAL, words[i] & 3]
        top = snakes[i, TOP] + 1
        rings[i, top & mask & NATURAL] = head
        snakes[i, HEAD] = head
        snakes[i, TOP] = top
        health = snakes[i, HEALTH] - 1
        lies = ground[head]
        cause = 0
        if food[head] != 0:
            # Food is cleared away when all have moved; until then its sign tells that it goes.
            eaten = True
            servings = abs(food[head])
            food[head] = -servings
            for _ in range(servings):
                _grow(snakes, rings, taken, i)
            health = 100
        elif lies != 0:
            health, cause = burn(health, lies if lies > 0 else -1 - lies, rules[DAMAGE])
        snakes[i, HEALTH] = health
        if cause == 0:
            if health <= 0:
                cause = OUT_OF_HEALTH
            elif lies < 0 or state == STRANDED:
                cause = WALL
            else:
                taken[head] += 1
                continue
        snakes[i, CAUSE] = cause
        tally[LIVING] -= 1
        for k in range(1, snakes[i, LENGTH]):
            taken[rings[i, (top - k) & mask & NATURAL]] -= 1
    if eaten:
        for i in range(count):
            head = snakes[i, HEAD] & NATURAL
            if food[head] < 0:
                tally[FOOD] += food[head]
                food[head] = 0
    # `taken` now counts every segment of every snake still in: a head that is alone counts one.
    judged = False
    for i in range(count):
        if snakes[i, CAUSE] == 0 and taken[snakes[i, HEAD] & NATURAL] != 1:
            judged |= _judge(snakes, rings, i)
    if judged:
        for i in range(count):
            if snakes[i, CAUSE] == 0 and snakes[i, VERDICT] != 0:
                snakes[i, CAUSE] = snakes[i, VERDICT]
                tally[LIVING] -= 1
                top = snakes[i, TOP]
                for k in range(snakes[i, LENGTH]):
                    taken[rings[i, (top - k) & mask & NATURAL]] -= 1
    for i in range(count):
        if snakes[i, CAUSE] == 0:
            taken[rings[i, (snakes[i, TOP] - snakes[i, LENGTH] + 1) & mask & NATURAL]] -= 1
    if rules[CONSTRICTOR] != 0:
        _constrict(world)
    return True


@fused
def _grow(snakes: Ints, rings: Cells, taken: Shorts, i: int) -> None:
    """Double the last segment."""
    mask = rings.shape[1] - 1
    end = snakes[i, TOP] - snakes[i, LENGTH]
    last = rings[i, (end + 1) & mask & NATURAL]
    rings[i, end & mask & NATURAL] = last
    taken[last] += 1
    snakes[i, LENGTH] += 1


@fused
def burn(health: int, layers: int, damage: int) -> tuple[int, int]:
    """Health after every layer, and HAZARD if one of them killed, else 0.

    The first layer brings health into 0..100; from there on the layers only add up.
    """
    if layers == 0:
        return health, 0
    first = max(0, min(100, health - damage))
    health = max(0, min(100, first - (int(layers) - 1) * damage))
    return health, HAZARD if first == 0 or health == 0 else 0


@fused
def _judge(snakes: Ints, rings: Cells, i: int) -> bool:
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


@fused
def _bites(snakes: Ints, rings: Cells, i: int, j: int) -> bool:
    """Is the head of `i` on the body of `j`, its head left out?"""
    mask = rings.shape[1] - 1
    head, top = snakes[i, HEAD], snakes[j, TOP]
    k = 1
    while k < snakes[j, LENGTH] and rings[j, (top - k) & mask & NATURAL] != head:
        k += 1
    return bool(k < snakes[j, LENGTH])


@fused
def _constrict(world: World) -> None:
    """No food, full health, and a doubled last segment for every snake, the dead included."""
    snakes, rings, taken, food, tally = world.snakes, world.rings, world.taken, world.food, world.tally
    mask = rings.shape[1] - 1
    if tally[FOOD] != 0:
        tally[FOOD] = 0
        food[:] = 0
    for i in range(snakes.shape[0]):
        snakes[i, HEALTH] = 100
        top, length = snakes[i, TOP], snakes[i, LENGTH]
        last = rings[i, (top - length + 1) & mask & NATURAL]
        if length > 1 and rings[i, (top - length + 2) & mask & NATURAL] == last:
            continue
        _grow(snakes, rings, taken, i)
        if snakes[i, CAUSE] != 0:
            taken[last] -= 1  # the dead block nobody


@fused
def _copy_all_but_rings(world: World, source: World) -> None:
    for i in range(source.snakes.shape[0]):
        for column in range(COLUMNS):
            world.snakes[i, column] = source.snakes[i, column]
    for cell in range(source.taken.shape[0]):
        world.taken[cell] = source.taken[cell]
        world.food[cell] = source.food[cell]
    world.tally[LIVING] = source.tally[LIVING]
    world.tally[FOOD] = source.tally[FOOD]


@fused
def adopt(world: World, source: World) -> None:
    """Make `world` equal to `source`, whatever it held."""
    mask = source.rings.shape[1] - 1
    for i in range(source.snakes.shape[0]):
        top = source.snakes[i, TOP]
        for k in range(source.snakes[i, LENGTH]):
            world.rings[i, (top - k) & mask & NATURAL] = source.rings[i, (top - k) & mask & NATURAL]
    _copy_all_but_rings(world, source)


@fused
def rewind(world: World, source: World) -> None:
    """Bring a scratch copy of `source` back to it. Only turns and rewinds may have changed the copy.

    A turn writes a ring above its top, and below its end where a snake grows. So the cells of the
    source still stand in the copy's ring, unless its snake has grown or has gone once around.
    """
    mask = source.rings.shape[1] - 1
    for i in range(source.snakes.shape[0]):
        top, length = source.snakes[i, TOP], source.snakes[i, LENGTH]
        if world.snakes[i, LENGTH] != length or world.snakes[i, TOP] - top > mask - length:
            for k in range(length):
                world.rings[i, (top - k) & mask & NATURAL] = source.rings[i, (top - k) & mask & NATURAL]
    _copy_all_but_rings(world, source)


@kernel(f"boolean({SIGNATURE}, int64[::1])")
def play(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    words: Ints,
) -> bool:
    """`turn`, to be called from Python with the arrays of a world."""
    return turn(borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules)), words)
