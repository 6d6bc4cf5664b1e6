"""The arena's command is typed as the others are."""

from tests.app.cli.conftest import quadriga

__all__ = ["quadriga"]
