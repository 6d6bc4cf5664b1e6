"""Which pair of words a node values next, and what a pair's value does to the node."""

from __future__ import annotations

from typing import Final

from engines.battlesnake.search.frame import (
    ALPHA,
    ANSWERS,
    AT_LEAST,
    AT_MOST,
    AT_REPLY,
    AT_WORD,
    BEST,
    BETA,
    BEYOND,
    EXACT,
    FLAG,
    HIGH,
    IN_FULL,
    KIND,
    KNOWN,
    LATE,
    LEAST,
    LOW,
    MATRIX,
    MINE,
    PHASE,
    REPLY,
    ROW,
    SCOUT,
    SERIAL,
    SHORTER,
    THEIRS,
    TRIED,
    UNKNOWN,
    VALUE,
    WORD,
)
from engines.battlesnake.search.matrix_game import solve
from engines.battlesnake.state import Floats, Ints
from engines.core.jit import fused

_AT_ONCE: Final = 3
"""A tuning that goes so far values late boards one turn before the leaves as they stand."""
_LATE_FROM: Final = 2
"""With so many turns or more left after it a late pair is looked at a turn less deep."""
_LATER_FROM: Final = 5
"""With so many two turns, and with so many as follow three, where the tuning goes that far."""
_LATEST_FROM: Final = 8


@fused
def choose(control: Ints, bounds: Floats, payoffs: Floats, tableau: Floats, names: Ints) -> bool:
    """Set the next pair to try and its window; or, where there is none, the node's value: then True."""
    if control[KIND] == SERIAL:
        if control[AT_WORD] >= control[MINE] or bounds[BEST] >= bounds[BETA]:
            bounds[VALUE] = bounds[BEST]
            control[FLAG] = EXACT
            if bounds[BEST] >= bounds[BETA]:
                control[FLAG] = AT_LEAST
            elif bounds[BEST] <= bounds[ALPHA]:
                control[FLAG] = AT_MOST
            return True
        bounds[LOW] = max(bounds[ALPHA], bounds[BEST])
        bounds[HIGH] = min(bounds[BETA], bounds[LEAST])
        return False
    bounds[LOW], bounds[HIGH] = bounds[ALPHA], bounds[BETA]
    if control[PHASE] == 0:
        # Is there a reply that holds every word below the window?
        if bounds[ALPHA] <= -BEYOND:
            control[PHASE] = 1
            control[SCOUT] = 0
        elif control[AT_WORD] < control[MINE]:
            return False
        else:
            best = 0
            for i in range(1, control[MINE]):
                if payoffs[i, 0] > payoffs[best, 0]:
                    best = i
            bounds[VALUE] = payoffs[best, 0]
            control[WORD] = control[TRIED + best]
            control[REPLY] = control[ANSWERS]
            control[FLAG] = AT_MOST
            return True
    if control[PHASE] == 1:
        # Is there a word that no reply holds below the upper end?
        if bounds[BETA] >= BEYOND:
            control[PHASE] = 2
        else:
            i = control[SCOUT]
            worst = 0
            for j in range(control[THEIRS]):
                if control[KNOWN + 4 * i + j] == UNKNOWN:
                    control[AT_WORD] = i
                    control[AT_REPLY] = j
                    return False
                if payoffs[i, j] < bounds[BETA]:
                    control[PHASE] = 2
                    break
                if payoffs[i, j] < payoffs[i, worst]:
                    worst = j
            if control[PHASE] == 1:
                bounds[VALUE] = payoffs[i, worst]
                control[WORD] = control[TRIED + i]
                control[REPLY] = control[ANSWERS + worst]
                control[FLAG] = AT_LEAST
                return True
    bounds[LOW], bounds[HIGH] = -BEYOND, BEYOND
    for i in range(control[MINE]):
        for j in range(control[THEIRS]):
            if control[KNOWN + 4 * i + j] != EXACT:
                control[AT_WORD] = i
                control[AT_REPLY] = j
                return False
    control[FLAG] = EXACT
    most = -BEYOND
    for i in range(control[MINE]):
        least = BEYOND
        for j in range(control[THEIRS]):
            least = min(least, payoffs[i, j])
        if least > most:
            most = least
            control[WORD] = control[TRIED + i]
    least = BEYOND
    for j in range(control[THEIRS]):
        largest = -BEYOND
        for i in range(control[MINE]):
            largest = max(largest, payoffs[i, j])
        if largest < least:
            least = largest
            control[REPLY] = control[ANSWERS + j]
    bounds[VALUE] = most
    if least > most:
        bounds[VALUE] = solve(payoffs, control[MINE], control[THEIRS], tableau, names)
    return True


@fused
def turns_less(control: Ints, left: int, lmr: int) -> int:
    """How many turns of those left the present pair is not looked at, for now."""
    if lmr == 0 or left < (1 if lmr == _AT_ONCE else _LATE_FROM):
        return 0
    if control[KIND] == MATRIX or control[LATE] == IN_FULL:
        return 0
    if control[AT_WORD] == 0 and control[AT_REPLY] == 0:
        return 0
    return int(min(lmr, 3 if left >= _LATEST_FROM else 2 if left >= _LATER_FROM else 1))


@fused
def receive(control: Ints, bounds: Floats, payoffs: Floats, value: float) -> None:
    """The present pair has been valued; or it is to be valued in full, having surprised."""
    i, j = control[AT_WORD], control[AT_REPLY]
    # A later word's first reply should hold it at LOW or below; a later reply, of any word, leave it at
    # HIGH or above.
    if control[LATE] == SHORTER and (value > bounds[LOW] if j == 0 else value < bounds[HIGH]):
        control[LATE] = IN_FULL
        return
    control[LATE] = 0
    if control[KIND] == MATRIX:
        payoffs[i, j] = value
        known = EXACT
        if value <= bounds[LOW]:
            known = AT_MOST
        elif value >= bounds[HIGH]:
            known = AT_LEAST
        control[KNOWN + 4 * i + j] = known
        if control[PHASE] == 0:
            if value > bounds[ALPHA]:
                control[SCOUT] = i
                control[PHASE] = 1
            else:
                control[AT_WORD] += 1
        return
    if value < bounds[LEAST]:
        bounds[LEAST] = value
        control[ROW] = control[ANSWERS + j]
    control[AT_REPLY] += 1
    if control[AT_REPLY] < control[THEIRS] and bounds[LEAST] > max(bounds[ALPHA], bounds[BEST]):
        return
    if bounds[LEAST] > bounds[BEST]:
        bounds[BEST] = bounds[LEAST]
        control[WORD] = control[TRIED + i]
        control[REPLY] = control[ROW]
    bounds[LEAST] = BEYOND
    # What answered this word is tried first against the next.
    for at in range(1, control[THEIRS]):
        if control[ANSWERS + at] == control[ROW]:
            for before in range(at, 0, -1):
                control[ANSWERS + before] = control[ANSWERS + before - 1]
            control[ANSWERS] = control[ROW]
            break
    control[AT_WORD] += 1
    control[AT_REPLY] = 0
