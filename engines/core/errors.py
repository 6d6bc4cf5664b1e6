"""The one exception by which the engines refuse an input."""

from __future__ import annotations


class PositionError(ValueError):
    """A state, move or option that the rules do not allow.

    `path` names the offending field from the root of the value that was parsed (keys and list
    indices); `reason` says in plain words what is wrong with it. Neither quotes client strings
    of unbounded length.
    """

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{'.'.join(map(str, path)) or 'state'}: {reason}")
