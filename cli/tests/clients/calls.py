"""Calls the library with its generated client: python calls.py URL TOKEN."""

from __future__ import annotations

import asyncio
import sys

import httpx

from library import AsyncClient, Call, Client, RpcError, TransportError, calls, errors, models
from library.rpc import DeclaredError

url, token = sys.argv[1:]
seen: list[str] = []


def note(request: httpx.Request) -> None:
    seen.append(f"{request.method} {str(request.url).replace(url, '')}")


with Client(url, http=httpx.Client(event_hooks={"request": [note]})) as client:
    page: models.BookPage = client.book_find(words="whale", limit=1)
    assert page["books"][0]["title"] == "Moby-Dick; or, The Whale"
    try:
        client.book_get(book=999_999)
        raise AssertionError("there is such a book")
    except errors.NoSuchBookError as error:
        assert error.data["book"] == 999_999 and error.code == 1404
    first, lost = client.batch([calls.book_get(book=1), calls.book_get(book=999_999)])
    assert isinstance(first, dict) and first["book"]["id"] == 1
    assert isinstance(lost, errors.NoSuchBookError)
    client.notify(calls.book_get(book=1))
    try:
        client.member_add(name="Ann Example")
        raise AssertionError("it needs no token")
    except RpcError as refused:
        assert refused.code == -32007
assert seen == ["GET /book.find?words=whale&limit=1", "GET /book.get?book=999999", "POST ", "POST ", "POST "], seen

with Client(url, token=lambda: token) as writer:
    assert writer.member_add(name="Ann Example")["card"].startswith("L")


async def asynchronously() -> None:
    async with AsyncClient(url) as client:
        assert (await client.stats())["books"] > 0


asyncio.run(asynchronously())

# Only what may run twice is sent twice.
sent = 0


def lossy(request: httpx.Request) -> httpx.Response:
    global sent
    sent += 1
    if sent == 1:
        raise httpx.ConnectError("lost", request=request)
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": None, "result": {"today": "2026-03-02"}})


with Client(url, http=httpx.Client(transport=httpx.MockTransport(lossy))) as client:
    assert client.stats()["today"] == "2026-03-02" and sent == 2
    sent = 0
    try:
        client.send(Call("member.add", {"name": "Ann Example"}))
        raise AssertionError("it was sent twice")
    except TransportError:
        assert sent == 1

# A write has a key: if its answer is lost, it is sent again and done once.
bodies: list[bytes] = []
real = httpx.HTTPTransport()


def deaf(request: httpx.Request) -> httpx.Response:
    bodies.append(request.content)
    response = real.handle_request(request)
    response.read()
    if len(bodies) == 1:
        raise httpx.ReadError("lost", request=request)
    return response


with (
    Client(url) as reader,
    Client(url, token=lambda: token, http=httpx.Client(transport=httpx.MockTransport(deaf))) as client,
):
    before = reader.stats()["members"]
    assert client.member_add(name="Bea Example")["card"].startswith("L")
    assert reader.stats()["members"] == before + 1
    assert len(bodies) == 2 and bodies[0] == bodies[1] and b'"x-idempotency-key"' in bodies[0]
    client.member_add(name="Bea Example")
    assert bodies[2] != bodies[0]
    dora = client.send(calls.member_add(name="Dora Example"), key="dora-python")
    assert client.send(calls.member_add(name="Dora Example"), key="dora-python") == dora

# Header fields of your own go with each request.
with Client(url, headers={"Authorization": f"Bearer {token}"}) as client:
    assert client.member_add(name="Eve Example")["card"].startswith("L")


# An error can say that repeating helps.
def busy(request: httpx.Request) -> httpx.Response:
    global sent
    sent += 1
    if sent == 1:
        return httpx.Response(200, json={"jsonrpc": "2.0", "id": 1, "error": {"code": 1503, "message": "Database busy"}})
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": 1, "result": {"card": "L000001"}})


sent = 0
with Client(url, http=httpx.Client(transport=httpx.MockTransport(busy))) as client:
    assert client.member_add(name="Ann Example")["card"] == "L000001" and sent == 2


# An error is known by its code, and those with the same code by their messages.
class Gone(DeclaredError):
    CODE = 7
    TITLE = "Gone"


class Pruned(DeclaredError):
    CODE = 7
    TITLE = "Pruned"


def archived(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": 1, "error": {"code": 7, "message": "Archived"}})


with Client(url, http=httpx.Client(transport=httpx.MockTransport(archived))) as client:
    for known, expected in (((Gone,), Gone), ((Gone, Pruned), RpcError)):
        try:
            client.send(Call("m", errors=known))
            raise AssertionError("there is no such error")
        except RpcError as error:
            assert type(error) is expected
