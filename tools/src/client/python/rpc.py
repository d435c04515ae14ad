"""Sends JSON-RPC 2.0 calls over HTTP."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import random
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

import httpx

T = TypeVar("T")

Credential = str | Callable[[], str | None]
"""A credential, or a function that returns it, which is asked before each request."""


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
    """It is unknown whether the call was executed."""


class _Deadline:
    """When a call has to end, with all that is repeated."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def __index__(self) -> int:
        """Returns the time that is left, in whole seconds.

        A socket asks for it before each wait. A number would be the time for each wait alone, and a server
        that sends a byte now and then would keep the call for ever.
        """
        left = self.left()
        if left == 0:
            raise TimeoutError
        return math.ceil(left)

    def error(self, cause: Exception) -> TransportError:
        """Returns why there is no answer."""
        if self.left() == 0:
            return TransportError(f"no complete response within {self._seconds:g} s")
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


def given(params: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameters that are not OMITTED."""
    return {name: value for name, value in params.items() if value is not OMITTED}


def in_order(*params: object) -> list[object]:
    """Returns parameters by position. Those left out at the end are not sent; null stands for others."""
    values = list(params)
    while values and values[-1] is OMITTED:
        values.pop()
    return [None if value is OMITTED else value for value in values]


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
        is repeated, and a response may have `max_response_bytes` after decompression.
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

    def _exchange(self, request: httpx.Request, deadline: _Deadline, number: int | None = None) -> Any:
        waits = {"connect": deadline, "read": deadline, "write": deadline, "pool": deadline.left()}
        request.extensions = {**request.extensions, "timeout": waits}
        body = bytearray()
        try:
            response = self._http.send(request, stream=True, follow_redirects=False)
            try:
                self._check(response, 0)
                for part in response.iter_bytes():
                    body += part
                    self._check(response, len(body))
            finally:
                response.close()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise deadline.error(error) from error
        return _answer(response, bytes(body), request, number)

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
        is repeated, and a response may have `max_response_bytes` after decompression.
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

    async def _exchange(self, request: httpx.Request, deadline: _Deadline, number: int | None = None) -> Any:
        try:
            response, body = await asyncio.wait_for(self._read(request), deadline.left())
        except (httpx.RequestError, httpx.InvalidURL, asyncio.TimeoutError) as error:
            raise deadline.error(error) from error
        return _answer(response, body, request, number)

    async def _read(self, request: httpx.Request) -> tuple[httpx.Response, bytes]:
        body = bytearray()
        response = await self._http.send(request, stream=True, follow_redirects=False)
        try:
            self._check(response, 0)
            async for part in response.aiter_bytes():
                body += part
                self._check(response, len(body))
        finally:
            await response.aclose()
        return response, bytes(body)

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


def _body(call: Call[Any], number: int | None = None, key: str | None = None) -> bytes:
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
    try:
        answer = json.loads(body.decode(), parse_float=_float, parse_constant=_float)
    except (ValueError, RecursionError):
        answer = None
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
    if not isinstance(error, dict) or type(error.get("code")) is not int:
        return False
    # A service that has not read the request does not know its id.
    return (is_own or own is None) and -(2**63) <= error["code"] < 2**63


def _result(call: Call[T], answer: Any, number: int | None) -> T:
    if not _is_response(answer, number):
        raise _no_response()
    error = answer.get("error")
    if error is None:
        result = answer["result"]
        return cast(T, _converted(call.read, result) if call.read else result)
    code, message, data = error["code"], str(error.get("message")), error.get("data")
    same = [it for it in call.errors if code == it.CODE]
    # Only errors of one code are told apart by their messages.
    is_one = len({it.TITLE for it in same}) == 1
    for declared in same:
        if is_one or message == declared.TITLE:
            raise declared(code, message, _converted(declared.read, data))
    raise RpcError(code, message, data)


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
