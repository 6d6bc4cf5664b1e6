"""What can be said of a snake's four words without knowing what the others do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engines.battlesnake.position import FULL_HEALTH, STEPS, WORDS, Cell, Position, Snake


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one word is sure to bring.

    `blocked` names the wall or body that the head runs into; `wasted` the death by hunger or
    hazard that comes all the same. Either is the rules' name of the cause, "" where there is none.
    """

    word: str
    landing: Cell
    blocked: str
    wasted: str

    @property
    def cause(self) -> str:
        """Why the word is deadly; "" where it is not."""
        return self.blocked or self.wasted


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies where, for quick looking up.

    `bodies` are the cells that will still be taken after the moves: all of a body but its last
    segment. Not those of a snake that starves or leaves the board whatever it says: it is removed before any
    head comes to its body.
    """

    bodies: frozenset[Cell]
    food: frozenset[Cell]
    hazards: Mapping[Cell, int]


def ground(position: Position) -> Ground:
    food, hazards = frozenset(position.food), Counter(position.hazards)
    staying = [snake for snake in position.snakes if _stays(position, snake, food, hazards)]
    return Ground(
        frozenset(cell for snake in staying for cell in snake.body[:-1]),
        food,
        hazards,
    )


def _stays(position: Position, snake: Snake, food: frozenset[Cell], hazards: Mapping[Cell, int]) -> bool:
    """Is there a word after which a snake is still on the board, as far as walls, hunger and hazards go?"""
    landings = (position.landing(snake.head, step) for step in STEPS)
    return any(
        position.holds(cell) and (cell in food or not _wasted(position, snake, hazards.get(cell, 0)))
        for cell in landings
    )


def outlooks(position: Position, snake: Snake, lie: Ground) -> tuple[Outlook, ...]:
    """The four words of a snake, in the order of `WORDS`."""
    own = frozenset(snake.body[:-1])
    stranded = not all(position.holds(cell) for cell in own)
    result = []
    for word, step in zip(WORDS, STEPS, strict=True):
        landing = position.landing(snake.head, step)
        blocked = ""
        if not position.holds(landing):
            blocked = "wall-collision"
        elif landing in own:
            blocked = "snake-self-collision"
        elif landing in lie.bodies:
            blocked = "snake-collision"
        wasted = "" if landing in lie.food else _wasted(position, snake, lie.hazards.get(landing, 0))
        if stranded and not wasted:
            wasted = "wall-collision"
        result.append(Outlook(word, landing, blocked, wasted))
    return tuple(result)


def _wasted(position: Position, snake: Snake, layers: int) -> str:
    """The cause by which hunger or hazard kills on a cell without food, "" if neither does."""
    health = snake.health - 1
    # After so many layers health stands at 0 or 100, or no layer changes it.
    for _ in range(min(layers, FULL_HEALTH + 2)):
        health = max(0, min(FULL_HEALTH, health - position.settings.hazard_damage))
        if health == 0:
            return "hazard"
    return "out-of-health" if health <= 0 else ""


def onward(snake: Snake) -> str:
    """Where a snake goes whose move is no word: from neck to head.

    Where these are not neighbours (over an edge), the axis on which one of them stands at 0 decides.
    """
    if len(snake.body) < 2:
        return "up"
    (x, y), (neck_x, neck_y) = snake.body[:2]
    if abs(x - neck_x) == 1:
        return "right" if x > neck_x else "left"
    if abs(y - neck_y) == 1:
        return "up" if y > neck_y else "down"
    if x == 0 < neck_x:
        return "right"
    if neck_x == 0 < x:
        return "left"
    if y == 0 < neck_y:
        return "up"
    return "down" if neck_y == 0 < y else "up"


def legal_words(looks: tuple[Outlook, ...]) -> tuple[str, ...]:
    """The words that are not sure to be deadly; if there are none, those that enter another's body, which may
    be gone by then; else those that run into nothing; else all."""
    return (
        tuple(look.word for look in looks if not look.cause)
        or tuple(look.word for look in looks if look.cause == "snake-collision" and not look.wasted)
        or tuple(look.word for look in looks if not look.blocked)
        or WORDS
    )


def fallback(position: Position) -> str:
    """A legal word at once: away from heads that would win, then to where more neighbours are open."""
    snake = position.me or position.ghost
    if snake is None:
        return WORDS[0]
    lie = ground(position)
    looks = outlooks(position, snake, lie)
    legal = legal_words(looks)
    feared = {
        position.landing(other.head, step)
        for other in position.snakes
        if other.id != snake.id and len(other.body) >= len(snake.body)
        for step in STEPS
    }

    def worth(look: Outlook) -> tuple[bool, int]:
        beyond = (position.landing(look.landing, step) for step in STEPS)
        return look.landing not in feared, sum(position.holds(c) and c not in lie.bodies for c in beyond)

    return max((look for look in looks if look.word in legal), key=worth).word
