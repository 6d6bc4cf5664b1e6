"""The principal variation: the moves that follow a root pair by the tables of the worker that searched it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.battlesnake.evaluation import TERMS, evaluate_position
from engines.battlesnake.position import MOVES
from engines.battlesnake.rules import play
from engines.battlesnake.search.frame import DEFAULT_REPLY
from engines.battlesnake.search.result import PrincipalVariation
from engines.battlesnake.search.tree import extend_pv
from engines.battlesnake.search.worker import RootPair, Worker
from engines.battlesnake.state import State, scratch_copy


def principal_variation(
    root: State, pair: RootPair, reply: int, worker: Worker, plies: int
) -> tuple[list[str], State]:
    """At most so many moves of yours, the pair's first, answered by `reply` and then by best replies; and the
    state to which they lead. It ends where the tables know no more, or the game is over.

    May leave the line that the value comes from where the tables were overwritten.
    """
    context, state = worker.context, scratch_copy(root)
    me, joint_move = context.me, context.joint_move
    joint_move[:] = worker.stack.default_moves[0]
    if reply != DEFAULT_REPLY:
        joint_move[(reply >> 2) - 1] = reply & 3
    joint_move[me] = MOVES.index(pair.move)
    play(state, joint_move)
    moves, food_cells = [pair.move], worker.flood_context.root_food
    # Who is stranded dies in the next turn, whatever it plays.
    while len(moves) < plies and not has_ended(state, me) and state.snakes[me].cause == 0:
        move = extend_pv(state, food_cells, *worker.pv_arguments, pair.depth - len(moves))
        if move < 0:
            break
        moves.append(MOVES[move])
    return moves, state


def has_ended(state: State, me: int) -> bool:
    """Is the game over, at least for you?"""
    return bool(state.snakes[me].cause > 0 or state.totals[0].living <= 1 - state.rules[0].solo)


def with_leaf(moves: Sequence[str], state: State, worker: Worker, names: Sequence[str]) -> PrincipalVariation:
    """A variation with the evaluation of the state that it leads to; `names` are the snakes'."""
    context = worker.context
    if has_ended(state, context.me):
        return PrincipalVariation(tuple(moves), {}, {})
    evaluate_position(
        state, worker.flood_context, context.me, context.weights, context.territory, context.terms
    )
    territory = {
        name: int(context.territory[index].cells)
        for index, name in enumerate(names)
        if state.snakes[index].cause <= 0
    }
    return PrincipalVariation(tuple(moves), dict(zip(TERMS, context.terms.tolist(), strict=True)), territory)
