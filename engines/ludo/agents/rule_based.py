"""The documented rules, strategy where none of them holds, and the price of risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.ludo.agents.common import best_of, trivial_decision
from engines.ludo.evaluation.rule_evaluation import (
    BONUSES,
    FLEE,
    MOVE,
    MULTIPLIERS,
    PHASES,
    RULES,
    STRATEGY,
    evaluate_all,
    is_safe,
)
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, Position, move_of
from engines.ludo.rules import CORRIDOR, board_of


@dataclass(frozen=True)
class Parameters:
    """Readings of the document where it leaves one open."""

    rule_order: Literal["list", "score"] = "list"
    """Which rule counts where several hold: the first of the numbered list, or the one of the higher base."""
    override: Literal["strategy", "literal"] = "strategy"
    """Moves of a threatened piece whose score is replaced by minus their risk. `strategy`: those without a
    priority rule; `literal`: all but a flight."""
    flee: Literal["open", "safe"] = "open"
    """What a threatened piece may flee to: any square without a threat, or safe squares only."""
    refuse_self_harm: bool = False
    """Order moves by which the own piece is sent home after all others."""


class RuleScore(NamedTuple):
    """One move as the document scores it, in its own names."""

    piece: int
    land: int
    rule: str
    base: int
    multiplier: float
    bonus: dict[str, int]
    risk: dict[int, float]
    """The share of each seat that threatens the square reached."""
    penalty: int
    """What breaking an own blockade costs."""
    override: float
    refusal: float
    score: float
    captures: int
    sent_home: bool
    readings: tuple[str, ...]
    """The readings on which this line rests; empty where the document fixes it."""

    @property
    def terms(self) -> dict[str, float]:
        """Named amounts that add up to `score`."""
        amounts: dict[str, float] = {self.rule.lower(): float(self.base)}
        amounts["multiplier"] = self.base * (self.multiplier - 1)
        amounts |= {name.lower(): float(value) for name, value in self.bonus.items()}
        amounts |= {f"risk_from_seat_{seat}": 0.0 - share for seat, share in self.risk.items()}
        amounts["blockade_break_penalty"] = 0.0 - self.penalty
        amounts["override"] = self.override
        amounts["refuse_self_harm"] = self.refusal
        first = next(iter(amounts))
        return {name: value for name, value in amounts.items() if value or name == first}


def evaluate(position: Position, parameters: Parameters) -> tuple[list[str], list[RuleScore]]:
    """The phases that hold (the first of them counts) and every movable piece's move."""
    readings = (
        parameters.rule_order == "score",
        parameters.override == "literal",
        parameters.flee == "safe",
        parameters.refuse_self_harm,
    )
    rows = np.zeros(PIECES, MOVE)
    bits = evaluate_all(board_of(position.positions), position.player, position.dice, readings, rows)
    held = [phase for phase in range(len(PHASES)) if bits >> phase & 1] or [PHASES.index("midgame")]
    moves = [_rule_score(position, piece, _fields(rows[piece]), held) for piece in position.movable]
    return [PHASES[phase] for phase in held], moves


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move of the highest score; ties are drawn by the seed."""
    trivial = trivial_decision(position, meter)
    if trivial is not None:
        return trivial
    held, moves = evaluate(position, parameters)
    candidates = [
        Candidate.of(move_of(position, move.piece), move.terms, _notes(move), _details(move))
        for move in moves
    ]
    return best_of(candidates, seed, {"phase": held[0], "phases": held})


_MULTIPLIERS = MULTIPLIERS.tolist()


def _fields(record: Any) -> dict[str, Any]:
    """The fields of a MOVE as plain numbers and lists."""
    fields = dict(zip(_FIELDS, record.item(), strict=True))
    fields["bonus"], fields["risk"] = fields["bonus"].tolist(), fields["risk"].tolist()
    return fields


_FIELDS = MOVE.names or ()


def _rule_score(position: Position, piece: int, row: Mapping[str, Any], held: list[int]) -> RuleScore:
    rule, player = row["rule"], position.player
    return RuleScore(
        piece,
        row["land"],
        RULES[rule],
        int(row["base"]),
        _MULTIPLIERS[held[0]][rule],
        {name: int(bonus) for name, bonus in zip(BONUSES, row["bonus"], strict=True) if bonus},
        {(player + 1 + i) % SEATS: 0.0 - share for i, share in enumerate(row["risk"]) if share},
        int(0 - row["break"]),
        row["override"],
        row["refusal"],
        row["score"],
        row["captures"],
        row["sent_home"],
        _readings(position.positions[position.player][piece], position.dice, row, held),
    )


def _readings(before: int, dice: int, row: Mapping[str, Any], held: list[int]) -> tuple[str, ...]:
    rule, land, threatened = row["rule"], row["land"], row["threatened"]
    tags = {
        "phase-order": any(_MULTIPLIERS[phase][rule] != _MULTIPLIERS[held[0]][rule] for phase in held),
        "list-order": before == HOME and RULES[rule] in ("BLOCKADE_CLUSTER", "FORM_BLOCKADE_MOVE"),
        "cluster": RULES[rule] == "BLOCKADE_CLUSTER",
        "flee-open": rule == FLEE and not is_safe(land),
        "bounce": before >= CORRIDOR and before + dice > GOAL,
        "sent-home": row["sent_home"],
        "star-first-end": row["first_end"],
        "risk-on-rule": rule != STRATEGY and any(row["risk"]),
        "override": threatened and rule == STRATEGY,
        "override-literal-differs": threatened and rule not in (FLEE, STRATEGY),
        "break": row["break"] != 0,
    }
    return tuple(tag for tag, holds in tags.items() if holds)


def _notes(move: RuleScore) -> tuple[str, ...]:
    notes = [f"{move.rule} to {move.land}"]
    if move.captures:
        notes.append("captures two pieces" if move.captures > 1 else "captures a piece")
    if move.sent_home:
        notes.append("is sent home by those who stand there")
    return tuple(notes)


def _details(move: RuleScore) -> dict[str, Any]:
    return {
        "rule": move.rule,
        "land": move.land,
        "multiplier": move.multiplier,
        "readings": list(move.readings),
    }


AGENT: Agent[Position] = Agent(
    "rule_based",
    "Priority rules (win, capture, flee, block, come out), strategy where none holds, less the risk taken.",
    decide,
    "one evaluation of every movable piece",
    Parameters,
    Budgets(iterations=Range(1, 1, 1)),
)
