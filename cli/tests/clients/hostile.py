"""Calls hostile servers with a generated client: python hostile.py URL. `raw-http/hostile.json` has the cases."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import httpx

from library import AsyncClient, Call, Client, RpcError, TransportError

(url,) = sys.argv[1:]
cases: list[dict[str, Any]] = httpx.get(f"{url}/cases").json()
COUNT = Call[Any]("count")


def outcome(result: object) -> str:
    if isinstance(result, RpcError):
        return "error"
    if not isinstance(result, TransportError):
        return "result"
    for words, name in [
        ("is larger than 33554432 bytes", "too large"),
        ("no complete response within 1 s", "timed out"),
        ("which is not followed", "refused redirect"),
        ("the call got no answer", "lost"),
        ("not a JSON-RPC 2.0 response", "malformed"),
        ("is not available", "malformed"),
    ]:
        if words in str(result):
            return name
    return f"unknown: {result}"


def timeout(case: dict[str, Any]) -> float:
    return 1 if "timed out" in case["outcome"] else 300


def check(case: dict[str, Any], results: Sequence[object]) -> None:
    expected = case["outcome"] if case.get("batch") else [case["outcome"]]
    for result, names in zip(results, expected, strict=True):
        if outcome(result) not in names.split(" or "):
            raise AssertionError(f"{case['name']}: {outcome(result)} instead of {names}: {result!s:.200}")
        if isinstance(result, dict):
            assert result["number"] == 9_007_199_254_740_993 and len(result["text"]) == 12_500_000
    if case["outcome"] == ["result", "result"]:
        assert results == [1, 2], results


for at, case in enumerate(cases):
    results: Sequence[object]
    with Client(f"{url}/{at}", timeout=timeout(case)) as client:
        try:
            results = client.batch([COUNT, COUNT]) if case.get("batch") else [client.send(COUNT)]
        except (RpcError, TransportError) as error:
            results = [error, error] if case.get("batch") else [error]
    check(case, results)


async def asynchronously() -> None:
    for at, case in enumerate(cases):
        results: Sequence[object]
        async with AsyncClient(f"{url}/{at}", timeout=timeout(case)) as client:
            try:
                results = await client.batch([COUNT, COUNT]) if case.get("batch") else [await client.send(COUNT)]
            except (RpcError, TransportError) as error:
                results = [error, error] if case.get("batch") else [error]
        check(case, results)


asyncio.run(asynchronously())

# The time is that of the whole call: what was lost is not repeated when it is over.
asked = 0


def silent(request: httpx.Request) -> httpx.Response:
    global asked
    asked += 1
    raise httpx.ConnectError("lost", request=request)


with Client(url, http=httpx.Client(transport=httpx.MockTransport(silent)), repeats=1_000_000, timeout=1) as client:
    try:
        client.send(Call[Any]("count", idempotent=True))
        raise AssertionError("there was an answer")
    except TransportError:
        assert 1 < asked < 10, asked
# Neither of a redirect with GET nor of one that `http` would follow is anything left.
with Client(url, max_response_bytes=10, http=httpx.Client(follow_redirects=True)) as client:
    try:
        client.send(COUNT)
        raise AssertionError("there was an answer")
    except TransportError as error:
        assert "is larger than 10 bytes" in str(error)
