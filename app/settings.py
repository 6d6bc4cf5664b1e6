"""Every setting of the service and every limit it keeps, in one place.

The only module that reads the environment: `QUADRIGA_…` variables and a `.env` file, and `PORT`
as hosting platforms set it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, create_model, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from engines.catalogue import ENTRIES


class _Settings(BaseSettings):
    """Settings by environment, each with a default that suits a laptop."""

    model_config = SettingsConfigDict(
        env_prefix="QUADRIGA_",
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
    )

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """Port to listen on."""
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Origins whose pages may call the API, separated by commas; `*` for any. Closed by default."""
    log_format: Literal["console", "json"] = "console"
    """How log lines look."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least severe lines that are logged."""
    workers: Annotated[int, Field(ge=0, le=256)] = 0
    """Searches that run at the same time; 0: one for each core that the process may use."""
    helpers: Annotated[int, Field(ge=0, le=3)] = 1
    """Idle cores that one search may use beside its own, where it knows how to; 0: never."""
    docs: bool = True
    """Serve `/docs` and `/openapi.json`."""

    snake_author: str = "quadriga"
    """`author` in the snake's info."""
    snake_color: Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$")] = "#7a3cff"
    """`color` in the snake's info."""
    snake_head: str = "default"
    """`head` in the snake's info."""
    snake_tail: str = "default"
    """`tail` in the snake's info."""
    snake_shout: Annotated[str, Field(max_length=256)] = ""
    """What the snake shouts; where its search overrides its evolution, it shouts that."""

    max_body_bytes: Annotated[int, Field(ge=1024)] = 1_000_000
    """Largest request body; a 64x64 Battlesnake board full of snakes takes a quarter of it."""
    max_waiting: Annotated[int, Field(ge=1)] = 256
    """Searches in hand at once; one more is answered by the fallback move."""
    max_games: Annotated[int, Field(ge=1)] = 4096
    """Battlesnake games whose memory is kept; the one longest unused goes first."""

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    def default_agent(self, game: str) -> str:
        """Who plays `game` when nobody is named: `QUADRIGA_DEFAULT_<GAME>`, else the catalogue's agent."""
        return str(getattr(self, f"default_{game}"))

    def pool_size(self) -> int:
        """How many searches run at the same time."""
        return self.workers or usable_cores()


if TYPE_CHECKING:

    class Settings(_Settings):
        """With `default_<game>` of every game in the catalogue."""
else:
    Settings = create_model(
        "Settings",
        __base__=_Settings,
        __doc__=_Settings.__doc__,
        **{
            f"default_{name}": (str, Field(entry.default_agent, description=f"Who plays {name} by default."))
            for name, entry in ENTRIES.items()
        },
    )


def usable_cores() -> int:
    """Cores that this process may use (its affinity where the system knows it)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def load_settings() -> Settings:
    """Settings from the environment; a platform's `PORT` opens the service to the outside on that port."""
    port = os.environ.get("PORT")
    given: dict[str, Any] = (
        {} if port is None else {"port": port, "host": os.environ.get("QUADRIGA_HOST", "0.0.0.0")}
    )
    return Settings(**given)
