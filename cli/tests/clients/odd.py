"""Runs the table of odd values through the generated client: python odd.py URL TABLE. Prints what becomes of each row."""

from __future__ import annotations

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
    return json.dumps(value)


def outcome(client: Client, procedure: str, given: str) -> str:
    value = OMITTED if given == "left out" else json.loads(given)
    try:
        arrived = getattr(client, procedure)(value=value)
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
