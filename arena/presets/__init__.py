"""The presets by their names. A new one is a module with a `Preset`, and its line here."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import ArenaError
from arena.presets.battlesnake_override import BattlesnakeAblation, BattlesnakeOverride
from arena.presets.flag_roster import FlagRoster, FlagRosterFromStart
from arena.presets.isolation_steadman import IsolationSteadman
from arena.presets.preset import Preset

PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        IsolationSteadman(),
        BattlesnakeOverride(),
        BattlesnakeAblation(),
        FlagRoster(),
        FlagRosterFromStart(),
    )
}


def preset(name: str) -> Preset:
    """The preset of that name."""
    if name not in PRESETS:
        raise ArenaError(f"no preset is called {name[:60]!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]
