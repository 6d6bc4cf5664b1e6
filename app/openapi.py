"""What `/openapi.json` says of routes that read and answer by hand.

Routes are added with their models. The schemas are made when the document is first requested: this keeps the
start short.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from app.errors import MEDIA_TYPE, ProblemModel

COMPONENTS = "#/components/schemas/"
_PROBLEMS = {
    404: "No such thing; `known` lists what there is.",
    413: "The body is too large.",
    415: "The body is not said to be JSON.",
    422: "The body or a parameter is wrong; `errors` names the fields.",
    503: "The engines are still being loaded.",
}


def request_body(model: Any, example: Any, game: str) -> dict[str, Any]:
    """`openapi_extra` of a route that reads its body itself, a model of this game."""
    return {
        "requestBody": {
            "required": True,
            # The model is replaced by its schema when the document is made. The example is text until
            # then, because FastAPI drops nulls.
            "content": {
                "application/json": {"schema": (model, game.capitalize()), "example": json.dumps(example)}
            },
        }
    }


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses` of a route: these statuses as problem+json."""
    schema = {"$ref": f"{COMPONENTS}ProblemModel"}
    return {
        status: {"description": _PROBLEMS[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in statuses
    }


class Route(APIRoute):
    """A route whose answer is made by hand: `response_model` describes it and is not run."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        model = options.pop("response_model", None)
        self.answer: type[BaseModel] | None = model if isinstance(model, type) else None
        super().__init__(path, endpoint, response_model=None, **options)


def install_openapi(app: FastAPI) -> None:
    """Complete the document with bodies, answers and examples when it is first requested."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            routes = [route for route in app.routes if isinstance(route, Route) and route.include_in_schema]
            bodies = {name: schema for route in routes for name, schema in _describe_body(route).items()}
            document = make()
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            schemas.update(bodies)
            schemas.update(_describe_answers(document, routes))
            for path in document["paths"].values():
                for operation in path.values():
                    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
                    if "example" in content:
                        content["example"] = json.loads(content["example"])
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _describe_body(route: Route) -> dict[str, Any]:
    """Replace the model of a route's body by its schema, and return the components that this refers to.

    Components are prefixed with the game's name, since every game has a `State`.
    """
    found: dict[str, Any] = {}
    content = (route.openapi_extra or {}).get("requestBody", {}).get("content", {})
    for form in content.values():
        if not isinstance(form["schema"], dict):
            model, game = form["schema"]
            adapter: TypeAdapter[Any] = TypeAdapter(model)
            form["schema"] = adapter.json_schema(ref_template=f"{COMPONENTS}{game}{{model}}", by_alias=True)
            parts = form["schema"].pop("$defs", {})
            found.update({f"{game}{name}": schema for name, schema in parts.items()})
    return found


def _describe_answers(document: dict[str, Any], routes: list[Route]) -> dict[str, Any]:
    """Make each route's answer refer to its model, and return the components."""
    models: list[type[BaseModel]] = [ProblemModel, *(route.answer for route in routes if route.answer)]
    references, schemas = models_json_schema(
        [(model, "serialization") for model in dict.fromkeys(models)], ref_template=f"{COMPONENTS}{{model}}"
    )
    for route in routes:
        if route.answer:
            for method in route.methods or ():
                answer = document["paths"][route.path_format][method.lower()]["responses"]["200"]
                answer["content"]["application/json"]["schema"] = references[route.answer, "serialization"]
    return dict(schemas["$defs"])
