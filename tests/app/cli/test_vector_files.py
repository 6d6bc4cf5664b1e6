"""Reading vector files and reporting on them, with formats so small that every outcome is plain to see."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.cli import conformance
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat
from tests.app.cli.conftest import Ran

Quadriga = Callable[..., Ran]


def add(record: Any) -> Replay:
    if "sum" not in record:
        raise DamagedLineError("sum: missing")
    if record["a"] == "crash":
        raise OverflowError("too large for a cell")
    got = record["a"] + record["b"]
    found = () if got == record["sum"] else (Difference("sum", record["sum"], got),)
    return Replay(found, lambda: f"a is {record['a']}", lambda: f"add {record['b']}")


def table(record: Any) -> Replay:
    found = [Difference(f"table[{i}]", entry, i) for i, entry in enumerate(record["table"]) if entry != i]
    return Replay(tuple(found), lambda: "a table", lambda: "none", steps=len(record["table"]))


def undrawable(record: Any) -> Replay:
    return Replay(
        (Difference("piece", float("inf"), record["piece"]),), lambda: {}["board"], lambda: "\x1b[2Jgone"
    )


FORMATS = (
    VectorFormat("sums", lambda record: "a" in record, add),
    VectorFormat("tables", lambda record: "table" in record, table),
    VectorFormat("decisions", lambda record: "choice" in record, None, agent="oracle"),
    VectorFormat("odd", lambda record: "piece" in record, undrawable),
)

GOOD = b'{"a": 1, "b": 2, "sum": 3}\n'
WRONG = b'{"a": 1, "b": 2, "sum": 4}\n'


@pytest.fixture(autouse=True)
def _formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "load", lambda name: SimpleNamespace(name=name, formats=FORMATS))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def put(name: str, content: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return put


Write = Callable[[str, bytes], Path]


@pytest.mark.parametrize(
    ("name", "content", "steps"),
    [
        ("a.jsonl", GOOD * 3, 3),
        ("a.jsonl", GOOD + b"\n  \n" + GOOD.rstrip(), 2),
        ("crlf.jsonl", GOOD.replace(b"\n", b"\r\n") * 2, 2),
        ("a.jsonl.gz", gzip.compress(GOOD * 3), 3),
        ("two-members.jsonl.gz", gzip.compress(GOOD) + gzip.compress(GOOD), 2),
        ("packed-without-saying", gzip.compress(GOOD), 1),
        ("not-packed.jsonl.gz", GOOD, 1),
        ("one-line.json", b'{"table": [0, 1, 2]}', 3),
        ("document.json", b'{"note": "x",\n "table": [\n0,\n1]}\n', 2),
        ("document.json.gz", gzip.compress(b'{"note": "x",\n "table": [0, 1]}'), 2),
        ("document-by-content", b'{\n"table": [0]\n}', 1),
        ("lines.json", GOOD * 2, 2),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_good_files_of_every_form(quadriga: Quadriga, write: Write, name: str, content: bytes, steps: int):
    ran = quadriga("conformance", "ludo", write(name, content))
    assert ran == (0, f"{steps} steps, 0 divergences\n", "")


def test_a_divergence_is_shown_as_before_moves_expected_got(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.jsonl", GOOD + WRONG))
    assert ran.code == 1
    lines = [line.strip() for line in ran.out.splitlines()]
    assert lines[0].endswith("a.jsonl, line 2 (sums) diverges")
    assert lines[1:8] == ["before", "a is 1", "moves", "add 2", "sum", "expected 4", "got      3"]
    assert lines[-1] == "2 steps, 1 divergences"
    assert ran.err == ""


def test_all_divergences_are_counted_and_the_first_few_shown(quadriga: Quadriga, write: Write):
    path = write("a.jsonl", WRONG * 9)
    assert quadriga("conformance", "ludo", path).out.count("diverges") == 5
    ran = quadriga("conformance", "ludo", path, "--limit", "2")
    assert ran.out.count("diverges") == 2
    assert ran.out.endswith("\n9 steps, 9 divergences\n")
    assert quadriga("conformance", "ludo", path, "--limit", "0").out == "9 steps, 9 divergences\n"


def test_a_table_diverges_by_its_entries(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.json", b'{"table": [0, 7, 2, 8]}'))
    assert ran.code == 1
    assert ran.out.endswith("4 steps, 2 divergences\n")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"a": 1, "b": 2', "not JSON"),
        (b"nonsense", "not JSON"),
        (b'{"a": 1, "b": 2}', "sum: missing"),
        (b'{"a": NaN, "b": 2, "sum": 3}', "NaN is not JSON"),
        (b'{"a": 1, "b": -Infinity, "sum": 3}', "-Infinity is not JSON"),
        (b'{"a": "\xff", "b": 2, "sum": 3}', "not UTF-8 (byte 8)"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number of too many digits"),
        (b'{"a": "crash", "sum": 3}', "OverflowError"),
        (b'{"a": 1e400, "sum": 3}', "KeyError"),
        (b'{"other": 1}', "of no format of this game (sums, tables, decisions, odd)"),
        (b"[1, 2]", "not a JSON object"),
        (b"null", "not a JSON object"),
    ],
    ids=lambda value: value[:24].decode(errors="replace") if isinstance(value, bytes) else None,
)
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_damaged_line_is_named_and_the_others_are_replayed(
    quadriga: Quadriga, write: Write, line: bytes, reason: str, at: int
):
    lines = [GOOD, GOOD, GOOD]
    lines[at - 1] = line + b"\n"
    ran = quadriga("conformance", "ludo", write("a.jsonl", b"".join(lines)))
    assert ran.code == 2
    assert ran.out == "2 steps, 0 divergences\n"
    assert f"a.jsonl, line {at}: damaged: " in ran.err
    assert reason in ran.err
    assert len(ran.err.splitlines()) == 1


def test_damage_outranks_divergence_and_hides_none(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.jsonl", b"{\n" + WRONG))
    assert ran.code == 2
    assert "diverges" in ran.out
    assert ran.out.endswith("1 steps, 1 divergences\n")


@pytest.mark.parametrize("cut", [-1, -8, -12])
def test_a_truncated_archive_is_damage(quadriga: Quadriga, write: Write, cut: int):
    packed = gzip.compress(b"".join(b'{"a": %d, "b": 2, "sum": %d}\n' % (n, n + 2) for n in range(100)))
    ran = quadriga("conformance", "ludo", write("a.jsonl.gz", packed[:cut]))
    assert ran.code == 2
    assert "the gzip archive is cut off here" in ran.err
    assert "steps, 0 divergences\n" in ran.out


def test_a_spoilt_archive_is_damage(quadriga: Quadriga, write: Write):
    packed = bytearray(gzip.compress(GOOD * 3))
    packed[-6] ^= 1
    ran = quadriga("conformance", "ludo", write("a.jsonl.gz", bytes(packed)))
    assert ran.code == 2
    assert "a.jsonl.gz, line 4: damaged: the gzip archive is damaged here" in ran.err


def test_a_cut_document_is_damaged_once(quadriga: Quadriga, write: Write):
    document = b'{"note": "x",\n "table": [\n0,\n1]}\n'
    for path in (write("a.json", document[:-4]), write("b.json.gz", gzip.compress(document)[:-9])):
        ran = quadriga("conformance", "ludo", path)
        assert ran.code == 2
        assert len(ran.err.splitlines()) == 1
        assert ran.out == "0 steps, 0 divergences\n"


def test_a_file_of_rubbish_is_reported_in_few_words(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.jsonl", b"x\n" * 1000))
    assert ran.code == 2
    assert len(ran.err.splitlines()) == conformance.DAMAGE_SHOWN + 1
    assert f"{1000 - conformance.DAMAGE_SHOWN} more damaged lines" in ran.err


@pytest.mark.parametrize("content", [b"", b"\n\n", gzip.compress(b"")], ids=["nothing", "blank", "packed"])
def test_an_empty_file_is_no_success(quadriga: Quadriga, write: Write, content: bytes):
    ran = quadriga("conformance", "ludo", write("a.jsonl", content))
    assert ran.code == 2
    assert ran.out == "0 steps, 0 divergences\n"
    assert "empty, nothing to replay" in ran.err


def test_files_that_cannot_be_read_are_named(quadriga: Quadriga, write: Write, tmp_path: Path):
    good = write("a.jsonl", GOOD)
    ran = quadriga("conformance", "ludo", tmp_path / "none.jsonl", tmp_path, good)
    assert ran.code == 2
    assert "none.jsonl: cannot be read (No such file or directory)" in ran.err
    assert f"{tmp_path}: cannot be read (Is a directory)" in ran.err
    assert ran.out.endswith("\n1 steps, 0 divergences\n")


def test_several_files_have_one_sum(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.jsonl", GOOD), write("b.jsonl", GOOD * 2))
    assert ran.code == 0
    assert [line.split("/")[-1] for line in ran.out.splitlines()] == [
        "a.jsonl: 1 replayed, 0 diverge",
        "b.jsonl: 2 replayed, 0 diverge",
        "3 steps, 0 divergences",
    ]


def test_a_decision_file_names_the_agent_that_it_needs(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.jsonl", b'{"choice": 1}\n' * 3), write("b.jsonl", GOOD))
    assert ran.code == 2
    assert ran.err.count("decisions needs the agent 'oracle', which is not there yet") == 1
    assert ran.out.endswith("\n1 steps, 0 divergences\n")


def test_json_says_all_of_it(quadriga: Quadriga, write: Write):
    path = write("a.jsonl", GOOD + WRONG + b"{\n" + b'{"choice": 1}\n')
    ran = quadriga("conformance", "ludo", path, "--json")
    assert ran.code == 2
    assert ran.err == ""
    assert json.loads(ran.out) == {
        "game": "ludo",
        "steps": 2,
        "divergences": 1,
        "exit": 2,
        "files": [
            {
                "file": str(path),
                "steps": 2,
                "divergences": 1,
                "damaged": [{"line": 3, "reason": json.loads(ran.out)["files"][0]["damaged"][0]["reason"]}],
                "missingAgents": {"decisions": "oracle"},
                "unreadable": None,
            }
        ],
        "shown": [
            {
                "file": str(path),
                "line": 2,
                "format": "sums",
                "before": "a is 1",
                "moves": "add 2",
                "differences": [{"field": "sum", "expected": 4, "got": 3}],
            }
        ],
    }


def test_what_a_line_says_cannot_steer_the_terminal(quadriga: Quadriga, write: Write):
    ran = quadriga("conformance", "ludo", write("a.jsonl", b'{"piece": "\\ud800\\u001b[2J"}'))
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert "(cannot be drawn: KeyError)" in ran.out
    assert 'expected "inf"' in ran.out
    assert 'got      "\\ud800\\u001b[2J"' in ran.out


@pytest.mark.parametrize("name", ["ludo", "ludo-agents", "ludo_tables"])
def test_a_format_is_an_alias_of_its_game(quadriga: Quadriga, write: Write, name: str):
    assert quadriga("conformance", name, write("a.jsonl", GOOD)).code == 0


@pytest.mark.parametrize("name", ["chess", "", "lud"])
def test_an_unknown_game_is_refused_with_those_there_are(quadriga: Quadriga, write: Write, name: str):
    ran = quadriga("conformance", name, write("a.jsonl", GOOD))
    assert ran.code == 2
    assert "there are battlesnake, ludo, isolation, flag" in ran.err
    assert ran.out == ""
