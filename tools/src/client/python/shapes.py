"""Where values have bytes, which are base64 in JSON."""

from __future__ import annotations

import base64
import typing


def read(value: typing.Any, *shapes: typing.Any) -> typing.Any:
    """Returns a value as the types have it: bytes where a shape says so."""
    known = [each for shape in shapes for each in _opened(shape)]
    if not known:
        return value
    if isinstance(value, str):
        return base64.b64decode(value, validate=True) if "bytes" in known else value
    if isinstance(value, list):
        return [read(each, *(_element(shape, at) for shape in known)) for at, each in enumerate(value)]
    if isinstance(value, dict):
        fitting = [shape for shape in known if _fits(shape, value)]
        return {name: read(each, *(_member(shape, name) for shape in fitting)) for name, each in value.items()}
    return value


def _opened(shape: typing.Any) -> list[typing.Any]:
    if shape is None:
        return []
    if callable(shape):
        return _opened(shape())
    if "either" in shape:
        return [each for alternative in shape["either"] for each in _opened(alternative)]
    return [shape]


def _element(shape: typing.Any, at: int) -> typing.Any:
    if "list" in shape:
        return shape["list"]
    if "items" not in shape:
        return None
    return shape["items"][at] if at < len(shape["items"]) else shape.get("rest")


def _fits(shape: typing.Any, value: dict[str, typing.Any]) -> bool:
    return "is" not in shape or all(value.get(name) == constant for name, constant in shape["is"])


def _member(shape: typing.Any, name: str) -> typing.Any:
    if "map" in shape:
        return shape["map"]
    if "fields" not in shape:
        return None
    return dict(shape["fields"]).get(name, shape.get("rest"))
