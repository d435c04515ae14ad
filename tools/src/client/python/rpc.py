"""Sends JSON-RPC 2.0 calls over HTTP."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import random
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

import httpx

from .events import Event, EventReader

T = TypeVar("T")

Credential = str | Callable[[], str | None]
"""A credential, or a function that returns it, which is asked before each request."""

_NO_SUBSCRIPTION = "this is not a subscription"

_GOING_AWAY = -32015
"""The code of an error that ends a subscription because the service stops."""

_LAST_CURSOR = "-"
"""The `id` of the last event, if there is nothing to come back to."""

_MAX_SILENCE = 45
"""The seconds without a byte after which a connection is taken for lost. A service sends a comment every 15 s."""

_MAX_ATTEMPTS = 10
"""How many attempts to come back fail at most, one after the other."""

_FIRST_PAUSE = 1.0
_LAST_PAUSE = 30.0
"""The pauses before attempts to come back, in seconds, unless the service has set one: they double."""


class Omitted(Enum):
    """Stands for a parameter that is left out: `None` is null, which is a value."""

    OMITTED = "omitted"


OMITTED = Omitted.OMITTED


class RpcError(Exception):
    """An error that the service answered with.

    As text, an error that the protocol defines names the parameter and the reason.
    """

    retry: bool | None = None
    """Whether the same call may succeed later, if the service says so."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(_explained(code, message, data))
        self.code = code
        self.message = message
        self.data = data


class DeclaredError(RpcError):
    """An error that a procedure declares."""

    CODE = 0
    TITLE = ""

    @staticmethod
    def read(data: Any) -> Any:
        """Returns the data as its type has it."""
        return data


class TransportError(Exception):
    """A call got no answer, or none that can be understood."""

    def __init__(self, message: str, status: int | None = None, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The status of the response, if there was one."""
        self.retry_after = retry_after
        """After how many seconds the service wants to be asked again."""


class _Lost(TransportError):
    """No complete response has arrived, so it is unknown whether the call was executed."""


class _Deadline:
    """When a call has to end, with all that is repeated."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self.each_wait: int | None = None
        """The seconds for each wait, of any number, once there is no deadline any more."""

    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def __index__(self) -> int:
        """Returns the time that is left, in whole seconds.

        A socket asks for it before each wait. A number would be the time for each wait alone, and a server
        that sends a byte now and then would keep the call for ever.
        """
        if self.each_wait is not None:
            return self.each_wait
        left = self.left()
        if left == 0:
            raise TimeoutError
        return math.ceil(left)

    def error(self, cause: Exception) -> TransportError:
        """Returns why there is no answer."""
        if self.left() == 0:
            return _Lost(f"no complete response within {self._seconds:g} s")
        return _Lost(f"the call got no answer: {cause}")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A call that has not been sent yet."""

    method: str
    params: Mapping[str, object] | Sequence[object] | None = None
    idempotent: bool = False
    repeatable: bool = False
    """Whether the call is given a key, so that it is done once however often it is sent."""
    get: bool = False
    read: Callable[[Any], Any] | None = None
    """Returns the result as its type has it: with bytes, which are base64 in JSON."""
    errors: tuple[type[DeclaredError], ...] = ()


@dataclass(frozen=True)
class Subscription(Generic[T]):
    """A subscription that has not begun yet."""

    method: str
    params: Mapping[str, object] | Sequence[object] | None = None
    read: Callable[[Any], Any] | None = None
    """Returns an item as its type has it: with bytes, which are base64 in JSON."""
    errors: tuple[type[DeclaredError], ...] = ()


@dataclass(frozen=True)
class SubscriptionItem(Generic[T]):
    """An item of a subscription."""

    value: T
    cursor: str | None = None
    """The place of the item, if the subscription can be resumed after it: the value of its parameter for that, as text."""
    missed: int = 0
    """How many of the source's items were lost before this one, because they were read too slowly."""


def given(params: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameters that are not OMITTED."""
    return {name: value for name, value in params.items() if value is not OMITTED}


def in_order(*params: object) -> list[object]:
    """Returns parameters by position. Those left out at the end are not sent; null stands for others."""
    values = list(params)
    while values and values[-1] is OMITTED:
        values.pop()
    return [None if value is OMITTED else value for value in values]


class _Followed(Generic[T]):
    """A subscription that is followed over as many connections as it takes."""

    def __init__(self, subscription: Subscription[T], busy: tuple[int, ...]) -> None:
        self.body = _body(subscription, 1)
        self.cursor: str | None = None
        """The cursor of the last item."""
        self.has_ended = False
        self._subscription = subscription
        self._busy = busy
        self._is_answered = False
        """Whether the answer has come, which is the first event of each connection."""
        self._is_final = False
        """Whether the service has ended the subscription for good."""
        self._pause: float | None = None
        self._failures = 0

    def refuse(self, answer: Any) -> None:
        """Fails with an answer that is no stream of events."""
        if _is_response(answer, 1) and answer.get("error") is not None:
            raise _failure(self._subscription, answer["error"])
        raise TransportError(_NO_SUBSCRIPTION)

    def read(self, event: Event) -> SubscriptionItem[T] | None:
        """Returns the item in an event, if there is one."""
        if event.retry is not None:
            self._pause = event.retry / 1000
        if not event.data:
            # A service that tells no ends still tells that there is nothing to come back to.
            self.has_ended = event.id == _LAST_CURSOR
            return None
        message = _parsed(event.data)
        if not isinstance(message, dict):
            raise TransportError(_NO_SUBSCRIPTION)
        if not self._is_answered:
            if not _is_response(message, 1):
                raise _no_response()
            if message.get("error") is not None:
                raise _failure(self._subscription, message["error"])
            self._is_answered = True
            return None
        params = message.get("params")
        if not isinstance(params, dict):
            raise TransportError(_NO_SUBSCRIPTION)
        error = params.get("error")
        if error is not None:
            if not isinstance(error, dict) or not _is_code(error.get("code")):
                raise TransportError(_NO_SUBSCRIPTION)
            # Of the errors that end a subscription, only one says to come back.
            self._is_final = error["code"] != _GOING_AWAY or event.id == _LAST_CURSOR
            raise _failure(self._subscription, error)
        if "result" not in params:
            self.has_ended = True
            return None
        value, cursor, missed = params["result"], params.get("cursor"), params.get("missed", 0)
        if not isinstance(cursor, (str, type(None))) or type(missed) is not int:
            raise TransportError(_NO_SUBSCRIPTION)
        if self._subscription.read is not None:
            value = _converted(self._subscription.read, value)
        self._failures = 0
        self.cursor = cursor or event.id or self.cursor
        return SubscriptionItem(cast(T, value), self.cursor, missed)

    def pause(self, error: RpcError | TransportError) -> float | None:
        """Returns how long to wait before the next attempt to come back; None if there must be none."""
        failures = self._failures
        if self._is_final or self.cursor is None or failures == _MAX_ATTEMPTS or not self._is_temporary(error):
            return None
        self._failures += 1
        self._is_answered = False
        # A service that stops has drawn its pause at random, and may not be back before. Otherwise, clients that have
        # lost their connections together do not come back together.
        pause, self._pause = self._pause, None
        return min(_FIRST_PAUSE * 2**failures, _LAST_PAUSE) * random.uniform(0.5, 1) if pause is None else pause

    def _is_temporary(self, error: RpcError | TransportError) -> bool:
        if isinstance(error, RpcError):
            return error.code in self._busy
        # Such as a page of a proxy whose service starts anew.
        return isinstance(error, _Lost) or error.status in (502, 503, 504)


class _Rpc:
    """What the two clients have in common."""

    _BUSY: tuple[int, ...] = ()
    _API_KEY_FIELD: str | None = None
    """The header field of the API key, if the description names one."""

    def __init__(
        self,
        url: str,
        token: Credential | None,
        api_key: Credential | None,
        headers: Mapping[str, str] | None,
        repeats: int,
        use_get: bool,
        timeout: float,
        max_response_bytes: int,
    ) -> None:
        self._url = httpx.URL(url)
        if api_key is not None and self._API_KEY_FIELD is None:
            raise ValueError("the description names no header field for an API key; send it in `headers`")
        self._token = token
        self._api_key = api_key
        self._own_headers = dict(headers or {})
        self._repeats = repeats
        self._use_get = use_get
        self._timeout = timeout
        self._max_response_bytes = max_response_bytes

    def _request(self, http: httpx.Client | httpx.AsyncClient, body: bytes) -> httpx.Request:
        headers = {**self._headers(), "Content-Type": "application/json"}
        return http.build_request("POST", self._url, content=body, headers=headers)

    def _query(self, http: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> httpx.Request | None:
        """Returns a request with GET, if it can carry the parameters as they are."""
        if not (call.get and self._use_get):
            return None
        params = call.params if isinstance(call.params, Mapping) else {}
        query: list[tuple[str, str | int | float | bool | None]] = []
        for name, value in params.items():
            values = value if isinstance(value, list) else [value]
            if not values:
                return None
            for each in values:
                if isinstance(each, bool):
                    query.append((name, "true" if each else "false"))
                elif isinstance(each, (int, float)):
                    query.append((name, json.dumps(each)))
                elif isinstance(each, str) and each:
                    query.append((name, each))
                else:
                    return None
        path = self._url.raw_path.split(b"?")[0].decode().rstrip("/")
        path = f"{path}/{quote(call.method, safe='')}"
        url = self._url.copy_with(raw_path=path.encode()).copy_merge_params(query)
        request = http.build_request("GET", url, headers=self._headers())
        return request if len(str(url)) <= 2000 else None

    def _headers(self) -> dict[str, str]:
        # Of other codings, a few bytes may be more than the limit.
        headers = {"Accept": "application/json", **self._own_headers, "Accept-Encoding": "gzip"}
        key = _credential(self._api_key)
        if key is not None and self._API_KEY_FIELD is not None:
            headers[self._API_KEY_FIELD] = key
        token = _credential(self._token)
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return headers

    def _event_request(self, http: httpx.Client | httpx.AsyncClient, followed: _Followed[Any]) -> httpx.Request:
        """Returns the request to subscribe after the last item."""
        request = self._request(http, followed.body)
        request.headers["Accept"] = "text/event-stream"
        request.headers["Accept-Encoding"] = "identity"
        if followed.cursor is not None:
            # JSON can have half a character, and a header field cannot.
            request.headers["Last-Event-ID"] = followed.cursor.encode(errors="replace").decode()
        return request

    def _check_stored(self, events: EventReader) -> None:
        if events.stored > self._max_response_bytes:
            raise TransportError(f"an item is larger than {self._max_response_bytes} bytes")

    def _check(self, response: httpx.Response, size: int) -> None:
        """Fails if a response is too large, or may become so at once."""
        if size > self._max_response_bytes:
            message = f"the response is larger than {self._max_response_bytes} bytes"
            raise TransportError(message, response.status_code)
        if response.headers.get("Content-Encoding", "identity").lower() not in ("identity", "gzip"):
            raise _no_response(response.status_code)

    def _pause(self, safe: bool, error: Exception, attempt: int, deadline: _Deadline) -> float | None:
        """Returns how long to wait before a call is repeated; None if it must not be."""
        pause = self._pause_after(safe, error, attempt)
        return pause if pause is not None and pause < deadline.left() else None

    def _pause_after(self, safe: bool, error: Exception, attempt: int) -> float | None:
        """Without an answer, only what is safe may be sent again: it may have been executed."""
        if attempt >= self._repeats or isinstance(error, TransportError) and not safe:
            return None
        backoff: float = 0.2 * 2**attempt * random.uniform(0.5, 1.5)
        if isinstance(error, _Lost):
            return backoff
        if isinstance(error, TransportError):
            return _short(error.retry_after) if error.status == 503 else None
        # The service has not executed a call that it was too busy for.
        if isinstance(error, RpcError) and (error.code in self._BUSY if error.retry is None else error.retry):
            after = error.data.get("retryAfter") if isinstance(error.data, dict) else None
            return _short(after) if isinstance(after, (int, float)) else backoff
        return None


class SyncRpc(_Rpc):
    """Sends calls and waits for them."""

    def __init__(
        self,
        url: str,
        *,
        token: Credential | None = None,
        api_key: Credential | None = None,
        headers: Mapping[str, str] | None = None,
        http: httpx.Client | None = None,
        repeats: int = 2,
        use_get: bool = True,
        timeout: float = 30,
        max_response_bytes: int = 32 * 1024 * 1024,
    ) -> None:
        """Creates a client for the service at this URL.

        `token` is the bearer token, and `api_key` is sent in the header field that the description names. A
        function is asked for either before each request. `headers` are sent with each request. `http` sends the
        requests.
        Calls that are idempotent, or have a key, are repeated at most `repeats` times. With `use_get`, idempotent procedures
        are called with GET where it can carry the parameters. A call may take `timeout` seconds, with all that
        is repeated, and a subscription may take them to begin. A response, or an item, may have `max_response_bytes`
        after decompression.
        """
        super().__init__(url, token, api_key, headers, repeats, use_get, timeout, max_response_bytes)
        self._http = http or httpx.Client(timeout=timeout)

    def send(self, call: Call[T], *, key: str | None = None) -> T:
        """Sends a call and returns its result.

        `key` is the key of a call that can be repeated with one; a new one for each call unless given.
        """
        attempt = 0
        body = _body(call, 1, _key(call, key))
        deadline = _Deadline(self._timeout)
        while True:
            try:
                query = self._query(self._http, call)
                answer = self._exchange(query, deadline) if query else None
                if _is_response(answer, None):
                    return _result(call, answer, None)
                answer = self._exchange(self._request(self._http, body), deadline, 1)
                return _result(call, answer, 1)
            except (RpcError, TransportError) as error:
                pause = self._pause(call.idempotent or call.repeatable, error, attempt, deadline)
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1

    def batch(self, calls: Sequence[Call[T]]) -> list[T | RpcError | TransportError]:
        """Sends calls together. Each has its own result or error, in their order."""
        if not calls:
            return []
        bodies = [_body(call, at, _key(call)) for at, call in enumerate(calls)]
        body = b"[" + b",".join(bodies) + b"]"
        safe = all(call.idempotent or call.repeatable for call in calls)
        attempt = 0
        deadline = _Deadline(self._timeout)
        while True:
            try:
                return _results(calls, self._exchange(self._request(self._http, body), deadline))
            except (RpcError, TransportError) as error:
                pause = self._pause(safe, error, attempt, deadline)
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1

    def notify(self, call: Call[Any]) -> None:
        """Sends a call as a notification: it is executed and never answered."""
        self._exchange(self._request(self._http, _body(call)), _Deadline(self._timeout))

    def subscribe(self, subscription: Subscription[T]) -> Generator[SubscriptionItem[T], None, None]:
        """Subscribes when the first item is asked for, and yields the items as they come.

        An error that the service answers with, and an unreachable service, are raised for the first item. A connection
        that is lost later, or that the service ends because it stops, is made again with the cursor of the last item, so
        no item is missed and none comes twice. There are up to 10 attempts, after pauses that grow from 1 s to 30 s, or
        that the service sets; each item starts this anew. A connection is lost if it breaks, or if nothing arrives for
        45 s. What is raised after that is final: the error with which the service has ended the subscription, or the loss
        if all attempts have failed or no item has had a cursor.

        To close the iterator ends the request, and thereby the subscription. A loop that is left does that as
        soon as nothing refers to the iterator any more; `contextlib.closing` does it at once. Credentials that are
        functions are asked before each attempt.
        """
        followed = _Followed(subscription, self._BUSY)
        while not followed.has_ended:
            try:
                with closing(self._events(followed)) as events:
                    for event in events:
                        item = followed.read(event)
                        if item is not None:
                            yield item
                        elif followed.has_ended:
                            return
                raise _Lost("the stream has ended")
            except (RpcError, TransportError) as error:
                pause = followed.pause(error)
                if pause is None:
                    raise
            time.sleep(pause)

    def _events(self, followed: _Followed[T]) -> Generator[Event, None, None]:
        """Yields the events of one connection. What is not a stream of events is the answer to the call."""
        deadline = _Deadline(self._timeout)
        request = self._event_request(self._http, followed)
        response = self._open(request, deadline)
        try:
            if not _has_events(response):
                followed.refuse(_answer(response, self._read(response), request, 1))
            deadline.each_wait = _MAX_SILENCE
            events = EventReader()
            for piece in response.iter_bytes():
                yield from events.read(piece)
                self._check_stored(events)
        except httpx.RequestError as error:
            raise _Lost(f"the connection has broken: {error!r}") from error
        finally:
            response.close()

    def _exchange(self, request: httpx.Request, deadline: _Deadline, number: int | None = None) -> Any:
        response = self._open(request, deadline)
        try:
            body = self._read(response)
        except httpx.RequestError as error:
            raise deadline.error(error) from error
        finally:
            response.close()
        return _answer(response, body, request, number)

    def _open(self, request: httpx.Request, deadline: _Deadline) -> httpx.Response:
        """Sends a request, and waits for the head of the response."""
        waits = {"connect": deadline, "read": deadline, "write": deadline, "pool": deadline.left()}
        request.extensions = {**request.extensions, "timeout": waits}
        try:
            return self._http.send(request, stream=True, follow_redirects=False)
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise deadline.error(error) from error

    def _read(self, response: httpx.Response) -> bytes:
        self._check(response, 0)
        body = bytearray()
        for part in response.iter_bytes():
            body += part
            self._check(response, len(body))
        return bytes(body)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()


S = TypeVar("S", bound=SyncRpc)


class AsyncRpc(_Rpc):
    """Sends calls without blocking."""

    def __init__(
        self,
        url: str,
        *,
        token: Credential | None = None,
        api_key: Credential | None = None,
        headers: Mapping[str, str] | None = None,
        http: httpx.AsyncClient | None = None,
        repeats: int = 2,
        use_get: bool = True,
        timeout: float = 30,
        max_response_bytes: int = 32 * 1024 * 1024,
    ) -> None:
        """Creates a client for the service at this URL.

        `token` is the bearer token, and `api_key` is sent in the header field that the description names. A
        function is asked for either before each request. `headers` are sent with each request. `http` sends the
        requests.
        Calls that are idempotent, or have a key, are repeated at most `repeats` times. With `use_get`, idempotent procedures
        are called with GET where it can carry the parameters. A call may take `timeout` seconds, with all that
        is repeated, and a subscription may take them to begin. A response, or an item, may have `max_response_bytes`
        after decompression.
        """
        super().__init__(url, token, api_key, headers, repeats, use_get, timeout, max_response_bytes)
        self._http = http or httpx.AsyncClient(timeout=timeout)

    async def send(self, call: Call[T], *, key: str | None = None) -> T:
        """Sends a call and returns its result.

        `key` is the key of a call that can be repeated with one; a new one for each call unless given.
        """
        attempt = 0
        body = _body(call, 1, _key(call, key))
        deadline = _Deadline(self._timeout)
        while True:
            try:
                query = self._query(self._http, call)
                answer = await self._exchange(query, deadline) if query else None
                if _is_response(answer, None):
                    return _result(call, answer, None)
                answer = await self._exchange(self._request(self._http, body), deadline, 1)
                return _result(call, answer, 1)
            except (RpcError, TransportError) as error:
                pause = self._pause(call.idempotent or call.repeatable, error, attempt, deadline)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            attempt += 1

    async def batch(self, calls: Sequence[Call[T]]) -> list[T | RpcError | TransportError]:
        """Sends calls together. Each has its own result or error, in their order."""
        if not calls:
            return []
        bodies = [_body(call, at, _key(call)) for at, call in enumerate(calls)]
        body = b"[" + b",".join(bodies) + b"]"
        safe = all(call.idempotent or call.repeatable for call in calls)
        attempt = 0
        deadline = _Deadline(self._timeout)
        while True:
            try:
                return _results(calls, await self._exchange(self._request(self._http, body), deadline))
            except (RpcError, TransportError) as error:
                pause = self._pause(safe, error, attempt, deadline)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            attempt += 1

    async def notify(self, call: Call[Any]) -> None:
        """Sends a call as a notification: it is executed and never answered."""
        await self._exchange(self._request(self._http, _body(call)), _Deadline(self._timeout))

    async def subscribe(self, subscription: Subscription[T]) -> AsyncGenerator[SubscriptionItem[T], None]:
        """Subscribes when the first item is asked for, and yields the items as they come.

        An error that the service answers with, and an unreachable service, are raised for the first item. A connection
        that is lost later, or that the service ends because it stops, is made again with the cursor of the last item, so
        no item is missed and none comes twice. There are up to 10 attempts, after pauses that grow from 1 s to 30 s, or
        that the service sets; each item starts this anew. A connection is lost if it breaks, or if nothing arrives for
        45 s. What is raised after that is final: the error with which the service has ended the subscription, or the loss
        if all attempts have failed or no item has had a cursor.

        To close the iterator ends the request, and thereby the subscription. A loop that is left does that as
        soon as nothing refers to the iterator any more; `contextlib.aclosing` does it at once. Credentials that are
        functions are asked before each attempt.
        """
        followed = _Followed(subscription, self._BUSY)
        while not followed.has_ended:
            try:
                async with aclosing(self._events(followed)) as events:
                    async for event in events:
                        item = followed.read(event)
                        if item is not None:
                            yield item
                        elif followed.has_ended:
                            return
                raise _Lost("the stream has ended")
            except (RpcError, TransportError) as error:
                pause = followed.pause(error)
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _events(self, followed: _Followed[T]) -> AsyncGenerator[Event, None]:
        """Yields the events of one connection. What is not a stream of events is the answer to the call."""
        deadline = _Deadline(self._timeout)
        request = self._event_request(self._http, followed)
        # There are comments between items, so the time of a wait is that of silence.
        waits = {"connect": self._timeout, "read": _MAX_SILENCE, "write": self._timeout, "pool": self._timeout}
        request.extensions = {**request.extensions, "timeout": waits}
        try:
            response = await asyncio.wait_for(self._open(request), deadline.left())
        except (httpx.RequestError, httpx.InvalidURL, asyncio.TimeoutError) as error:
            raise deadline.error(error) from error
        try:
            if not _has_events(response):
                body = await asyncio.wait_for(self._read(response), deadline.left())
                followed.refuse(_answer(response, body, request, 1))
            events = EventReader()
            async for piece in response.aiter_bytes():
                for event in events.read(piece):
                    yield event
                self._check_stored(events)
        except (httpx.RequestError, asyncio.TimeoutError) as error:
            raise _Lost(f"the connection has broken: {error!r}") from error
        finally:
            await response.aclose()

    async def _exchange(self, request: httpx.Request, deadline: _Deadline, number: int | None = None) -> Any:
        try:
            response, body = await asyncio.wait_for(self._open_and_read(request), deadline.left())
        except (httpx.RequestError, httpx.InvalidURL, asyncio.TimeoutError) as error:
            raise deadline.error(error) from error
        return _answer(response, body, request, number)

    async def _open_and_read(self, request: httpx.Request) -> tuple[httpx.Response, bytes]:
        response = await self._open(request)
        try:
            return response, await self._read(response)
        finally:
            await response.aclose()

    async def _open(self, request: httpx.Request) -> httpx.Response:
        """Sends a request, and waits for the head of the response."""
        return await self._http.send(request, stream=True, follow_redirects=False)

    async def _read(self, response: httpx.Response) -> bytes:
        self._check(response, 0)
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            self._check(response, len(body))
        return bytes(body)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self: A) -> A:
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.close()


A = TypeVar("A", bound=AsyncRpc)


def _credential(given: Credential | None) -> str | None:
    return given() if callable(given) else given


def _key(call: Call[Any], key: str | None = None) -> str | None:
    return (key or secrets.token_hex(16)) if call.repeatable else None


def _body(call: Call[Any] | Subscription[Any], number: int | None = None, key: str | None = None) -> bytes:
    """Returns the request of a call. Fails before anything is sent if JSON cannot represent it."""
    message: dict[str, object] = {"jsonrpc": "2.0", "method": call.method}
    if call.params is not None:
        message["params"] = call.params
    if number is not None:
        message["id"] = number
    if key is not None:
        message["x-idempotency-key"] = key
    try:
        return json.dumps(message, ensure_ascii=False, allow_nan=False, default=_base64).encode()
    except ValueError:
        _refuse(call.params, None)
        raise


def _base64(value: object) -> str:
    """Writes bytes, the only values of types that JSON does not have."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"a value of the type {type(value).__name__} cannot be sent")


def _refuse(value: object, place: str | None) -> None:
    """Fails with the place of the first number that JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{place}: a number is infinite or NaN, which JSON cannot represent") from None
    if isinstance(value, Mapping):
        for name, each in value.items():
            token = str(name).replace("~", "~0").replace("/", "~1")
            _refuse(each, token if place is None else f"{place}/{token}")
    elif isinstance(value, (list, tuple)):
        for at, each in enumerate(value):
            _refuse(each, f"position {at}" if place is None else f"{place}/{at}")


def _answer(response: httpx.Response, body: bytes, request: httpx.Request, number: int | None) -> Any:
    status = response.status_code
    after = response.headers.get("Retry-After", "")
    # More digits are no time to wait, and Python does not read any number of them.
    retry_after = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else None
    if status == 503:
        raise TransportError("the service is not available", status, retry_after)
    if not body and response.is_success:
        return None
    answer = _parsed(body)
    # A call that GET does not answer as JSON-RPC 2.0 may be answered by POST.
    if request.method == "POST" and not isinstance(answer, list) and not _is_response(answer, number):
        raise _no_response(status, retry_after)
    return answer


def _explained(code: int, message: str, data: Any) -> str:
    """Returns the message of an error, with the reason if the protocol defines its code."""
    if not (-32768 <= code <= -32000 and isinstance(data, dict) and isinstance(data.get("reason"), str)):
        return message
    place, pointer, others = data.get("parameter"), data.get("pointer"), data.get("others")
    if isinstance(place, str):
        message += f": {place}{pointer if isinstance(pointer, str) else ''}"
    elif isinstance(data.get("position"), int):
        message += f": position {data['position']}"
    count = f" (and {len(others)} more)" if isinstance(others, list) and others else ""
    return f"{message}: {data['reason']}{count}"


def _parsed(text: str | bytes) -> Any:
    """Parses JSON; None if it is none."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
        return json.loads(text, parse_float=_float, parse_constant=_float)
    except (ValueError, RecursionError):
        return None


def _has_events(response: httpx.Response) -> bool:
    return response.is_success and response.headers.get("Content-Type", "").startswith("text/event-stream")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _no_response(status: int | None = None, retry_after: int | None = None) -> TransportError:
    message = "the answer is not a JSON-RPC 2.0 response to the call"
    if status is not None and 300 <= status < 400:
        message = "a redirect, which is not followed"
    return TransportError(message if status is None else f"HTTP status {status}: {message}", status, retry_after)


def _is_response(answer: Any, number: int | None) -> bool:
    """Returns whether this answers a call; one with GET, and a batch as a whole, have no number."""
    if not isinstance(answer, dict) or "jsonrpc" not in answer:
        return False
    own, error = answer.get("id"), answer.get("error")
    # True is 1, and so is 1.0.
    is_own = own == number and type(own) is type(number)
    if error is None:
        return is_own and "result" in answer
    # A service that has not read the request does not know its id.
    return (is_own or own is None) and isinstance(error, dict) and _is_code(error.get("code"))


def _is_code(code: Any) -> bool:
    return type(code) is int and -(2**63) <= code < 2**63


def _result(call: Call[T], answer: Any, number: int | None) -> T:
    if not _is_response(answer, number):
        raise _no_response()
    error = answer.get("error")
    if error is None:
        result = answer["result"]
        return cast(T, _converted(call.read, result) if call.read else result)
    raise _failure(call, error)


def _failure(call: Call[Any] | Subscription[Any], error: dict[str, Any]) -> RpcError:
    """Returns the error of a call: one that it declares, or another."""
    code, message, data = error["code"], str(error.get("message")), error.get("data")
    same = [it for it in call.errors if code == it.CODE]
    # Only errors of one code are told apart by their messages.
    is_one = len({it.TITLE for it in same}) == 1
    for declared in same:
        if is_one or message == declared.TITLE:
            return declared(code, message, _converted(declared.read, data))
    return RpcError(code, message, data)


def _converted(read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except (ValueError, RecursionError):
        raise _no_response() from None


def _results(calls: Sequence[Call[T]], answer: Any) -> list[T | RpcError | TransportError]:
    if not isinstance(answer, list):
        # A batch that is refused as a whole gets one error.
        _result(Call[None](""), answer, None)
    if not isinstance(answer, list) or len(answer) > len(calls):
        raise _no_response()
    # A service that has not read a call does not know its id.
    known = [it for it in answer if isinstance(it, dict) and it.get("id") is not None]
    if any(type(it["id"]) is not int or not 0 <= it["id"] < len(calls) for it in known):
        raise _no_response()
    answers = {it["id"]: it for it in known}
    if len(answers) < len(known):
        raise _no_response()
    results: list[T | RpcError | TransportError] = []
    for at, call in enumerate(calls):
        try:
            results.append(_result(call, answers.get(at), at))
        except (RpcError, TransportError) as error:
            results.append(error)
    return results


def _short(seconds: float | None) -> float | None:
    return seconds if seconds is not None and 0 <= seconds <= 30 else None
