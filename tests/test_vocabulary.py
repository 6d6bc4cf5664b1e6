"""The field's words (docs/glossary.md): names that it has retired do not come back, and code stays readable.

Looked at are the identifiers, file names and key-like texts (JSON keys, terms, metrics) of the product.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("app", "arena", "bench", "engines", "training")

# What stands in their place is in docs/glossary.md.
RETIRED = frozenset(
    (
        *("word", "words", "worth", "weigh", "weighed", "judge", "judged", "valued", "walker", "follow"),
        *("findings", "outlook", "outlooks", "looks", "lie", "landing", "oddities", "oddity", "foreseen"),
        *("foretold", "trusted", "suspicion", "suspicions", "standing", "told", "helping", "helped", "spare"),
        *(
            "thought",
            "thoughts",
            "study",
            "hope",
            "lore",
            "instincts",
            "settle",
            "settled",
            "climb",
            "ladder",
        ),
        *("ladders", "rung", "rungs", "trail", "trails", "chart", "meals", "habit", "beside", "evidence"),
        *("listing", "onward", "adopt", "taken", "exits", "rings"),
    )
)

# A retired word where it is the right one: "file or folder: name".
ALLOWED = frozenset(
    (
        # The document's study, and Optuna's; Optuna's users say it so.
        *("app/cli: study", "arena: study", "arena/presets: STUDY"),
        *("training/battlesnake.py: study", "training/battlesnake.py: _study"),
        "training/battlesnake.py: study_file",
        # A tournament's table; a key of older results.
        *("arena/results.py: Standing", "arena/players.py: toldMs"),
        # Names in checkpoints and parameters of old, which are still read or answered.
        *(
            "training/flag.py: worth",
            "engines/battlesnake/agents: draw_worth",
            "bench/ratio_worker.py: words",
        ),
        # Maps of the official rules; rings that are circular buffers.
        *("bench/gauntlet.py: hz_rings", "engines/battlesnake/parse.py: hz_rings"),
        *("engines/battlesnake/state.py: body_rings", "engines/battlesnake/rules.py: _copy_all_but_rings"),
        # Landing on a star or a globe is what Ludo's players say.
        *("engines/ludo/evaluation/exposure.py: landing", "engines/ludo/evaluation/exposure.py: _LANDING"),
        "engines/ludo/evaluation/exposure.py: _STAR_LANDING",
        # Cells and pieces that are taken; ways out of a cell; the trail of a knight.
        *("arena/referees: _taken", "engines/isolation: taken", "engines/ludo/q_learning: taken"),
        *("engines/isolation: exits", "engines/isolation/solver: trail"),
        *("engines/isolation/solver: trail_even", "engines/isolation/solver: trail_odd"),
    )
)

KEY = re.compile(r"[A-Za-z]+([_-][A-Za-z0-9]+)*")

LONGEST = 60
"""Lines of a function."""
MOST_PARAMETERS = 8
"""Of a function, `self` aside."""

# Functions that read better whole, with the reason beside them; the same is said in their comment.
WHOLE: dict[str, str] = {}
WIDE = {"engines/core/kernel_store.py: _rebuild": "part by part what Numba's CompileResult._rebuild takes"}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the production code, by its path from the root."""
    files = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in files}


def names(tree: ast.Module) -> Iterator[str]:
    """Names that a module gives, and texts that are keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
            yield node.value


def parts(name: str) -> list[str]:
    """`readNextWord`, `read_next_word` and `READ_NEXT_WORD` as their words."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [part.lower() for part in re.split(r"[_-]", spaced) if part]


def allowed(path: str, name: str) -> bool:
    return any(f"{place}: {name}" in ALLOWED for place in (path, *map(str, Path(path).parents)))


def test_retired_words_do_not_come_back() -> None:
    found = {
        f"{path}: {name}"
        for path, tree in modules().items()
        for name in (*names(tree), *Path(path).with_suffix("").parts)
        if RETIRED.intersection(parts(name)) and not allowed(path, name)
    }
    assert not found, "docs/glossary.md has the word for:\n" + "\n".join(sorted(found))


def test_the_allow_list_names_what_is_there() -> None:
    there = {
        f"{place}: {name}"
        for path, tree in modules().items()
        for name in (*names(tree), *Path(path).with_suffix("").parts)
        for place in (path, *map(str, Path(path).parents))
    }
    assert not ALLOWED - there


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path}: {node.name}", node


def test_a_function_fits_a_screen() -> None:
    long = {name for name, node in functions() if (node.end_lineno or 0) - node.lineno >= LONGEST}
    assert long == WHOLE.keys()


def test_a_function_takes_few_things() -> None:
    def count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        given = node.args
        plain = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        return sum(one.arg not in ("self", "cls") for one in plain) + bool(given.vararg) + bool(given.kwarg)

    assert {name for name, node in functions() if count(node) > MOST_PARAMETERS} == WIDE.keys()


@pytest.mark.parametrize(
    ("name", "words"), [("readNextWord", ["read", "next", "word"]), ("A_B-c", ["a", "b", "c"])]
)
def test_names_are_split_into_words(name: str, words: list[str]) -> None:
    assert parts(name) == words
