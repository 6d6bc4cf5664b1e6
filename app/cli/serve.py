"""`quadriga serve`: the service."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.output import Refusal, settings


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on [127.0.0.1, with PORT set 0.0.0.0].")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on [8000, or PORT].")
    ] = None,
) -> None:
    """Serve the API.

    Settings also come from the environment (QUADRIGA_...) and a .env file.

    Example: quadriga serve --port 8000
    """
    chosen = settings()
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    from app.runtime.server import run

    refused = run(chosen.model_copy(update=given))
    if refused is not None:
        raise Refusal(refused)
