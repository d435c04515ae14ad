"""Runs the table of odd values through the generated client: python odd.py URL TABLE. Prints what becomes of each row."""

from __future__ import annotations

import base64
import json
import math
import sys

from odd_values import OMITTED, Client, RpcError

url, table = sys.argv[1:]


def written(value: object) -> str:
    """Writes a value with its members in order, and whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return "-0" if value == 0 and math.copysign(1, value) < 0 else str(int(value))
    if isinstance(value, list):
        return f"[{','.join(map(written, value))}]"
    if isinstance(value, dict):
        members = [f"{json.dumps(name)}:{written(value[name])}" for name in sorted(value)]
        return f"{{{','.join(members)}}}"
    if isinstance(value, bytes):
        return json.dumps(base64.b64encode(value).decode())
    return json.dumps(value)


class NoValue(Exception):
    """A type of Python has no such value."""


def read(procedure: str, value: object) -> object:
    """Returns the value of a parameter, with bytes where the procedure takes them."""
    if not procedure.startswith("binar"):
        return value
    if isinstance(value, list):
        return [read(procedure, each) for each in value]
    if not isinstance(value, str):
        return value
    decoded = base64.b64decode(value)
    if base64.b64encode(decoded).decode() != value:
        raise NoValue
    return decoded


def outcome(client: Client, procedure: str, given: str) -> str:
    try:
        value = OMITTED if given == "left out" else read(procedure, json.loads(given))
        arrived = getattr(client, procedure)(value=value)
    except NoValue:
        return "no such value"
    except RpcError as error:
        return str(error)
    except ValueError as error:
        return f"not sent: {error}"
    return f"{arrived['shown']}, returns {written(arrived['value'])}"


with open(table, encoding="utf-8") as file:
    rows = json.load(file)
with Client(url) as client, Client(url, use_get=False) as posting:
    for procedure, given, _ in rows:
        for each in (client, posting):
            print(json.dumps([procedure, given, outcome(each, procedure, given)]))
