"""The server's connections: closed where no request comes, and as many at once as the system lets us have."""

import asyncio
import resource

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from clinicnum.ui.app.security_middleware import HEADERS

HEAD_S = 20.0
"""From the opening of a connection, or the first byte of a request, to the end of the request's head."""
MOST_FILES = 65_536


class Hurried(H11Protocol):
    """A connection whose requests must begin in time: uvicorn alone waits for ever."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(HEAD_S, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that is whole ends the waiting, the first byte of the next one begins it anew."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._timer is None:
            self._timer = self.loop.call_later(HEAD_S, self.transport.close)

    def send_400_response(self, msg: str) -> None:
        """As every other answer, with the headers that all have; to what is no request."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        plain = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
        head = h11.Response(status_code=400, headers=[*plain, *HEADERS.items()], reason=b"Bad Request")
        for event in (head, h11.Data(data=msg.encode("ascii")), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def allow_connections() -> None:
    """Raise the limit of open files to what this account may have: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
