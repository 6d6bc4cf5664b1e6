"""The version, from the installed package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("quadriga")
    except PackageNotFoundError:
        return "0+source"


VERSION = _version()
