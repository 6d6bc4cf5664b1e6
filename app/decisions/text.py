"""An answer as text for a terminal: board, statistics, and the candidates in tables of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.errors import printable

# The most columns of terms in one table; further terms go into tables below.
COLUMNS = 7
# The most characters of one value: some values come from clients.
MAX_CHARACTERS = 400


def render(board: str, answer: Mapping[str, Any]) -> str:
    """The text form of a move answer (made with its breakdown)."""
    stats = answer["stats"]
    head = [f"move      {show(answer['move'])}", f"agent     {answer['agent']}"]
    if answer["score"] is not None:
        head.append(f"score     {number(answer['score'])}")
    if answer["outcome"] is not None:
        head.append(f"outcome   {pairs(answer['outcome'])}")
    head.append(f"stats     {pairs(stats)}")
    parts = [board.rstrip("\n"), "\n".join(head)]
    shown = answer.get("breakdown") or {}
    if shown.get("context"):
        parts.append("\n".join(f"{key:<9} {show(value)}" for key, value in shown["context"].items()))
    if shown.get("line"):
        parts.append("line      " + " ".join(show(move) for move in shown["line"]))
    if shown.get("candidates"):
        parts.append(table(shown["candidates"], answer["move"]))
        if any(candidate.get("details") for candidate in shown["candidates"]):
            parts.append(details(shown["candidates"], answer["move"]))
    for path in answer.get("timeline", ()):
        parts.append("timeline  " + pairs(path)) if isinstance(path, Mapping) else None
    parts.append(f"decision  {answer['decisionId']}")
    return "\n\n".join(parts) + "\n"


def table(candidates: Sequence[Mapping[str, Any]], chosen: Any) -> str:
    """One row for each candidate, best first where there are scores; the chosen one is starred."""
    names: list[str] = []
    for candidate in candidates:
        # A term that is 0 for every candidate is left out here; the JSON form has it.
        names += [name for name, value in candidate["terms"].items() if value != 0 and name not in names]
    blocks = []
    for start in range(0, max(1, len(names)), COLUMNS):
        part = names[start : start + COLUMNS]
        last = start + COLUMNS >= len(names)
        rows = [["", "move", *(["score"] if start == 0 else []), *part, *(["notes"] if last else [])]]
        for candidate in candidates:
            row = ["*" if is_chosen(candidate["move"], chosen) else "", show(candidate["move"])]
            if start == 0:
                row.append(number(candidate["score"]))
            row += [number(candidate["terms"].get(name)) for name in part]
            if last:
                row.append(printable("; ".join(candidate["notes"]), MAX_CHARACTERS))
            rows.append(row)
        blocks.append(align(rows, text_columns={0, 1, len(rows[0]) - 1 if last else -1}))
    return "\n\n".join(blocks)


def details(candidates: Sequence[Mapping[str, Any]], chosen: Any) -> str:
    """What a game adds to its candidates, a row for each that has any."""
    known = [(candidate["move"], _flat(candidate.get("details", {}))) for candidate in candidates]
    names = list(dict.fromkeys(name for _, found in known for name in found))
    # Lines are long: they stand at the end.
    names.sort(key="line".__eq__)
    rows = [["", "move", *names]]
    rows += [
        ["*" if is_chosen(move, chosen) else "", show(move), *(found.get(name, "-") for name in names)]
        for move, found in known
        if found
    ]
    return align(rows, text_columns=set(range(len(rows[0]))))


def _flat(found: Mapping[str, Any]) -> dict[str, str]:
    """Values as text, by name; of a nested object with values of several kinds only the scalars."""
    shown = {}
    for name, value in found.items():
        if isinstance(value, Mapping) and not all(isinstance(item, int | float) for item in value.values()):
            parts = {key: item for key, item in value.items() if not isinstance(item, Mapping | list)}
            shown.update({f"{name}.{key}": show(item) for key, item in parts.items()})
        elif name == "line" and isinstance(value, list):
            shown[name] = " ".join(map(show, value))
        else:
            shown[name] = show(value)
    return shown


def is_chosen(move: Any, chosen: Any) -> bool:
    """Is a candidate the move that was chosen, or (Flag) one of its orders?"""
    return bool(move == chosen or (isinstance(chosen, list) and isinstance(move, Mapping) and move in chosen))


def align(rows: Sequence[Sequence[str]], text_columns: set[int]) -> str:
    """Columns of equal width: text to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column in text_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def number(value: Any) -> str:
    """A number without noise: integers whole, others to four significant places or so."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.001 else f"{value:.3g}"


def show(value: Any) -> str:
    """A move or another JSON value as short text."""
    if isinstance(value, Mapping):
        if set(value) == {"piece", "action"}:
            return "none" if value["piece"] is None else f"piece {value['piece']}"
        if {"piece", "direction", "distance"} <= set(value):
            return f"{value['piece']} {value['direction']} {value['distance']}"
        return pairs(value)
    if isinstance(value, list):
        if value and all(isinstance(item, int) for item in value):
            return "(" + ",".join(map(str, value)) + ")"
        return ", ".join(show(item) for item in value) if value else "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, int | float) else printable(value, MAX_CHARACTERS)


def pairs(value: Mapping[str, Any]) -> str:
    """`key value, key value`, without what is null."""
    return ", ".join(f"{printable(key, 40)} {show(item)}" for key, item in value.items() if item is not None)
