"""Reading requests and writing answers: bounded bodies, one parser, strict JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.responses import PlainTextResponse, Response

from app.decisions import text
from app.decisions.answer import Answer
from app.errors import Problem, from_validation

T = TypeVar("T", bound=BaseModel)

CURL_HINT = "send JSON: `curl --json '…'` sets the header, or add `-H 'Content-Type: application/json'`"


async def read_body(request: Request, limit: int, *, any_type: bool = False) -> bytes:
    """The whole body; 413 as soon as it exceeds `limit` bytes, 415 if its Content-Type is not JSON."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = content_type == "application/json" or (
        content_type.startswith("application/") and content_type.endswith("+json")
    )
    if not (any_type or is_json):
        said = "no Content-Type" if not content_type else "another Content-Type than JSON"
        raise Problem(415, f"The request has {said}; {CURL_HINT}.")
    too_large = Problem(413, f"The body is larger than {limit} bytes.")
    length = request.headers.get("content-length", "")
    if length.isdigit() and (len(length) > 15 or int(length) > limit):
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise too_large
    return bytes(body)


def parse(model: type[T], raw: bytes) -> T:
    """A body by its model, or 422 with the paths of the fields that are wrong."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise from_validation(error) from None


def json_response(content: Any, headers: Mapping[str, str] | None = None, status: int = 200) -> Response:
    """Strict JSON: no NaN, and strings escaped, so that no client string can break the encoding."""
    body = json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
    return Response(body, status, dict(headers or {}), "application/json")


def wants_text(request: Request) -> bool:
    """Does the client ask for plain text rather than JSON?"""
    best: dict[str, float] = {}
    for part in request.headers.get("accept", "").split(","):
        media, _, parameters = part.strip().partition(";")
        quality = 1.0
        for parameter in parameters.split(";"):
            name, _, value = parameter.strip().partition("=")
            if name == "q":
                try:
                    quality = float(value)
                except ValueError:
                    quality = 0.0
        best[media.strip().lower()] = quality
    plain = max(best.get("text/plain", 0.0), best.get("text/*", 0.0))
    return plain > 0 and plain >= best.get("application/json", 0.0)


def answered(
    request: Request,
    answer: Answer,
    shown: dict[str, Any],
    render: Callable[[str, dict[str, Any]], str] = text.render,
) -> Response:
    """An answer in the form that the client asks for: `shown` as JSON, or drawn."""
    headers = {"X-Decision-Id": answer.decision_id}
    if answer.question.explain and wants_text(request):
        return PlainTextResponse(render(answer.board(), shown), headers=headers)
    return json_response(shown, headers)


def truth(request: Request, name: str) -> bool | None:
    """A boolean of the query: False if absent, None if it is neither yes nor no."""
    given = request.query_params.get(name, "false").lower()
    if given in ("true", "1", "yes", "on", ""):
        return True
    return False if given in ("false", "0", "no", "off") else None
