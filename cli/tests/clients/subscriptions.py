"""Follows subscriptions with generated clients: python subscriptions.py STREAMS COUNT.

STREAMS is a server whose streams break off (`raw-http/streams.json`), COUNT one that counts to 1,000, behind a proxy that
breaks off.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from typing import Any

import httpx

from library import AsyncClient, Client, RpcError, Subscription, SubscriptionItem, TransportError, rpc
from library.events import Event, EventReader
from odd_values import AsyncClient as AsyncCounter
from odd_values import Client as Counter
from odd_values import SubscriptionItem as CountedItem
from odd_values import models
from odd_values import rpc as counter_rpc

streams, count = sys.argv[1:]
table: dict[str, Any] = httpx.get(f"{streams}/cases").json()
cases: list[dict[str, Any]] = table["cases"]
WATCH = Subscription[int]("watch")

# Nobody waits for pauses here.
rpc._MAX_SILENCE = 2
rpc._FIRST_PAUSE, rpc._LAST_PAUSE = 0.01, 0.3
counter_rpc._FIRST_PAUSE = 0.01


def outcome(error: Exception) -> str:
    if isinstance(error, RpcError):
        return f"error {error.code}"
    if "is larger than 1000000 bytes" in str(error):
        return "too large"
    for words in ["the stream has ended", "no complete response within", "the call got no answer", "has broken"]:
        if words in str(error):
            return "lost"
    for words in ["this is not", "not a JSON-RPC", "redirect"]:
        if words in str(error):
            return "malformed"
    return f"unknown: {error}"


def timeout(case: dict[str, Any]) -> float:
    return 1 if case["connections"][0][:1] == ["hold"] else 300


def visits(address: str) -> dict[str, Any]:
    told: dict[str, Any] = httpx.get(address).json()
    return told


def wait_until_closed(address: str) -> None:
    while visits(address)["open"]:
        time.sleep(0.01)


def check(case: dict[str, Any], address: str, items: list[SubscriptionItem[int]], end: str) -> None:
    found = [[item.value, item.cursor, item.missed] for item in items]
    name = case["name"]
    assert (found, end) == (case["items"], case["outcome"]), f"{name}: {found}, {end}"
    cursors = visits(address)["cursors"]
    assert cursors == case["cursors"], f"{name}: {cursors}"
    wait_until_closed(address)


def run(at: int) -> None:
    address, case, items, end = f"{streams}/{at}/python", cases[at], [], "over"
    with Client(address, timeout=timeout(case), max_response_bytes=1_000_000) as client:
        try:
            for item in client.subscribe(WATCH):
                items.append(item)
        except (RpcError, TransportError) as error:
            end = outcome(error)
    check(case, address, items, end)


async def run_asynchronously(at: int) -> None:
    address, case, items, end = f"{streams}/{at}/asynchronous-python", cases[at], [], "over"
    async with AsyncClient(address, timeout=timeout(case), max_response_bytes=1_000_000) as client:
        try:
            async for item in client.subscribe(WATCH):
                items.append(item)
        except (RpcError, TransportError) as error:
            end = outcome(error)
    await asyncio.to_thread(check, case, address, items, end)


def address_to_leave(how: str) -> str:
    names = [case["name"] for case in cases]
    return f"{streams}/{names.index('a stream that falls silent')}/python-{how}"


def leave(how: str) -> None:
    """Leaves a subscription before its second item."""
    address = address_to_leave(how)
    with Client(address) as client:
        if how == "break":
            for item in client.subscribe(WATCH):
                break
        else:
            with closing(client.subscribe(WATCH)) as items:
                item = next(items)
        assert item.value == 1
        wait_until_closed(address)
    assert visits(address)["cursors"] == [None]


async def leave_asynchronously(how: str) -> None:
    """Leaves a subscription before, or while it waits for, its second item."""
    address = address_to_leave(f"asynchronous-{how}")
    first = asyncio.Event()

    async def follow() -> None:
        async with aclosing(client.subscribe(WATCH)) as items:
            async for item in items:
                assert item.value == 1
                first.set()
                if how == "break":
                    return

    async with AsyncClient(address) as client:
        following = asyncio.create_task(follow())
        await first.wait()
        if how == "cancel":
            following.cancel()
        await asyncio.wait([following])
        await asyncio.to_thread(wait_until_closed, address)
    assert visits(address)["cursors"] == [None]


def check_number(item: CountedItem[models.Counted], expected: int) -> None:
    assert item.value["number"] == expected and item.value["digits"] == str(expected).encode()
    assert item.cursor == str(expected)


def count_up() -> None:
    """Nothing is lost and nothing comes twice, wherever a connection breaks off."""
    asked: list[str] = []

    def token() -> str:
        asked.append("token")
        return "token"

    with Counter(count, timeout=300, token=token) as client:
        items: Generator[CountedItem[models.Counted], None, None] = client.count()
        last = 0
        for last, item in enumerate(items, 1):
            check_number(item, last)
        assert last == 1_000
        # Credentials are asked for each time.
        assert len(asked) > 5, asked
        assert [item.value["number"] for item in client.count(after=998)] == [999, 1_000]


async def count_up_asynchronously() -> None:
    async with AsyncCounter(count, timeout=300) as client:
        items: AsyncGenerator[CountedItem[models.Counted], None] = client.count()
        last = 0
        async for item in items:
            last += 1
            check_number(item, last)
        assert last == 1_000


async def asynchronously() -> None:
    each = [run_asynchronously(at) for at in range(len(cases))]
    await asyncio.gather(*each, *map(leave_asynchronously, ["break", "cancel"]), count_up_asynchronously())


# Events are the same whatever the pieces they come in.
text = '\ufeff: hello\r\nid: \u00e4\r\ndata: {"a":\r\ndata: "\U0001f433"}\r\rretry: 7\ndata\n\nid: -\n\n: bye\n\n'.encode()
expected = [Event('{"a":\n"\U0001f433"}', "\u00e4"), Event("", None, 7), Event("", "-")]
for size in range(1, len(text) + 1):
    reader = EventReader()
    found = [event for at in range(0, len(text), size) for event in reader.read(text[at : at + size])]
    assert found == expected, f"in pieces of {size}: {found}"

with ThreadPoolExecutor(len(cases) + 3) as pool:
    tasks = [pool.submit(run, at) for at in range(len(cases))]
    tasks += [pool.submit(leave, how) for how in ["break", "closing"]]
    tasks.append(pool.submit(count_up))
    for task in tasks:
        task.result()
asyncio.run(asynchronously())
