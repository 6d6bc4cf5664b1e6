"""`quadriga isolation`: solves the game on a given board."""

from __future__ import annotations

import queue
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import guarded
from app.cli.output import Json, Refusal, compact

if TYPE_CHECKING:
    from engines.isolation.openings.solution import Answers, Pair

BROKEN_OFF = 130
NOTHING = "-"
LARGEST = 9

isolation = typer.Typer(
    no_args_is_help=True,
    help="""Isolation solved: who wins after each pair of placements, by which first moves and which answers.

Example:  quadriga isolation solve --out 7x7.txt
""",
)


@isolation.callback()
def _group() -> None:
    pass


@isolation.command()
@guarded
def solve(
    board: Annotated[str, typer.Option(metavar="ROWSxCOLUMNS", help="Which board.")] = "7x7",
    out: Annotated[
        Path | None,
        typer.Option(help="The table, written when all is solved; .cache/isolation/… without it."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the pairs that are solved.")] = False,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Threads.")] = 2,
    as_json: Json = False,
) -> None:
    """Solve a board: all pairs of placements up to symmetry, each first move and all that wins against it.

    The table is two hexadecimal digits a first move, as engines/isolation/openings/book.py ships it for 7x7:
    minutes on two cores (much larger boards: many hours). Pairs that are solved stand in FILE.part, one a
    line; Ctrl-C keeps them, --resume goes on from them.

    Example:  quadriga isolation solve --out 7x7.txt --resume
    """
    from engines.isolation.openings.solution import encode, first_moves, pairs

    height, width = _size(board)
    target = out or Path(".cache") / "isolation" / f"{height}x{width}.txt"
    part = target.with_name(target.name + ".part")
    every = pairs(height, width)
    moves = {pair: len(first_moves(height, width, pair)) for pair in every}
    known = _kept(part, moves) if resume else {}
    began = time.perf_counter()
    nodes = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w") as kept:
            for pair, answers in known.items():
                kept.write(_line(pair, answers))
            kept.flush()
            for pair, answers, took in _solved(height, width, known, workers):
                known[pair] = answers
                nodes += took
                kept.write(_line(pair, answers))
                kept.flush()
                _progress(len(known), len(every), time.perf_counter() - began, nodes)
        table = encode(height, width, known)
        target.write_text(table)
    except KeyboardInterrupt:
        print(f"\n{len(known)} of {len(every)} pairs kept in {part}; go on with --resume", file=sys.stderr)
        raise typer.Exit(BROKEN_OFF) from None
    except OSError as error:
        raise Refusal(f"{target}: {error.strerror}") from None
    part.unlink()
    found = {
        "file": str(target),
        "board": f"{height}x{width}",
        "pairs": len(every),
        "won": sum(0 in known[pair] for pair in every),
        "seconds": round(time.perf_counter() - began, 1),
        "nodes": nodes,
        "shipped": _compared(height, width, table),
    }
    print(compact(found) if as_json else _report(found))
    if found["shipped"] == "different":
        raise typer.Exit(1)


def _compared(height: int, width: int, table: str) -> str | None:
    """Whether the table equals the one shipped for this board; None if none is shipped."""
    from engines.isolation.openings.book import SOLVED

    shipped = SOLVED.get((height, width))
    return None if shipped is None else "the same" if shipped == table else "different"


def _report(found: Mapping[str, Any]) -> str:
    text = f"{found['file']}: {found['pairs']} pairs, the side to move wins {found['won']} of them"
    return text + (f"\nthe shipped table is {found['shipped']}" if found["shipped"] else "")


def _size(board: str) -> tuple[int, int]:
    read = re.fullmatch("([1-9])x([1-9])", board)
    if read is None:
        raise Refusal(f"--board: rows and columns, 1x1 to {LARGEST}x{LARGEST}, as 7x7")
    return int(read[1]), int(read[2])


def _line(pair: Pair, answers: Answers) -> str:
    return f"{pair[0]} {pair[1]} {bytes(answers).hex() or NOTHING}\n"


def _kept(part: Path, every: Mapping[Pair, int]) -> dict[Pair, Answers]:
    """The pairs of a file that was kept; a last line that was cut short is dropped.

    `every` is how many first moves each pair has.
    """
    known: dict[Pair, Answers] = {}
    try:
        lines = part.read_text().split("\n")[:-1]
    except FileNotFoundError:
        return known
    except (OSError, UnicodeDecodeError):
        raise Refusal(f"{part} cannot be read") from None
    for number, line in enumerate(lines, 1):
        parts = line.split()
        if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,3}", square) for square in parts[:2]):
            raise Refusal(f"{part}, line {number}: not two squares and answers")
        pair, text = (int(parts[0]), int(parts[1])), "" if parts[2] == NOTHING else parts[2]
        if pair not in every or not re.fullmatch(f"[0-9a-f]{{{2 * every[pair]}}}", text):
            raise Refusal(f"{part}, line {number}: not a pair of this board, or not its answers")
        known[pair] = tuple(bytes.fromhex(text))
    return known


def _solved(
    height: int, width: int, known: Mapping[Pair, Answers], workers: int
) -> Iterator[tuple[Pair, Answers, int]]:
    """Each pair that is not known, its answers and their nodes, as the threads finish them."""
    from engines.isolation.openings.solution import WAYS, pairs, solve_pair
    from engines.isolation.solver.proof import TranspositionTable

    waiting: queue.SimpleQueue[Pair] = queue.SimpleQueue()
    open_pairs = [pair for pair in pairs(height, width) if pair not in known]
    for pair in open_pairs:
        waiting.put(pair)
    done: queue.SimpleQueue[tuple[Pair, Answers, int] | BaseException] = queue.SimpleQueue()
    stop = threading.Event()

    def work() -> None:
        decided = TranspositionTable(height * width, WAYS)
        spent = 0

        def go_on(nodes: int) -> bool:
            nonlocal spent
            spent += nodes
            return not stop.is_set()

        try:
            while not stop.is_set():
                spent = 0
                pair = waiting.get_nowait()
                answers = solve_pair(height, width, pair, decided, go_on)
                if answers is not None:
                    done.put((pair, answers, spent))
        except queue.Empty:
            return
        except BaseException as error:  # noqa: BLE001 - raised again where somebody sees it
            done.put(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(workers, len(open_pairs)))]
    for thread in threads:
        thread.start()
    try:
        for _ in open_pairs:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _progress(solved: int, total: int, seconds: float, nodes: int) -> None:
    """A line that is rewritten on a terminal, elsewhere a line now and then; on stderr."""
    terminal = sys.stderr.isatty()
    if terminal or solved == total or solved % 50 == 0:
        text = f"{solved}/{total} pairs  {seconds:.0f} s  {nodes / 1e6:.0f} million nodes"
        ended = not terminal or solved == total
        print(("\r" if terminal else "") + text, end="\n" if ended else "", file=sys.stderr, flush=True)
