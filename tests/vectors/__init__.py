"""The shipped conformance data: thinned vector files with every tag present (`thin.py` makes them)."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

# Runs without machine code take every n-th line (see the Makefile).
THIN = int(os.environ.get("QUADRIGA_THIN", "1"))


def path(name: str) -> Path:
    """The shipped file of that name (`ludo.jsonl.gz`)."""
    return HERE / name


def lines(name: str) -> list[dict[str, Any]]:
    """Every record of a shipped file; a whole-file document gives one record."""
    raw = path(name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode()
    if name.endswith(".json"):
        return [json.loads(text)]
    return [json.loads(line) for line in text.splitlines()[::THIN] if line]
