"""`renamed.json` at work: questions and answers of c133b38 in today's names.

A map is looked up under the old agent's spec and under "*". None as a new name says that it is gone: a
question with such an agent, parameter or value is not asked any more, such a term, key or figure not
compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.recorded.form import HERE

SENTENCES = frozenset({"notes", "reason", "text", "theorem", "proof", "meaning"})
"""Keys whose values are recorded and not compared: wording is free."""
PARTS = ("stats", "context", "details")


class Renaming:
    """The names of one game."""

    def __init__(self, game: str, table: Mapping[str, Any] | None = None) -> None:
        self._table = (table or json.loads((HERE / "renamed.json").read_text("utf-8")))[game]

    def spec(self, agent: str, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The entry of `agents` that fits best, and the parameters that it fixes."""
        best: tuple[str, dict[str, Any]] = (agent, {})
        for spec in self._table["agents"]:
            name, _, rest = spec.partition(":")
            fixed = dict(pair.split("=") for pair in rest.split(",")) if rest else {}
            fits = name == agent and all(str(parameters.get(key)) == value for key, value in fixed.items())
            if fits and len(fixed) >= len(best[1]):
                best = spec, fixed
        return best

    def question(self, agent: str, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """Today's agent and parameters; None where the question is gone."""
        spec, fixed = self.spec(agent, parameters)
        name = self._table["agents"].get(spec, agent)
        names, values = self._map("parameters", spec), self._map("values", spec)
        asked: dict[str, Any] = {}
        for key, value in parameters.items():
            if key in fixed:
                continue
            new, worth = names.get(key, key), value
            if isinstance(value, (str, int, bool)):
                worth = values.get(key, {}).get(str(value), value)
            if new is None or worth is None:
                return None
            asked[new] = worth
        return None if name is None else (name, asked)

    def answer(self, old: Mapping[str, Any], agent: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """A recorded answer in today's names, without its sentences."""
        spec, _ = self.spec(agent, parameters)
        strings = self._map("strings", spec)
        found = dict(old)
        for part in PARTS[:2]:
            if part in found:
                found[part] = _renamed(found[part], self._map(part, spec), strings)
        if "candidates" in found:
            terms, details = self._map("terms", spec), self._map("details", spec)
            found["candidates"] = [
                {
                    "move": candidate["move"],
                    "score": candidate["score"],
                    "terms": _summed(candidate["terms"], terms),
                    "details": _renamed(candidate["details"], details, strings),
                }
                for candidate in found["candidates"]
            ]
        return found

    def bare(self, new: Mapping[str, Any]) -> dict[str, Any]:
        """Today's answer without its sentences and without what c133b38 did not tell."""
        added = self._table["added"]
        found = dict(new)
        for part in PARTS[:2]:
            if part in found:
                found[part] = _renamed(found[part], dict.fromkeys(added[part]), {})
        if "candidates" in found:
            found["candidates"] = [
                {
                    "move": candidate["move"],
                    "score": candidate["score"],
                    "terms": _summed(candidate["terms"], {}),
                    "details": _renamed(candidate["details"], dict.fromkeys(added["details"]), {}),
                }
                for candidate in found["candidates"]
            ]
        return found

    def _map(self, part: str, spec: str) -> dict[str, Any]:
        maps = self._table[part]
        return {**maps.get("*", {}), **maps.get(spec, {})}


def _renamed(value: Any, keys: Mapping[str, str | None], strings: Mapping[str, str]) -> Any:
    """Keys at any depth, and texts that are names."""
    if isinstance(value, Mapping):
        kept = {
            keys.get(key, key): _renamed(item, keys, strings)
            for key, item in value.items()
            if key not in SENTENCES
        }
        return {key: item for key, item in kept.items() if key is not None}
    if isinstance(value, list):
        return [_renamed(item, keys, strings) for item in value]
    return strings.get(value, value) if isinstance(value, str) else value


def _summed(terms: Mapping[str, Any], names: Mapping[str, str | None]) -> dict[str, Any]:
    """Terms in today's names; those that have become one are added up."""
    found: dict[str, Any] = {}
    for old, value in terms.items():
        new = names.get(old, old)
        if new is not None:
            found[new] = found[new] + value if new in found else value
    return found


def difference(old: Any, new: Any, path: str = "") -> str | None:
    """The first field in which two answers differ, and both its values; None where they are the same."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            here = f"{path}.{key}".lstrip(".")
            if key not in new:
                return f"{here}: recorded {old[key]!r}, now missing"
            if key not in old:
                return f"{here}: not recorded, now {new[key]!r}"
            if found := difference(old[key], new[key], here):
                return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            if found := difference(one, other, f"{path}[{index}]"):
                return found
        return None
    # By their text: 0.0 is not -0.0, and True not 1.
    return None if repr(old) == repr(new) else f"{path}: recorded {old!r}, now {new!r}"
