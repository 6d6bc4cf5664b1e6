"""One turn, exactly: every ruleset, any number of snakes, stacked hazards; in place, on a `State`.

The stages and their order are those of the official rules (docs/games/battlesnake.md): move, starve and burn,
feed, eliminate. No stage walks a body, but for a snake that is being removed or whose head has met something.
"""

from __future__ import annotations

from typing import Final

from numba import boolean, int64

from engines.battlesnake.state import (
    BODY,
    HAZARD,
    HEAD_ON,
    OUT_OF_HEALTH,
    SELF,
    STATE,
    STRANDED,
    WALL,
    Ints,
    State,
)
from engines.core.jit import borrowed, inlined, kernel

INDEX_MASK: Final = 0x7FFF
"""Masks an index that is never negative, which the compiler can't know: it saves a look at the sign."""


@inlined
def is_over(state: State) -> bool:
    """Has the game ended?"""
    return bool(state.totals[0].living <= 1 - state.rules[0].solo)


@inlined
def play_turn(state: State, moves: Ints) -> bool:
    """Play `moves` (an index of MOVES for each snake; those of the dead are not read).

    False, and nothing happens, where the game was over before.
    """
    if is_over(state):
        return False
    count = state.snakes.shape[0]
    eaten = False
    for i in range(count):
        if state.snakes[i].cause <= 0:
            eaten |= _move_snake(state, i, moves[i] & 3)
    if eaten:
        _clear_food(state)
    _eliminate_collided(state)
    for i in range(count):
        if state.snakes[i].cause == 0:
            state.occupancy[tail_of(state, i)] -= 1
    if state.rules[0].constrictor != 0:
        _apply_constrictor(state)
    return True


@inlined
def ring_cell(state: State, i: int, place: int) -> int:
    """What a place of a snake's ring holds, places being counted modulo the ring's size.

    For loops over a body, which keep `top` in a variable: the compiler can't tell that writes to other arrays
    leave it alone, and would read it again for every segment.
    """
    mask = state.body_rings.shape[1] - 1
    return int(state.body_rings[i, place & mask & INDEX_MASK])


@inlined
def segment(state: State, i: int, k: int) -> int:
    """The cell of a snake's `k`-th segment, the head being the 0th."""
    return ring_cell(state, i, state.snakes[i].top - k)


@inlined
def tail_of(state: State, i: int) -> int:
    """The cell of a snake's last segment."""
    return segment(state, i, state.snakes[i].length - 1)


@inlined
def _move_snake(state: State, i: int, move: int) -> bool:
    """Move a head, take hunger, hazards and food into account, and remove who dies of them; has it eaten?"""
    snake = state.snakes[i]
    stranded = snake.cause == STRANDED
    head = state.neighbours[snake.head & INDEX_MASK, move]
    top = snake.top + 1
    mask = state.body_rings.shape[1] - 1
    state.body_rings[i, top & mask & INDEX_MASK] = head
    snake.head = head
    snake.top = top
    health = snake.health - 1
    layers = state.hazard_layers[head]
    cause = 0
    eaten = state.food[head] != 0
    if eaten:
        # Food is cleared away when all have moved; until then its sign tells that it goes.
        servings = abs(state.food[head])
        state.food[head] = -servings
        for _ in range(servings):
            _grow(state, i)
        health = 100
    elif layers != 0:
        health, cause = apply_hazards(health, layers if layers > 0 else -1 - layers, state.rules[0].damage)
    snake.health = health
    if cause == 0:
        if health <= 0:
            cause = OUT_OF_HEALTH
        elif layers < 0 or stranded:
            cause = WALL
        else:
            state.occupancy[head] += 1
            return bool(eaten)
    # The head has not been counted.
    _remove_snake(state, i, cause, 1)
    return bool(eaten)


@inlined
def _remove_snake(state: State, i: int, cause: int, first: int) -> None:
    """Eliminate a snake, and free the cells of its body from the `first` segment on."""
    state.snakes[i].cause = cause
    state.totals[0].living -= 1
    top = state.snakes[i].top
    for k in range(first, state.snakes[i].length):
        state.occupancy[ring_cell(state, i, top - k)] -= 1


@inlined
def _clear_food(state: State) -> None:
    """Remove the food that somebody's head is on."""
    for i in range(state.snakes.shape[0]):
        head = state.snakes[i].head & INDEX_MASK
        if state.food[head] < 0:
            state.totals[0].food += state.food[head]
            state.food[head] = 0


@inlined
def _eliminate_collided(state: State) -> None:
    """Remove, all at once, the snakes whose heads have met something.

    `occupancy` counts every segment of every snake still in by now: a head that is alone counts one.
    """
    collided = False
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause == 0 and state.occupancy[state.snakes[i].head & INDEX_MASK] != 1:
            collided |= _find_collision(state, i)
    if not collided:
        return
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause == 0 and state.snakes[i].collision != 0:
            _remove_snake(state, i, state.snakes[i].collision, 0)


@inlined
def _grow(state: State, i: int) -> None:
    """Double the last segment."""
    snake = state.snakes[i]
    mask = state.body_rings.shape[1] - 1
    end = snake.top - snake.length
    last = ring_cell(state, i, end + 1)
    state.body_rings[i, end & mask & INDEX_MASK] = last
    state.occupancy[last] += 1
    snake.length += 1


@inlined
def apply_hazards(health: int, layers: int, damage: int) -> tuple[int, int]:
    """Health after every layer, and HAZARD if one of them killed, else 0.

    The first layer brings health into 0..100; from there on the layers only add up.
    """
    if layers == 0:
        return health, 0
    first = max(0, min(100, health - damage))
    health = max(0, min(100, first - (int(layers) - 1) * damage))
    return health, HAZARD if first == 0 or health == 0 else 0


@inlined
def _find_collision(state: State, i: int) -> bool:
    """Set `collision` and `eliminated_by` of a snake whose head meets something, else False.

    Its own body comes first, then the longest body that it hits, then the longest head that is not shorter.
    """
    snakes = state.snakes
    snakes[i].collision = 0
    if _hits_body(state, i, i):
        snakes[i].collision = SELF
        snakes[i].eliminated_by = i
        return True
    by = -1
    for j in range(snakes.shape[0]):
        if j == i or snakes[j].cause != 0 or (by >= 0 and snakes[j].length <= snakes[by].length):
            continue
        if _hits_body(state, i, j):
            by = j
    if by >= 0:
        snakes[i].collision = BODY
        snakes[i].eliminated_by = by
        return True
    for j in range(snakes.shape[0]):
        if j == i or snakes[j].cause != 0 or snakes[j].head != snakes[i].head:
            continue
        if snakes[j].length >= snakes[i].length and (by < 0 or snakes[j].length > snakes[by].length):
            by = j
    if by >= 0:
        snakes[i].collision = HEAD_ON
        snakes[i].eliminated_by = by
        return True
    return False


@inlined
def _hits_body(state: State, i: int, j: int) -> bool:
    """Is the head of `i` on the body of `j`, its head left out?"""
    head, top, length = state.snakes[i].head, state.snakes[j].top, state.snakes[j].length
    k = 1
    while k < length and ring_cell(state, j, top - k) != head:
        k += 1
    return bool(k < length)


@inlined
def _apply_constrictor(state: State) -> None:
    """No food, full health, and a doubled last segment for every snake, the dead included."""
    if state.totals[0].food != 0:
        state.totals[0].food = 0
        state.food[:] = 0
    for i in range(state.snakes.shape[0]):
        snake = state.snakes[i]
        snake.health = 100
        last = tail_of(state, i)
        if snake.length > 1 and segment(state, i, snake.length - 2) == last:
            continue
        _grow(state, i)
        if snake.cause != 0:
            state.occupancy[last] -= 1  # the dead block nobody


@inlined
def _copy_all_but_rings(state: State, source: State) -> None:
    for i in range(source.snakes.shape[0]):
        state.snakes[i] = source.snakes[i]
    for cell in range(source.occupancy.shape[0]):
        state.occupancy[cell] = source.occupancy[cell]
        state.food[cell] = source.food[cell]
    state.totals[0] = source.totals[0]


@inlined
def _copy_ring(state: State, source: State, i: int) -> None:
    mask = source.body_rings.shape[1] - 1
    top = source.snakes[i].top
    for k in range(source.snakes[i].length):
        state.body_rings[i, (top - k) & mask & INDEX_MASK] = ring_cell(source, i, top - k)


@inlined
def copy_state(state: State, source: State) -> None:
    """Make `state` equal to `source`, whatever it held."""
    for i in range(source.snakes.shape[0]):
        _copy_ring(state, source, i)
    _copy_all_but_rings(state, source)


@inlined
def restore_state(state: State, source: State) -> None:
    """Bring a scratch copy of `source` back to it. Only turns and restorings may have changed the copy.

    A turn writes a ring above its top, and below its end where a snake grows. So the cells of the
    source still stand in the copy's ring, unless its snake has grown or has gone once around.
    """
    mask = source.body_rings.shape[1] - 1
    for i in range(source.snakes.shape[0]):
        old, now = source.snakes[i], state.snakes[i]
        if now.length != old.length or now.top - old.top > mask - old.length:
            _copy_ring(state, source, i)
    _copy_all_but_rings(state, source)


@kernel(boolean(STATE, int64[::1]))
def play(state: State, moves: Ints) -> bool:
    """`play_turn`, to be called from Python."""
    return play_turn(borrowed(state), moves)
