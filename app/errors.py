"""One shape for every error: problem+json (RFC 9457). Client input is never echoed unescaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from engines.core.errors import PositionError

MEDIA_TYPE = "application/problem+json"

# The most field errors that one problem reports.
MAX_ERRORS = 20


class FieldError(BaseModel):
    """One field of the input and what is wrong with it."""

    field: str
    reason: str


class ProblemModel(BaseModel):
    """The body of every error."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None
    known: list[str] | None = None


class Problem(Exception):  # noqa: N818  (RFC 9457 calls it a problem)
    """An error that is answered as problem+json."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        known: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.errors = tuple(errors)
        self.known = tuple(known)
        self.headers = dict(headers or {})

    def body(self) -> dict[str, Any]:
        """The problem as JSON."""
        return ProblemModel(
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            detail=self.detail,
            errors=list(self.errors) or None,
            known=list(self.known) or None,
        ).model_dump(exclude_none=True)

    def response(self) -> Response:
        """The problem as an HTTP answer."""
        return JSONResponse(self.body(), self.status, headers=self.headers, media_type=MEDIA_TYPE)


def printable(text: object, limit: int = 80) -> str:
    """A client's string made harmless: ASCII, no control characters, cut to `limit`."""
    clean = str(text)[: limit + 1].encode("ascii", "backslashreplace").decode()
    clean = "".join(c if c.isprintable() else "?" for c in clean)
    return clean if len(clean) <= limit else clean[: limit - 1] + "~"


def field_path(path: Sequence[str | int]) -> str:
    """`("state", "positions", 0)` as `state.positions[0]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + printable(step, 40)
    return text or "body"


def invalid(errors: Sequence[FieldError]) -> Problem:
    """422 for these fields."""
    first = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return Problem(422, f"{first.field}: {first.reason}{more}", errors=errors[:MAX_ERRORS])


_UNION_TAGS = ("function-", "list[", "tuple[", "model-", "literal[", "nullable[", "constrained-")


def from_validation(
    error: ValidationError | RequestValidationError, root: Sequence[str | int] = ()
) -> Problem:
    """422 for pydantic's errors, without the input that it would echo."""
    found = []
    for item in error.errors():
        path = [step for step in item["loc"] if not (isinstance(step, str) and step.startswith(_UNION_TAGS))]
        reason = printable(item["msg"], 300)
        if item["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            reason = "there is no such field"
        elif item["type"] == "missing":
            reason = "this field is required"
        found.append(FieldError(field=field_path([*root, *path]), reason=reason))
    return invalid(found)


def from_position(error: PositionError, root: Sequence[str | int] = ("state",)) -> Problem:
    """422 for a state that the engine refuses."""
    return invalid([FieldError(field=field_path([*root, *error.path]), reason=printable(error.reason, 300))])


def install(app: FastAPI) -> None:
    """Answer every exception with a problem."""

    async def problem(_request: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        return error.response()

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = printable(error.detail, 300)
        if error.status_code == 404 and error.detail == "Not Found":
            detail = "There is nothing here; /docs lists every route."
        elif error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "another method")
            detail = f"This route does not take {printable(request.method, 20)}; it takes {allowed}."
        return Problem(error.status_code, detail, headers=error.headers).response()

    async def validation(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return from_validation(error).response()

    async def unexpected(request: Request, error: Exception) -> Response:
        structlog.get_logger().error("unexpected error", path=request.url.path, exc_info=error)
        return Problem(500, "Something went wrong on our side; the log has the details.").response()

    app.add_exception_handler(Problem, problem)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, validation)
    app.add_exception_handler(Exception, unexpected)
