"""Model server over HTTP: asked within a time limit, asked again if that may help, and not asked while it
keeps failing.

All requests run on one event loop in its own thread: so a wait can be cancelled in the middle of an
answer, and the time limit covers the complete request, not just the silence between two bytes."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar

import tenacity

from memdesk.engine.providers.meter import Meter, Role, Used, current, estimated_use
from memdesk.model.errors import MemDeskError
from memdesk.model.message import Message, message

if TYPE_CHECKING:
    import httpx

KEYRING = "memdesk"
"""Service name of the keys in the keyring, one for each host: `keyring set memdesk api.openai.com`."""
WELL_KNOWN = {"api.openai.com": "OPENAI_API_KEY", "api.anthropic.com": "ANTHROPIC_API_KEY"}
"""Variables that these two services' own programs read. They are never sent to another host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """API key, "" for none. source: where it was found, as a phrase."""

    value: str = field(default="", repr=False)
    source: str = "none"

    def hidden_in(self, text: str) -> str:
        """Return a text with the key removed, because servers often repeat the key they refuse."""
        return text.replace(self.value, "…") if self.value else text


def key_for(url: str, variable: str) -> Key:
    """Return the key of the server at `url`: from `variable`, else from the host's own variable, else from
    the keyring."""
    # A service without a model server starts a tenth of a second sooner without it.
    import httpx

    host = httpx.URL(url).host
    for name in (variable, WELL_KNOWN.get(host, "")):
        if name and (value := os.environ.get(name, "").strip()):
            return Key(value=value, source=name)
    if value := _from_keyring(host):
        return Key(value=value, source=message("the system's keyring"))
    return Key()


def _from_keyring(host: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        held: Any = keyring.get_password(KEYRING, host)
    except (KeyringError, OSError, RuntimeError):
        # A machine without a desktop has no keyring, or a locked one: then there is no key, and the server says so.
        return ""
    return held.strip() if isinstance(held, str) else ""


FAILURES = 3
"""Consecutive failures after which a server is not asked for a while. Each is a request that was tried
several times."""
REST_SECONDS, LONGEST_REST_SECONDS = 30.0, 600.0
"""First rest; each further failure doubles it, up to the longest."""


class Breaker:
    """Counter of consecutive failures. Thread-safe. clock: seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0
        self.reason = ""

    def admit(self) -> float:
        """Return 0 if the server may be asked now, else the seconds until then. After a rest, one request
        goes first."""
        with self._lock:
            rest = self._until - self._clock()
            if rest > 0:
                return rest
            if self._failures >= FAILURES:
                self._until = self._clock() + REST_SECONDS
            return 0.0

    def rests_for(self) -> float:
        """Return the seconds until the server may be asked, 0 if it may be asked now."""
        with self._lock:
            return max(0.0, self._until - self._clock())

    def succeeded(self) -> None:
        """Record that the server answered, even if it refused the request."""
        with self._lock:
            self._failures, self._until, self.reason = 0, 0.0, ""

    def failed(self, reason: str, *, rest_s: float = 0.0) -> None:
        """Record that the server did not answer. reason: why. rest_s: the seconds it asked to be left alone."""
        with self._lock:
            self._failures += 1
            self.reason = reason
            if self._failures >= FAILURES:
                doubled = REST_SECONDS * 2.0 ** min(self._failures - FAILURES, 10)
                rest_s = max(rest_s, min(doubled, LONGEST_REST_SECONDS))
            if rest_s:
                self._until = self._clock() + min(rest_s, LONGEST_REST_SECONDS)


REASON_CHARACTERS = 200


def retry_after(said: str) -> float:
    """Return the seconds that a Retry-After header requests, as a number or as a date (RFC 9110, 10.2.3); 0
    for none."""
    try:
        seconds = float(said) if said.strip()[:1].isdigit() else _until(said)
    except (ValueError, TypeError):
        return 0.0
    return seconds if 0 < seconds < math.inf else 0.0


def _until(said: str) -> float:
    when = parsedate_to_datetime(said)
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return aware.timestamp() - datetime.now(UTC).timestamp()


def reason_in(said: bytes) -> str:
    """Return the server's message about a refusal, "" if there is none."""
    try:
        answer = json.loads(said)
        error = answer.get("error", answer) if isinstance(answer, dict) else answer
        words = error.get("message", "") if isinstance(error, dict) else error
    except (ValueError, RecursionError):
        return ""
    return " ".join(words.split())[:REASON_CHARACTERS] if isinstance(words, str) else ""


TRIES = 3
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 0.25, 8.0
"""Longest wait before the second try, and before any try. It is random, so that clients do not all return at once."""
CONNECT_SECONDS = 5.0
ANSWER_BYTES = 64 * 1024 * 1024
"""Most bytes of an answer: 512 vectors of 4,096 numbers are 40 MB of JSON."""
AT_ONCE, TURN_SECONDS = 12, 1.0
"""Requests to one server at a time, and how long another waits for its turn. A recall occupies one of the
store's 16 readers meanwhile, and a server that does not answer must not occupy all of them."""
LOOK_SECONDS = 0.1
"""Interval at which a waiting caller checks if it should cancel."""
TEMPORARY = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
"""Statuses after which the same request may succeed; 529 is Anthropic's `overloaded`."""
BAD_QUESTION = frozenset((400, 413, 422))
"""Statuses that reject the request and are no failure of the server."""

Answer = TypeVar("Answer")
Headers = Callable[[Key], Mapping[str, str]]
"""Returns the headers of a request, made from the key."""
# A server of models may be anywhere, and httpx notes every address it speaks to.
logging.getLogger("httpx").setLevel(logging.WARNING)


class Declined(Exception):
    """The server works, but refuses this request. status: of HTTP, 200 for a refusal in words."""

    def __init__(self, says: Message, *, status: int = 200, reason: str = "") -> None:
        super().__init__(says)
        self.says, self.status, self.reason = says, status, reason


class _Failed(Exception):
    """No answer. again: True if a retry may succeed. rest_s: seconds that the server asks to be left alone."""

    def __init__(self, says: Message, *, again: bool, rest_s: float = 0.0) -> None:
        super().__init__(says)
        self.says, self.again, self.rest_s = says, again, rest_s


def bearer(key: Key) -> dict[str, str]:
    """Return the authorization header that most servers use."""
    return {"authorization": f"Bearer {key.value}"} if key.value else {}


class Server:
    """Model server at an address. Thread-safe; `close` ends requests in progress.

    role: under which its tokens are booked. name: the model's own. seconds: limit for one request, including
    retries. headers: function that makes the headers from the key."""

    def __init__(
        self, role: Role, *, name: str, url: str, seconds: float, meter: Meter, headers: Headers = bearer
    ) -> None:
        self.role, self.name, self.url = role, name, url.rstrip("/")
        self.breaker = Breaker()
        self._seconds, self._meter, self._headers = seconds, meter, headers
        self._key: Key | None = None
        self._http: httpx.AsyncClient | None = None
        self._under_way: set[Future[Any]] = set()
        self._closed = False
        self._turns = threading.BoundedSemaphore(AT_ONCE)

    @property
    def what(self) -> str:
        """Name of the model, to begin a sentence with."""
        return f"{self.role.called} {self.name}"

    @property
    def key(self) -> Key:
        """Key of this server, read at its first use."""
        if self._key is None:
            self._key = key_for(self.url, self.role.variable)
        return self._key

    def ask(self, path: str, body: Mapping[str, Any], read: Callable[[Any], tuple[Answer, Used]]) -> Answer:
        """POST a request and return its answer. Waits, so never call it inside a transaction.

        read: converts the JSON to the answer and its cost; its LookupError, TypeError or ValueError mean that
        the answer is invalid. Raises Declined for this request alone, the role's error if there is no answer
        or no budget, and any error that `heed` raises."""
        self._meter.admit(self.role)
        if rest := self.breaker.admit():
            raise self._unavailable(
                message(
                    "is left alone for {count} s more, since it failed: {reason}",
                    count=f"{rest:.0f}",
                    reason=self.breaker.reason,
                )
            )
        if not self._turns.acquire(timeout=TURN_SECONDS):
            raise self._unavailable(message("is busy with {at_once} other questions", at_once=AT_ONCE))
        try:
            return self._answered(path, json.dumps(body), read)
        finally:
            self._turns.release()

    def close(self) -> None:
        """Cancel requests in progress and close the connections. Later requests fail."""
        self._closed = True
        for future in tuple(self._under_way):
            future.cancel()
        if self._http is not None:
            asyncio.run_coroutine_threadsafe(self._http.aclose(), _loop()).result()

    def _answered(self, path: str, question: str, read: Callable[[Any], tuple[Answer, Used]]) -> Answer:
        """Return the answer, book its cost, and report the outcome to the breaker."""
        future = asyncio.run_coroutine_threadsafe(self._asked(path, question, read), _loop())
        self._under_way.add(future)
        try:
            answer, used = _waited(future)
        except Declined:
            self.breaker.succeeded()
            self._meter.book(self.role, self.name, Used(), failed=True)
            raise
        except _Failed as failed:
            self.breaker.failed(failed.says, rest_s=failed.rest_s)
            self._meter.book(self.role, self.name, Used(), failed=True)
            raise self._unavailable(failed.says) from failed
        except MemDeskError:
            # Whoever waited broke off; the question was asked all the same.
            self._meter.book(self.role, self.name, Used(), failed=True)
            raise
        finally:
            self._under_way.discard(future)
        self.breaker.succeeded()
        self._meter.book(self.role, self.name, used if used.tokens else estimated_use(len(question)))
        return answer

    def _unavailable(self, says: str) -> MemDeskError:
        return self.role.error(message("{what} {says}.", what=self.what, says=says))

    async def _asked(self, path: str, question: str, read: Callable[[Any], Answer]) -> Answer:
        """Return the answer, retrying while time is left."""
        tries = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, _Failed) and error.again),
            stop=tenacity.stop_after_attempt(TRIES) | tenacity.stop_before_delay(self._seconds),
            wait=_wait,
            reraise=True,
        )
        try:
            async with asyncio.timeout(self._seconds):
                answer: Answer = await tries(self._once, path, question, read)
                return answer
        except TimeoutError:
            raise _Failed(
                message("did not answer within {count} s", count=f"{self._seconds:g}"), again=False
            ) from None

    async def _once(self, path: str, question: str, read: Callable[[Any], Answer]) -> Answer:
        status, headers, said = await self._posted(path, question)
        if status != HTTPStatus.OK:
            self._refused(status, headers, said)
        try:
            return read(json.loads(said))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise _Failed(message("answered with something else than an answer"), again=True) from None

    async def _posted(self, path: str, question: str) -> tuple[int, httpx.Headers, bytes]:
        import httpx

        if self._closed:
            raise _Failed(message("is not in use any more"), again=False)
        if self._http is None:
            self._http = httpx.AsyncClient(
                timeout=httpx.Timeout(self._seconds, connect=CONNECT_SECONDS),
                limits=httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE),
            )
        try:
            # A locked keyring asks its owner, who takes his time.
            if self._key is None:
                await asyncio.to_thread(lambda: self.key)
            headers = {"content-type": "application/json", **self._headers(self.key)}
            async with self._http.stream(
                "POST", self.url + path, content=question, headers=headers
            ) as answer:
                return answer.status_code, answer.headers, await _body(answer)
        except httpx.InvalidURL as wrong:
            raise _Failed(message("has no proper address ({wrong})", wrong=wrong), again=False) from None
        except (httpx.HTTPError, RuntimeError, UnicodeEncodeError) as failed:
            raise _Failed(
                message("gave no answer ({name})", name=type(failed).__name__), again=not self._closed
            ) from None

    def _refused(self, status: int, headers: httpx.Headers, said: bytes) -> None:
        """Raise the error for a status other than 200."""
        reason = self.key.hidden_in(reason_in(said))
        reply = (
            message("answered {status} ({reason})", status=status, reason=reason)
            if reason and status not in (401, 403)
            else message("answered {status}", status=status)
        )
        if status in BAD_QUESTION:
            raise Declined(
                message("{what} {reply}.", what=self.what, reply=reply), status=status, reason=reason
            )
        rest_s = retry_after(headers.get("retry-after", ""))
        raise _Failed(reply, again=status in TEMPORARY, rest_s=rest_s)


async def _body(answer: httpx.Response) -> bytes:
    said = bytearray()
    async for chunk in answer.aiter_bytes():
        said += chunk
        if len(said) > ANSWER_BYTES:
            raise _Failed(message("answered without end"), again=False)
    return bytes(said)


def _waited(future: Future[Answer]) -> Answer:
    """Return the outcome; the caller may cancel the wait."""
    heed = current().heed
    while not wait((future,), timeout=LOOK_SECONDS).done:
        try:
            heed()
        except BaseException:
            future.cancel()
            raise
    if future.cancelled():
        raise _Failed(message("is not in use any more"), again=False)
    return future.result()


def _wait(state: tenacity.RetryCallState) -> float:
    """Return the seconds until the next try: the server's request if it is longer than our own delay."""
    own = tenacity.wait_random_exponential(multiplier=FIRST_WAIT_SECONDS, max=LONGEST_WAIT_SECONDS)(state)
    failed = state.outcome.exception() if state.outcome else None
    return max(own, failed.rest_s) if isinstance(failed, _Failed) else own


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of all requests, on a thread that ends with the program."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="models", daemon=True).start()
    return loop
