"""What has been seen of the rival in a duel: which word is foreseen of it, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engines.battlesnake.position import MOVES, OFFSETS, Cell, Position
from engines.battlesnake.search.result import SearchConfig, SearchResult

_TRUST: Final = 0.5
"""How sure it is at first."""
_LEARNING: Final = 4.0
"""So many turns' worth of experience is what that counts for; the rest is seen in the game."""
_FORGET: Final = 0.97
"""What a turn's experience counts for a turn later."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What has been seen of the rival in a duel: its head, the word foreseen, and how often one came true."""

    id: str = ""
    turn: int = 0
    head: Cell = (0, 0)
    foreseen: str = ""
    hits: float = 0.0
    tries: float = 0.0


def seen(position: Position, rival: Rival) -> Rival:
    """The experience with a rival, its last word included; none with another one."""
    now = next((snake for snake in position.snakes if snake.id == rival.id), None)
    if now is None:
        return Rival()
    if position.turn != rival.turn + 1 or not rival.foreseen:
        return replace(rival, foreseen="")
    step = OFFSETS[MOVES.index(rival.foreseen)]
    hit = position.destination(rival.head, step) == now.head
    return replace(rival, foreseen="", hits=_FORGET * rival.hits + hit, tries=_FORGET * rival.tries + 1)


def expecting(position: Position, rival: Rival, forecast: str) -> Rival:
    """The experience with the other snake of a duel, and what is foreseen of it, if anything."""
    other = next((snake for snake in position.snakes if snake.id != position.you), None)
    if not forecast or other is None:
        return rival
    return replace(rival, id=other.id, turn=position.turn, head=other.head, foreseen=forecast)


def trusted(rival: Rival) -> float:
    """How sure it is that the rival plays the word foreseen."""
    return (_TRUST * _LEARNING + rival.hits) / (_LEARNING + rival.tries)


def foreseen(result: SearchResult, search_config: SearchConfig) -> str:
    """The word that a rival who searches as we do would play; "" where there is nothing to foresee."""
    if len(result.replies) < 2 or result.replies == ("habit", "worst"):
        return ""
    # What is worth most to us is worth least to it, but for a draw that is certain.
    turned = tuple(
        tuple(value if value == search_config.draw else -value for value in column)
        for column in zip(*result.payoffs, strict=True)
    )
    theirs = SearchResult(result.depth, result.replies, result.moves, turned).scores(search_config)
    return max(theirs, key=lambda move: theirs[move])


def expected(
    result: SearchResult, search_config: SearchConfig, foretold: str, trust: float
) -> dict[str, float]:
    """The search's scores, the rival being trusted to play the word foretold."""
    scores = result.scores(search_config)
    if not foretold:
        return scores
    column = result.replies.index(foretold)
    sure = {
        move: search_config.caution * min(row) + (1 - search_config.caution) * row[column]
        for move, row in zip(result.moves, result.payoffs, strict=True)
    }
    return {move: trust * sure[move] + (1 - trust) * score for move, score in scores.items()}
