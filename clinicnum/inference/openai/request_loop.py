"""Ask a server for one completion, with retries, until it answers or there is reason to stop."""

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import anyio
import httpx2
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.openai.error_response import advice, safe_line, server_message, verdict
from clinicnum.inference.openai.request_body import RequestFormat
from clinicnum.inference.openai.response_body import (
    LONGEST_BODY,
    BodyTooLong,
    BodyTruncated,
    Response,
    fetch,
    json_of,
)
from clinicnum.inference.openai.retry_delay import AttemptFailed, parse_retry_after, wait_between
from clinicnum.inference.openai.server_address import gateway_of

GIVEN_UP_IN_A_ROW = 8
"""After this many requests given up in a row, the server counts as out of order."""
_CONNECT_S = 30.0


@dataclass(frozen=True)
class Server:
    """Address and settings of a server. It holds the API key, which is never displayed."""

    url: str
    model: str
    key: str = field(repr=False)
    concurrency: int
    timeout_s: float
    retries: int
    backoff_s: float

    def http(self) -> httpx2.AsyncClient:
        """A new pool of connections to the server."""
        headers = {"User-Agent": "clinicnum"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        return httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(self.timeout_s, connect=min(_CONNECT_S, self.timeout_s)),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=self.concurrency),
            # The environment's proxy would see every prompt, and a redirect would carry it elsewhere.
            trust_env=False,
            follow_redirects=False,
        )

    def unreachable_error(self, error: object) -> InputError:
        """The error that ends a run because nothing answers at the address."""
        return InputError(
            f"{self.url} cannot be reached ({error}); start the server, then run the same command again"
        )


class RequestLoop:
    """Sends requests to one server and remembers what it accepts. `ask` may run concurrently on one event
    loop.
    """

    def __init__(self, server: Server, dialect: RequestFormat) -> None:
        self._server = server
        self.dialect = dialect
        self.counts: Counter[str] = Counter()
        self.served: str | None = None
        """The model's name in the server's first answer; later answers must have the same."""
        self.gateway: str | None = None
        """Description of the gateway that answers in place of a server; None if no gateway is recognised."""
        self._answered_at = -math.inf
        self._given_up = 0
        self._in_flight: list[float] = []
        """Start times of the requests that await an answer."""

    async def ask(self, http: httpx2.AsyncClient, request: Request, decoding: Decoding) -> Completion:
        """Ask until there is an answer or the retries are used up.

        Raises InputError for what ends a run: the server is gone or out of order, refuses the key, has no
        such model.
        """
        impossible = self.dialect.impossible(request, decoding)
        if impossible is not None:
            return impossible
        troubled_at: list[float] = []

        async def attempt() -> Completion:
            try:
                return await self._attempt(http, request, decoding)
            except AttemptFailed as trouble:
                self.counts[trouble.kind] += 1
                troubled_at.append(monotonic())
                raise

        attempts = AsyncRetrying(
            retry=retry_if_exception_type(AttemptFailed),
            stop=stop_after_attempt(self._server.retries + 1),
            wait=wait_between(self._server.backoff_s),
            before_sleep=lambda _: self.counts.update(["retries"]),
            sleep=anyio.sleep,
            reraise=True,
        )
        try:
            completion: Completion = await attempts(attempt)
        except AttemptFailed as last:
            return self._give_up(request, last, troubled_at[0])
        self._given_up = 0
        self.counts["refused" if completion.error else "completed"] += 1
        return completion

    def _give_up(self, request: Request, last: AttemptFailed, first_trouble_at: float) -> Completion:
        """A completion with an error that may pass. Raises InputError, which ends the run, if nothing
        suggests that the server still works.
        """
        self.counts["failed"] += 1
        self._given_up += 1
        # A dead server also drops those who were waiting: one who still waits says that it may be alive.
        silent = self._answered_at < first_trouble_at < min(self._in_flight, default=math.inf)
        if last.kind == "connection" and silent:
            raise self._server.unreachable_error(last.line)
        attempts = self._server.retries + 1
        if self._given_up >= GIVEN_UP_IN_A_ROW:
            raise InputError(
                f"{self._server.url} failed {self._given_up} requests in a row, each {attempts} times "
                f"(last: {last.line}); see the server's log, then run the same command again"
            )
        line = f"no answer in {attempts} attempts (last: {last.line}); run the same command again"
        return Completion(request.instance_id, "", "error", None, None, None, error=line, transient=True)

    async def _attempt(self, http: httpx2.AsyncClient, request: Request, decoding: Decoding) -> Completion:
        """One attempt at a request. If the server says that it does not take a parameter, the request is sent
        again at once in another form.
        """
        while True:
            payload = self.dialect.payload(request, model=self._server.model, decoding=decoding)
            sent_at = monotonic()
            response = await self._post(http, payload)
            if response.status == httpx2.codes.OK:
                return self._completed(response, request, decoding, monotonic() - sent_at)
            if not self.dialect.learn(response.status, server_message(response.body), payload):
                return self._refused(response, request)

    async def _post(self, http: httpx2.AsyncClient, payload: dict[str, Any]) -> Response:
        sent_at = monotonic()
        self._in_flight.append(sent_at)
        try:
            with anyio.fail_after(self._server.timeout_s):
                response = await fetch(http, "POST", f"{self._server.url}{self.dialect.path}", payload)
        except (httpx2.TimeoutException, TimeoutError):
            raise AttemptFailed("timeout", f"no answer within {self._server.timeout_s:g} s") from None
        except BodyTooLong:
            raise AttemptFailed("too_long", f"the answer is longer than {LONGEST_BODY >> 20} MiB") from None
        except BodyTruncated as error:
            raise AttemptFailed("broken_off", error_text(error)) from None
        except httpx2.RequestError as error:
            raise AttemptFailed("connection", error_text(error)) from None
        finally:
            self._in_flight.remove(sent_at)
        self._answered_at = monotonic()
        self.gateway = self.gateway or gateway_of(response.headers)
        return response

    def _completed(
        self, response: Response, request: Request, decoding: Decoding, latency_s: float
    ) -> Completion:
        try:
            body = json_of(response.body)
        except ValueError:
            raise AttemptFailed("garbled", "the answer is not JSON") from None
        outcome = self.dialect.read(body, request, decoding, latency_s)
        if isinstance(outcome, str):
            raise AttemptFailed("garbled", outcome)
        named = body.get("model")
        if isinstance(named, str) and named:
            if self.served not in (None, named):
                raise AttemptFailed(
                    "other_model", f"the answer is of model {named[:80]!r}, not {self.served!r}"
                )
            self.served = named
        return outcome

    def _refused(self, response: Response, request: Request) -> Completion:
        status, message = response.status, server_message(response.body)
        prompt = [turn["content"] for turn in request.messages]
        line = safe_line(status, message, secrets=[self._server.key], prompt=prompt)
        decided = verdict(status, message)
        if decided == "again":
            wish = parse_retry_after(response.headers.get("retry-after"), now=datetime.now(UTC))
            raise AttemptFailed(f"http_{status}", line, wish)
        self.counts[f"http_{status}"] += 1
        if decided == "end":
            server = self._server
            raise InputError(f"{server.url} refuses {server.model!r} ({line}); {advice(status, message)}")
        error = f"the server cannot run it ({line}); {advice(status, message)}"
        return Completion(request.instance_id, "", "error", None, None, None, error=error)


def error_text(error: Exception) -> str:
    """The message of an error in one line; its class name if the message is empty."""
    return " ".join(str(error).split()) or type(error).__name__
