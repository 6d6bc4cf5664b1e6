"""The file that ships."""

import hashlib
from pathlib import Path

import pytest

from engines.flag.weights import PACKAGE

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


def test_the_file_that_ships_is_the_one_that_the_docs_tell_how_to_make():
    """`quadriga train flag equilibrium --seed 0`, byte for byte: docs/flag.md tells the digest."""
    digest = hashlib.sha256((PACKAGE / "value.npz").read_bytes()).hexdigest()
    assert digest in (Path(__file__).parents[2] / "docs" / "flag.md").read_text()
