"""The shipped conformance data: thinned vector files with every tag present (`thin.py` makes them)."""

import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from tests.vectors.thin import PER_TAG, tags

HERE = Path(__file__).parent

# Runs without machine code take every n-th line of the large files, and some for each tag.
THIN = int(os.environ.get("QUADRIGA_THIN", "1"))
LARGE = 1000


def path(name: str) -> Path:
    """The shipped file of that name (`ludo.jsonl.gz`)."""
    return HERE / name


def lines(name: str) -> list[dict[str, Any]]:
    """Every record of a shipped file; a whole-file document gives one record."""
    raw = path(name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode()
    if name.endswith(".json"):
        return [json.loads(text)]
    records = [json.loads(line) for line in text.splitlines() if line]
    whole = THIN == 1 or len(records) <= LARGE or "recorded" in records[0]
    return records if whole else _thinned(records)


def _thinned(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept, shown = [], Counter[str]()
    for number, record in enumerate(records):
        found = tags(record)
        if number % THIN == 0 or any(shown[tag] < PER_TAG for tag in found):
            kept.append(record)
            shown.update(found)
    return kept
