"""Reading requests and describing them: bounded bodies, one parser, OpenAPI for both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.responses import Response

from app.errors import MEDIA_TYPE, Problem, ProblemModel, from_validation

T = TypeVar("T", bound=BaseModel)

CURL_HINT = "send JSON: `curl --json '…'` sets the header, or add `-H 'Content-Type: application/json'`"


async def read_body(request: Request, limit: int, *, any_type: bool = False) -> bytes:
    """The whole body: 413 beyond `limit` bytes (without reading on), 415 where it is not said to be JSON."""
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


def truth(request: Request, name: str) -> bool | None:
    """A yes or no of the query; False where it is absent, None where it is neither."""
    given = request.query_params.get(name, "false").lower()
    if given in ("true", "1", "yes", "on", ""):
        return True
    return False if given in ("false", "0", "no", "off") else None


def request_body(model: Any, example: Any) -> dict[str, Any]:
    """`openapi_extra` of a route that reads its body itself."""
    return {
        "requestBody": {
            "required": True,
            # The model until its schema is asked for. The example stays text until `install_openapi`
            # reads it back: the framework drops every null on the way.
            "content": {"application/json": {"schema": model, "example": json.dumps(example)}},
        }
    }


class Route(APIRoute):
    """A route whose answer is made by hand: its model describes it, and waits until that is asked for."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self._answer = options.pop("response_model", None)
        super().__init__(path, endpoint, response_model=None, **options)

    def describe(self) -> None:
        """Make the schemas that were put off: a start does without them."""
        content = (self.openapi_extra or {}).get("requestBody", {}).get("content", {})
        for form in content.values():
            if not isinstance(form["schema"], dict):
                adapter: TypeAdapter[Any] = TypeAdapter(form["schema"])
                form["schema"] = adapter.json_schema(
                    ref_template="#/components/schemas/{model}", by_alias=True
                )
        if isinstance(self._answer, type):
            name = f"Response_{self.unique_id}"
            self.response_field = create_model_field(name=name, type_=self._answer, mode="serialization")


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses` of a route: these statuses as problem+json."""
    schema = {"$ref": "#/components/schemas/ProblemModel"}
    words = {
        404: "No such thing; `known` lists what there is.",
        413: "The body is too large.",
        415: "The body is not said to be JSON.",
        422: "The body or a parameter is wrong; `errors` names the fields.",
        503: "The engines are still being loaded.",
    }
    return {
        status: {"description": words[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in statuses
    }


def install_openapi(app: FastAPI) -> None:
    """Make what was put off, and finish hand-written bodies: `$defs` to where their references point."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is not None:
            return app.openapi_schema
        for route in app.routes:
            if isinstance(route, Route):
                route.describe()
        document = make()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(
            _lifted(
                ProblemModel.model_json_schema(ref_template="#/components/schemas/{model}"), "ProblemModel"
            )
        )
        for path in document["paths"].values():
            for operation in path.values():
                content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
                schemas.update(content.get("schema", {}).pop("$defs", {}))
                if "example" in content:
                    content["example"] = json.loads(content["example"])
        app.openapi_schema = document
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _lifted(schema: dict[str, Any], name: str) -> dict[str, Any]:
    return {**schema.pop("$defs", {}), name: schema}
